package io.summarizer.core.evolve;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.Bytes;
import java.util.Arrays;

/**
 * The registers of a full set, in the form that files contain. Each register has {@code regwidth} bits. They start at
 * the low bit of the first byte, and have no gaps.
 */
final class PackedRegisters {
    private PackedRegisters() {}

    static int bytes(int log2m, int regwidth) {
        return (1 << log2m) * regwidth / 8;
    }

    static void put(BlockBuffer out, byte[] registers, int log2m, int regwidth) {
        for (int i = 0; i < 1 << log2m; i += 8) {
            long eight = 0;
            for (int j = 0; j < 8; j++) {
                eight |= (long) registers[i + j] << (j * regwidth);
            }
            for (int j = 0; j < regwidth; j++) {
                out.putByte((int) (eight >>> (8 * j)));
            }
        }
    }

    /**
     * Reads the registers of a set and reduces them to the registers of a smaller set, which has fewer or narrower
     * registers. The result is the same as if all hashes had been added to the smaller set.
     *
     * <p>A set with fewer registers has shorter register numbers. If the numbers of several old registers differ only
     * in the high bits that the shorter numbers lack, these registers become one register. Each old register that is
     * not 0 gives a candidate, and the new register gets the largest candidate. If a high bit of the old number is set,
     * the candidate is the position of the lowest such bit among the high bits, counted from 1. Otherwise, it is the
     * old register's value plus the number of high bits.
     *
     * @param at start of the registers; the eight bytes after the last register must be readable, too
     * @param into result, with one byte for each register of the smaller set
     */
    static void reduce(byte[] bytes, int at, int log2m, int regwidth, byte[] into, int log2mInto, int regwidthInto) {
        Arrays.fill(into, 0, 1 << log2mInto, (byte) 0);
        int mask = (1 << regwidth) - 1;
        int largest = (1 << regwidthInto) - 1;
        int from = at;
        for (int i = 0; i < 1 << log2m; i += 8) {
            long eight = Bytes.getLong(bytes, from);
            from += regwidth;
            for (int j = 0; j < 8; j++) {
                int value = (int) (eight >>> (j * regwidth)) & mask;
                if (value != 0) {
                    int register = (i + j) & ((1 << log2mInto) - 1);
                    int above = (i + j) >>> log2mInto;
                    int reduced = above == 0 ? value + log2m - log2mInto : 1 + Integer.numberOfTrailingZeros(above);
                    into[register] = (byte) Math.max(into[register], Math.min(reduced, largest));
                }
            }
        }
    }
}
