package io.summarizer.server.service;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** The parts that are to be stopped, in the reverse order of their start. Used by one thread at a time. */
final class Teardown {
    private static final System.Logger LOGGER = System.getLogger(Teardown.class.getName());

    private final Deque<Step> steps = new ArrayDeque<>();

    private record Step(String name, Action action) {}

    /** Stops a part. */
    @FunctionalInterface
    interface Action {
        void run() throws IOException, InterruptedException;
    }

    void add(String name, Action action) {
        steps.push(new Step(name, action));
    }

    /** Stops all parts. When a part fails to stop, logs the failure and goes on with the next part. */
    void run() {
        boolean interrupted = false;
        while (!steps.isEmpty()) {
            Step step = steps.pop();
            try {
                step.action().run();
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (IOException | RuntimeException | Error e) {
                LOGGER.log(System.Logger.Level.WARNING, "could not stop " + step.name() + " cleanly", e);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
