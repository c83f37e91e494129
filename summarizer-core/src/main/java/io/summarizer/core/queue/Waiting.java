package io.summarizer.core.queue;

/** A wait that can be repeated after an interrupt. */
@FunctionalInterface
public interface Waiting {
    void run() throws InterruptedException;

    /**
     * Waits to the end, even if the thread is interrupted. After an interrupt, sets the thread's interrupt status
     * again.
     */
    static void uninterruptibly(Waiting waiting) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    waiting.run();
                    return;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
