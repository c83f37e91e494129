package io.summarizer.core.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Access in opaque mode to arrays of longs that one thread writes and any thread reads. A reader sees each write as a
 * whole and soon, and never sees an older value after a newer value. Opaque mode does not keep several numbers
 * consistent with each other.
 *
 * <p>Stateless. An opaque addition costs as much as a plain one.
 */
public final class Opaque {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private Opaque() {}

    /** Adds to a number. Called by the thread that writes the number. */
    public static void add(long[] numbers, int index, long more) {
        LONGS.setOpaque(numbers, index, numbers[index] + more);
    }

    /** Sets a number. Called by the thread that writes the number. */
    public static void set(long[] numbers, int index, long value) {
        LONGS.setOpaque(numbers, index, value);
    }

    /** Reads a number. Called by any thread. */
    public static long get(long[] numbers, int index) {
        return (long) LONGS.getOpaque(numbers, index);
    }

    /** Adds up all numbers. Called by any thread. */
    public static long sum(long[] numbers) {
        long sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            sum += get(numbers, i);
        }
        return sum;
    }
}
