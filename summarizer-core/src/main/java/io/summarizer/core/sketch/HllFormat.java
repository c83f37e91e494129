package io.summarizer.core.sketch;

/**
 * The header of a set in the HLL storage specification, version 1.0.0 (Aggregate Knowledge, {@code hll-storage-spec}).
 * The header has the type modifiers of an {@code hll} column in PostgreSQL. If the modifiers of a set differ,
 * PostgreSQL refuses to load the set into a column, and refuses to compute its union with other sets. Therefore, a
 * writer must use the modifiers of the target column.
 *
 * <pre>
 *   byte 0   1 in the high four bits, the version; the type of the body in the low four
 *   byte 1   regwidth - 1 in the high three bits, log2m in the low five
 *   byte 2   a 0 bit, a bit for sparse bodies allowed, and the explicit threshold in six bits: 0 for 0, 63 for "chosen
 *            by the reader", else one more than the log2 of the threshold
 * </pre>
 *
 * @param log2m log2 of the number of registers, 4 to 17
 * @param regwidth bits of a register, 1 to 5
 * @param explicitMax PostgreSQL's {@code expthresh}, the maximum number of hashes that PostgreSQL keeps one by one: a
 *     power of two up to 16,384, 0 for none, or -1 to let PostgreSQL choose
 * @param sparse PostgreSQL's {@code sparseon}: whether bodies may list only the registers that are not 0
 */
public record HllFormat(int log2m, int regwidth, int explicitMax, boolean sparse) {
    /** Bytes before the body. */
    static final int HEADER_BYTES = 3;

    static final int VERSION = 1;

    /** Types of bodies. */
    static final int UNDEFINED = 0;

    static final int EMPTY = 1;
    static final int EXPLICIT = 2;
    static final int SPARSE = 3;
    static final int FULL = 4;

    private static final int EXPLICIT_AUTO = 63;
    /**
     * The largest value of {@code explicitMax}: 2^14 hashes of 8 bytes take 128 KiB, the size of PostgreSQL's largest
     * set.
     */
    private static final int EXPLICIT_LIMIT = 1 << 14;

    /** Checks the ranges. */
    public HllFormat {
        SetLayout.check(log2m, regwidth);
        boolean powerOfTwo = explicitMax > 0 && (explicitMax & (explicitMax - 1)) == 0;
        if (explicitMax != -1 && explicitMax != 0 && (!powerOfTwo || explicitMax > EXPLICIT_LIMIT)) {
            throw new IllegalArgumentException(
                    "explicitMax=" + explicitMax + " is neither -1, nor 0, nor a power of two up to " + EXPLICIT_LIMIT);
        }
    }

    /**
     * A format for a column {@code hll(log2m, regwidth)}, with PostgreSQL's defaults for the other modifiers, {@code
     * -1} and {@code 1}.
     */
    public static HllFormat of(int log2m, int regwidth) {
        return new HllFormat(log2m, regwidth, -1, true);
    }

    /** Writes the header of a set with a body of this type. */
    void putHeader(byte[] bytes, int type) {
        int threshold = switch (explicitMax) {
            case -1 -> EXPLICIT_AUTO;
            case 0 -> 0;
            default -> Integer.numberOfTrailingZeros(explicitMax) + 1;
        };
        bytes[0] = (byte) (VERSION << 4 | type);
        bytes[1] = (byte) ((regwidth - 1) << 5 | log2m);
        bytes[2] = (byte) ((sparse ? 0x40 : 0) | threshold);
    }

    /** Bytes of a FULL body. */
    int fullBytes() {
        return Registers.bytes(1 << log2m, regwidth);
    }

    /** Number of bits that a pair of register number and value takes in a SPARSE body. */
    int pairBits() {
        return log2m + regwidth;
    }

    /**
     * Whether to write registers as a SPARSE body when {@code raised} of them are not 0. PostgreSQL writes a SPARSE
     * body if it takes fewer bits than a FULL body. The same rule applies here, so that equal sets have equal bytes.
     * There is one exception to this rule. Zeros fill the last byte of a SPARSE body. If there are at least as many of
     * these zeros as a pair has bits, a reader would take them for a pair of register 0 and value 0. The body is then
     * FULL.
     */
    boolean isSparse(int raised) {
        int bits = raised * pairBits();
        int padding = -bits & 7;
        return sparse && bits < (regwidth << log2m) && padding < pairBits();
    }
}
