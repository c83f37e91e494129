package io.summarizer.dsl.codegen;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Runs code generation on a thread with a stack for the deepest expression that the checker accepts. An operator takes
 * about ten frames, whose size the JIT compiler decides, so the default stack would suffice only at times. Stateless.
 * Cost: a short-lived thread.
 */
public final class DeepStack {
    private static final long STACK_BYTES = 16L << 20;

    private DeepStack() {}

    /** Runs {@code task} and returns or throws its outcome; an interrupt waits until then. */
    public static <T> T call(Supplier<T> task) {
        FutureTask<T> future = new FutureTask<>(task::get);
        Thread thread = new Thread(null, future, "generate", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof RuntimeException cause) {
                        throw cause;
                    }
                    if (e.getCause() instanceof Error cause) {
                        throw cause;
                    }
                    throw new IllegalStateException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
