package io.summarizer.dsl.runtime;

/** A set of integers, or of doubles by their bits: a hash table that is at most half full. Immutable. */
public final class LongTable {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    /** The elements; 0 for a free slot. */
    private final long[] slots;

    private final int shift;
    private final boolean hasZero;

    private LongTable(int size, String elements) {
        int bits = 64 - Long.numberOfLeadingZeros(2L * Math.max(1, size));
        slots = new long[1 << bits];
        shift = 64 - bits;
        boolean zero = false;
        for (int from = 0; from < elements.length(); ) {
            int to = elements.indexOf(',', from);
            long element = Long.parseLong(elements, from, to, 10);
            from = to + 1;
            zero |= element == 0;
            slots[slot(element)] = element;
        }
        hasZero = zero;
    }

    /** The elements in decimal, a comma after each. */
    public static LongTable of(String elements) {
        return new LongTable((int) elements.chars().filter(c -> c == ',').count(), elements);
    }

    /** The key of a double that is not NaN; 0.0 and -0.0 have the same key. */
    public static long key(double value) {
        return Double.doubleToRawLongBits(value + 0.0);
    }

    /** Whether {@code value} is an element. */
    public boolean contains(long value) {
        return value == 0 ? hasZero : slots[slot(value)] == value;
    }

    /** The slot of a value, or the free slot into which the value would go. */
    private int slot(long value) {
        int mask = slots.length - 1;
        int slot = (int) ((value * MULTIPLIER) >>> shift);
        while (slots[slot] != 0 && slots[slot] != value) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
