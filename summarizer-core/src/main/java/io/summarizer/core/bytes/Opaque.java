package io.summarizer.core.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Longs in arrays that one thread writes and any thread reads, in opaque mode: a reader sees each number whole, soon,
 * and never an older value after a newer one. Numbers that have to be consistent with each other need more protection,
 * such as the gate.
 *
 * <p>Stateless. An addition costs as much as a plain one.
 */
public final class Opaque {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private Opaque() {}

    /** Adds to a number; on the thread that writes it. */
    public static void add(long[] numbers, int index, long more) {
        LONGS.setOpaque(numbers, index, numbers[index] + more);
    }

    /** Sets a number; on the thread that writes it. */
    public static void set(long[] numbers, int index, long value) {
        LONGS.setOpaque(numbers, index, value);
    }

    /** Reads a number. Any thread. */
    public static long get(long[] numbers, int index) {
        return (long) LONGS.getOpaque(numbers, index);
    }

    /** Adds up all numbers. Any thread. */
    public static long sum(long[] numbers) {
        long sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            sum += get(numbers, i);
        }
        return sum;
    }
}
