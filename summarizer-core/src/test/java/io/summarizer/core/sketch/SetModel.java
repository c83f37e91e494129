package io.summarizer.core.sketch;

import java.util.TreeMap;

/** The expected contents of a set, by the slow way: each hash's bits one at a time, no packing, only two states. */
final class SetModel {
    private final int log2m;
    private final int regwidth;
    private final byte[] registers;
    private final TreeMap<Long, Integer> zerosByHashBits = new TreeMap<>();

    SetModel(int log2m, int regwidth) {
        this.log2m = log2m;
        this.regwidth = regwidth;
        registers = new byte[1 << log2m];
    }

    void add(long hash) {
        int zeros26 = zerosFrom(hash, 26);
        zerosByHashBits.merge(hash & 0x3ffffff, zeros26 == 38 ? -1 : zeros26, Math::max);
        int zeros = zerosFrom(hash, log2m);
        if (zeros < 64 - log2m) {
            int register = (int) (hash & (registers.length - 1));
            int value = Math.min(zeros + 1, (1 << regwidth) - 1);
            registers[register] = (byte) Math.max(registers[register], value);
        }
    }

    private static int zerosFrom(long hash, int bit) {
        int zeros = 0;
        while (bit + zeros < 64 && ((hash >>> (bit + zeros)) & 1) == 0) {
            zeros++;
        }
        return zeros;
    }

    byte[] registers() {
        return registers;
    }

    /** Distinct values of the low 26 bits. */
    int tokenCount() {
        return zerosByHashBits.size();
    }

    int[] tokens() {
        return zerosByHashBits.entrySet().stream()
                .mapToInt(e -> ((int) (e.getKey() << 6)) | (e.getValue() + 2))
                .toArray();
    }

    /**
     * The most tokens before registers: 320, or as many of the capacities below as take no more bytes than registers.
     */
    int tokenCountMax() {
        int[] capacities = {1, 2, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256, 320};
        int most = 1;
        for (int capacity : capacities) {
            if (capacity * 4 * 8 <= registers.length * regwidth) {
                most = Math.max(most, capacity);
            }
        }
        return most;
    }
}
