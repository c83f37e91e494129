package io.summarizer.core.sketch;

/**
 * Decodes sets by the HLL storage specification, version 1.0.0, from any writer: java-hll, PostgreSQL or
 * {@link HllWriter}. Unites them with a set of an arena.
 *
 * <p>Register bodies hold less information than tokens, so the result has registers from then on, even with few values.
 */
public final class HllReader {
    private HllReader() {}

    /**
     * Unites the encoded set with a set of {@code arena}.
     *
     * @param handle the set; 0 is the empty one
     * @return the set's handle from now on
     * @throws IllegalArgumentException when the bytes are not such a set, are the undefined one, or have other
     *     registers than the arena; the message has the error, and the set is unchanged
     */
    public static int union(MultisetArena arena, int handle, byte[] bytes, int offset, int length) {
        if (length < HllFormat.HEADER_BYTES) {
            throw new IllegalArgumentException("an HLL has at least 3 bytes, not " + length);
        }
        int version = bytes[offset] >>> 4 & 0xf;
        int type = bytes[offset] & 0xf;
        if (version != HllFormat.VERSION) {
            throw new IllegalArgumentException("HLL of schema version " + version + ", only 1 is known");
        }
        int regwidth = (bytes[offset + 1] >>> 5 & 7) + 1;
        int log2m = bytes[offset + 1] & 0x1f;
        if (log2m != arena.log2m() || regwidth != arena.regwidth()) {
            throw new IllegalArgumentException("HLL has log2m=" + log2m + " and regwidth=" + regwidth
                    + ", the set log2m=" + arena.log2m() + " and regwidth=" + arena.regwidth());
        }
        int body = offset + HllFormat.HEADER_BYTES;
        int bodyLength = length - HllFormat.HEADER_BYTES;
        return switch (type) {
            case HllFormat.UNDEFINED -> throw new IllegalArgumentException("HLL is undefined: a union with it is, too");
            case HllFormat.EMPTY -> {
                checkLength("an EMPTY", bodyLength, 0);
                yield handle;
            }
            case HllFormat.EXPLICIT -> addHashes(arena, handle, bytes, body, bodyLength);
            case HllFormat.SPARSE -> arena.union(handle, sparse(bytes, body, bodyLength, log2m, regwidth));
            case HllFormat.FULL -> {
                checkLength("a FULL", bodyLength, Registers.bytes(1 << log2m, regwidth));
                yield arena.union(handle, full(bytes, body, log2m, regwidth));
            }
            default -> throw new IllegalArgumentException("HLL of type " + type + ", which is none of 0 to 4");
        };
    }

    /**
     * Unites a set in PostgreSQL's text form, {@code \x} and hex digits in either case, with a set of {@code arena}.
     *
     * @return the set's handle from now on
     * @throws IllegalArgumentException as {@link #union(MultisetArena, int, byte[], int, int)}, or when it is not hex
     */
    public static int union(MultisetArena arena, int handle, String hex) {
        if (!hex.startsWith("\\x") || hex.length() % 2 != 0) {
            throw new IllegalArgumentException("HLL text is not \\x and an even number of hex digits");
        }
        byte[] bytes = new byte[hex.length() / 2 - 1];
        for (int i = 0; i < bytes.length; i++) {
            int high = digit(hex, 2 * i + 2);
            int low = digit(hex, 2 * i + 3);
            bytes[i] = (byte) (high << 4 | low);
        }
        return union(arena, handle, bytes, 0, bytes.length);
    }

    private static int digit(String hex, int index) {
        char c = hex.charAt(index);
        int digit = c < 0x80 ? Character.digit(c, 16) : -1;
        if (digit < 0) {
            throw new IllegalArgumentException("HLL text has no hex digit at " + index);
        }
        return digit;
    }

    private static int addHashes(MultisetArena arena, int handle, byte[] bytes, int body, int bodyLength) {
        if (bodyLength % Long.BYTES != 0) {
            throw new IllegalArgumentException("an EXPLICIT HLL has a body of " + bodyLength + " bytes, not eights");
        }
        long before = 0;
        for (int at = body; at < body + bodyLength; at += Long.BYTES) {
            long hash = hash(bytes, at);
            if (at > body && hash <= before) {
                throw new IllegalArgumentException("an EXPLICIT HLL has hashes that do not ascend");
            }
            before = hash;
        }
        int united = handle;
        for (int at = body; at < body + bodyLength; at += Long.BYTES) {
            united = arena.add(united, hash(bytes, at));
        }
        return united;
    }

    private static long hash(byte[] bytes, int at) {
        return bits(bytes, at, 0, Integer.SIZE) << Integer.SIZE | bits(bytes, at, Integer.SIZE, Integer.SIZE);
    }

    private static byte[] sparse(byte[] bytes, int body, int bodyLength, int log2m, int regwidth) {
        int width = log2m + regwidth;
        int pairs = bodyLength * Byte.SIZE / width;
        if (bodyLength * Byte.SIZE - pairs * width >= Byte.SIZE) {
            throw new IllegalArgumentException(
                    "a SPARSE HLL has a body of " + bodyLength + " bytes, no number of pairs of " + width + " bits");
        }
        byte[] registers = new byte[1 << log2m];
        int before = -1;
        for (int i = 0; i < pairs; i++) {
            int pair = (int) bits(bytes, body, i * width, width);
            int register = pair >>> regwidth;
            int value = pair & ((1 << regwidth) - 1);
            if (i == pairs - 1 && pair == 0) {
                break; // the bits that fill up the last byte, when they are as many as those of a pair
            }
            if (register <= before) {
                throw new IllegalArgumentException("a SPARSE HLL has registers that do not ascend");
            }
            registers[register] = (byte) value;
            before = register;
        }
        return registers;
    }

    private static byte[] full(byte[] bytes, int body, int log2m, int regwidth) {
        byte[] registers = new byte[1 << log2m];
        for (int i = 0; i < registers.length; i++) {
            registers[i] = (byte) bits(bytes, body, i * regwidth, regwidth);
        }
        return registers;
    }

    /**
     * The {@code count} bits from bit {@code from} after {@code base} on, counted from the high bit of each byte; up to
     * 32.
     */
    private static long bits(byte[] bytes, int base, int from, int count) {
        long bits = 0;
        int last = (from + count - 1) >>> 3;
        for (int at = from >>> 3; at <= last; at++) {
            bits = bits << Byte.SIZE | (bytes[base + at] & 0xff);
        }
        int behind = (last + 1) * Byte.SIZE - (from + count);
        return bits >>> behind & ((1L << count) - 1);
    }

    private static void checkLength(String type, int bodyLength, int expected) {
        if (bodyLength != expected) {
            throw new IllegalArgumentException(
                    type + " HLL has a body of " + bodyLength + " bytes instead of " + expected);
        }
    }
}
