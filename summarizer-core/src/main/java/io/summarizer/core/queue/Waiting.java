package io.summarizer.core.queue;

/** Something that waits, and can be done again after an interrupt. */
@FunctionalInterface
public interface Waiting {
    /** Waits. */
    void run() throws InterruptedException;

    /** Waits to the end; an interrupt is there still afterwards. */
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
