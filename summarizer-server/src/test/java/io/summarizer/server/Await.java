package io.summarizer.server;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for a condition that other threads bring about; fails with the last value after a timeout. */
public final class Await {
    private static final long DEADLINE_SECONDS = 120;

    private Await() {}

    public static void until(Supplier<String> found, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited in vain; found " + found.get());
            }
            try {
                TimeUnit.MILLISECONDS.sleep(2);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
