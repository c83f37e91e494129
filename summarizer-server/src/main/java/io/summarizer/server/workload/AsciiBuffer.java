package io.summarizer.server.workload;

import java.nio.charset.StandardCharsets;

/**
 * A fixed byte array that is filled with text and numbers. The caller ensures that there is room. Confined to one
 * thread.
 */
final class AsciiBuffer {
    private static final byte[] DIGIT_PAIRS = new byte[200];
    private static final byte[] HEX = ascii("0123456789abcdef");

    static {
        for (int i = 0; i < 100; i++) {
            DIGIT_PAIRS[2 * i] = (byte) ('0' + i / 10);
            DIGIT_PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
    }

    final byte[] bytes;
    int length;

    AsciiBuffer(int capacity) {
        bytes = new byte[capacity];
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    void put(byte[] text) {
        System.arraycopy(text, 0, bytes, length, text.length);
        length += text.length;
    }

    void put(char c) {
        bytes[length++] = (byte) c;
    }

    /** Appends a number from 0 up, in decimal. */
    void putNumber(long value) {
        int digits = 1;
        for (long power = 10; digits < 19 && value >= power; power *= 10) {
            digits++;
        }
        putDigits(value, digits);
    }

    /** Appends a number of millionths from 0 up, with all six decimals. */
    void putMicros(int micros) {
        int whole = micros / 1_000_000;
        putNumber(whole);
        bytes[length++] = '.';
        putDigits(micros - whole * 1_000_000, 6);
    }

    /** Appends a number of thousandths from 0 up, with all three decimals. */
    void putMillis(int millis) {
        int whole = millis / 1_000;
        putNumber(whole);
        bytes[length++] = '.';
        putDigits(millis - whole * 1_000, 3);
    }

    /** Appends a number below 100 as two digits. */
    void putPair(int value) {
        putDigits(value, 2);
    }

    private void putDigits(long value, int digits) {
        int at = length + digits;
        length = at;
        long rest = value;
        for (int i = digits; i > 1; i -= 2) {
            long quotient = rest / 100;
            int pair = 2 * (int) (rest - quotient * 100);
            rest = quotient;
            bytes[--at] = DIGIT_PAIRS[pair + 1];
            bytes[--at] = DIGIT_PAIRS[pair];
        }
        if ((digits & 1) != 0) {
            bytes[--at] = (byte) ('0' + rest % 10);
        }
    }

    /** Appends all 64 bits as 16 hexadecimal digits. */
    void putHex(long value) {
        putHex(value, 16);
    }

    /** Appends the last {@code digits} hexadecimal digits. */
    void putHex(long value, int digits) {
        for (int shift = 4 * digits - 4; shift >= 0; shift -= 4) {
            bytes[length++] = HEX[(int) (value >>> shift) & 15];
        }
    }
}
