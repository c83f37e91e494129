package io.summarizer.dsl.codegen;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Runs code generation on a thread with a stack for the deepest expression that the checker accepts. Each operator
 * takes about ten frames, and the size of a frame depends on the JIT compiler. Therefore, the default stack would not
 * always be large enough. Stateless. Cost: a short-lived thread.
 */
public final class DeepStack {
    private static final long STACK_BYTES = 16L << 20;

    private DeepStack() {}

    /**
     * Runs {@code task}, and then returns its result or throws its exception. An interrupt takes effect only after the
     * task has ended.
     */
    public static <T> T call(Supplier<T> task) {
        try {
            return CompletableFuture.supplyAsync(task, DeepStack::start).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(null, task, "generate", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
    }
}
