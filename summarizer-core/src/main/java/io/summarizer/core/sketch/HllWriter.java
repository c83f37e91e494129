package io.summarizer.core.sketch;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * Encodes sets by the HLL storage specification, which PostgreSQL's {@code hll} extension and java-hll read. The body
 * is the EMPTY, SPARSE or FULL body that PostgreSQL would write for the same registers. It is never EXPLICIT, because a
 * set does not keep whole hashes.
 *
 * <p>Not thread-safe; the buffer holds the last written set. Allocates when a set needs more bytes than all sets
 * before. Cost: about ten ns for a set of one value; one or two ns per register for a set with registers.
 */
public final class HllWriter {
    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private final HllFormat format;
    private byte[] bytes = new byte[64];
    private int length;
    private byte[] text = {};
    /** Pairs of register number and value, {@code number << regwidth | value}. */
    private int[] pairs = new int[8];

    private int pairCount;
    private byte[] registers = {};
    private final IntConsumer tokenCollector = this::addToken;

    /** A writer of sets with this header. */
    public HllWriter(HllFormat format) {
        this.format = format;
    }

    /**
     * Encodes a set into {@link #bytes()}; returns the number of bytes.
     *
     * @throws IllegalArgumentException when the view and the format have different log2m or regwidth
     */
    public int write(MultisetArena.View view, int handle) {
        if (view.log2m() != format.log2m() || view.regwidth() != format.regwidth()) {
            throw new IllegalArgumentException("a set of log2m=" + view.log2m() + " and regwidth=" + view.regwidth()
                    + " cannot be written as log2m=" + format.log2m() + " and regwidth=" + format.regwidth());
        }
        if (view.isFull(handle)) {
            clearRegisters();
            view.registers(handle, registers);
            collectRaised();
        } else {
            collectTokens(view, handle);
        }
        if (pairCount == 0) {
            format.putHeader(bytes, HllFormat.EMPTY);
            length = HllFormat.HEADER_BYTES;
        } else if (format.isSparse(pairCount)) {
            writeSparse();
        } else {
            writeFull();
        }
        return length;
    }

    /**
     * Encodes a set into {@link #text()} as PostgreSQL's text form of bytes: {@code \x} and hex digits. Returns the
     * length.
     */
    public int writeText(MultisetArena.View view, int handle) {
        int length = write(view, handle);
        int digits = 2 + 2 * length;
        if (text.length < digits) {
            text = new byte[Math.max(digits, 2 * text.length)];
        }
        byte[] text = this.text;
        text[0] = '\\';
        text[1] = 'x';
        for (int i = 0; i < length; i++) {
            text[2 + 2 * i] = HEX[bytes[i] >>> 4 & 0xf];
            text[3 + 2 * i] = HEX[bytes[i] & 0xf];
        }
        return digits;
    }

    /** An array that begins with the last set that {@link #write} encoded; valid until the next call. */
    public byte[] bytes() {
        return bytes;
    }

    /** An array that begins with the last set that {@link #writeText} encoded, in ASCII; valid until the next call. */
    public byte[] text() {
        return text;
    }

    /** Turns tokens into pairs, sorted by register, with one pair for each register. */
    private void collectTokens(MultisetArena.View view, int handle) {
        int tokens = view.tokens(handle);
        if (pairs.length < tokens) {
            pairs = new int[Math.max(tokens, 2 * pairs.length)];
        }
        pairCount = 0;
        view.forEachToken(handle, tokenCollector);
        if (pairCount <= 1) {
            return;
        }
        Arrays.sort(pairs, 0, pairCount);
        // Of several pairs of one register, the last has the largest value, and replaces the others.
        int kept = 0;
        for (int i = 1; i < pairCount; i++) {
            if (pairs[i] >>> format.regwidth() != pairs[kept] >>> format.regwidth()) {
                kept++;
            }
            pairs[kept] = pairs[i];
        }
        pairCount = kept + 1;
    }

    private void addToken(int token) {
        long hash = Token.hash(token);
        if (Registers.hasValue(hash, format.log2m())) {
            int value = Registers.value(hash, format.log2m(), (1 << format.regwidth()) - 1);
            int register = (int) hash & ((1 << format.log2m()) - 1);
            pairs[pairCount++] = register << format.regwidth() | value;
        }
    }

    /** Turns the registers that are not 0 into pairs. */
    private void collectRaised() {
        int count = 1 << format.log2m();
        if (pairs.length < count) {
            pairs = new int[count];
        }
        int raised = 0;
        for (int register = 0; register < count; register++) {
            // Even a pair of value 0 is written; the next pair then overwrites it. A branch instead would often be
            // mispredicted.
            pairs[raised] = register << format.regwidth() | registers[register];
            raised += registers[register] != 0 ? 1 : 0;
        }
        pairCount = raised;
    }

    private void writeSparse() {
        int width = format.pairBits();
        room((pairCount * width + 7) >>> 3);
        format.putHeader(bytes, HllFormat.SPARSE);
        int at = HllFormat.HEADER_BYTES;
        long bits = 0;
        int have = 0;
        for (int i = 0; i < pairCount; i++) {
            bits = bits << width | pairs[i];
            have += width;
            while (have >= Byte.SIZE) {
                have -= Byte.SIZE;
                bytes[at++] = (byte) (bits >>> have);
            }
        }
        if (have > 0) {
            bytes[at++] = (byte) (bits << (Byte.SIZE - have));
        }
        length = at;
    }

    private void writeFull() {
        room(format.fullBytes());
        clearRegisters();
        int width = format.regwidth();
        for (int i = 0; i < pairCount; i++) {
            registers[pairs[i] >>> width] = (byte) (pairs[i] & ((1 << width) - 1));
        }
        format.putHeader(bytes, HllFormat.FULL);
        int at = HllFormat.HEADER_BYTES;
        // Eight registers fill `width` bytes.
        for (int register = 0; register < 1 << format.log2m(); register += 8) {
            long bits = 0;
            for (int i = 0; i < 8; i++) {
                bits = bits << width | registers[register + i];
            }
            for (int shift = (width - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
                bytes[at++] = (byte) (bits >>> shift);
            }
        }
        length = at;
    }

    private void clearRegisters() {
        int count = 1 << format.log2m();
        if (registers.length < count) {
            registers = new byte[count];
        } else {
            Arrays.fill(registers, (byte) 0);
        }
    }

    private void room(int body) {
        if (bytes.length < HllFormat.HEADER_BYTES + body) {
            bytes = new byte[Math.max(HllFormat.HEADER_BYTES + body, 2 * bytes.length)];
        }
    }
}
