package io.summarizer.dsl.runtime;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Functions of strings; a string is a reference into an event. New strings are in the event's scratch space. When this
 * space is full, a new string is {@link InputEvent#NULL_STRING}.
 */
public final class Texts {
    private Texts() {}

    /** The UTF-8 bytes of a literal. */
    public static byte[] literal(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A string with these bytes. */
    public static long of(InputEvent event, byte[] literal) {
        return event.copyToScratch(literal, 0, literal.length);
    }

    /** Number of code points. */
    public static long length(InputEvent event, long string) {
        int from = InputEvent.stringOffset(string);
        return Utf8.codePoints(event.stringBytes(string), from, from + InputEvent.stringLength(string));
    }

    /**
     * Compares by code points. The result is negative when {@code a} comes before {@code b}, zero when they are equal,
     * and positive when {@code a} comes after {@code b}.
     */
    public static int compare(InputEvent event, long a, long b) {
        int fromA = InputEvent.stringOffset(a);
        int fromB = InputEvent.stringOffset(b);
        // Unsigned bytes of UTF-8 have the same order as the code points.
        return Arrays.compareUnsigned(
                event.stringBytes(a),
                fromA,
                fromA + InputEvent.stringLength(a),
                event.stringBytes(b),
                fromB,
                fromB + InputEvent.stringLength(b));
    }

    /** Compares a string with a literal by code points. */
    public static int compare(InputEvent event, long a, byte[] literal) {
        int from = InputEvent.stringOffset(a);
        return Arrays.compareUnsigned(
                event.stringBytes(a), from, from + InputEvent.stringLength(a), literal, 0, literal.length);
    }

    /** Whether a string has the bytes of a literal. */
    public static boolean equal(InputEvent event, long a, byte[] literal) {
        int from = InputEvent.stringOffset(a);
        return Arrays.equals(event.stringBytes(a), from, from + InputEvent.stringLength(a), literal, 0, literal.length);
    }

    /** The concatenation of {@code parts}; no part may be null. */
    public static long concat(InputEvent event, long[] parts) {
        long total = 0;
        for (long part : parts) {
            total += InputEvent.stringLength(part);
        }
        if (total > Integer.MAX_VALUE || !event.reserveScratch((int) total)) {
            return InputEvent.NULL_STRING;
        }
        int start = event.scratchLimit();
        int at = start;
        for (long part : parts) {
            int length = InputEvent.stringLength(part);
            System.arraycopy(event.stringBytes(part), InputEvent.stringOffset(part), event.scratch(), at, length);
            at += length;
        }
        event.scratchLimit(at);
        return InputEvent.scratchString(start, at - start);
    }

    /** The code points from position {@code from} to the end; positions count from 1. */
    public static long substring(InputEvent event, long string, long from) {
        return slice(event, string, from, Long.MAX_VALUE);
    }

    /**
     * The code points at positions {@code from} to {@code from + count - 1}, as far as they exist; positions count from
     * 1. A negative count is taken as 0.
     */
    public static long substring(InputEvent event, long string, long from, long count) {
        // Both numbers may be of any size, so the sum saturates where it would overflow.
        long end = from > 0 && count > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + Math.max(0, count);
        return slice(event, string, from, end);
    }

    private static long slice(InputEvent event, long string, long from, long end) {
        long first = Math.max(1, from);
        byte[] bytes = event.stringBytes(string);
        int offset = InputEvent.stringOffset(string);
        int limit = offset + InputEvent.stringLength(string);
        int start = Utf8.skip(bytes, offset, limit, first - 1);
        int stop = Utf8.skip(bytes, start, limit, end <= first ? 0 : end - first);
        return InputEvent.slice(string, start, stop - start);
    }

    /** The text in lower case, independent of the default locale. */
    public static long lower(InputEvent event, long string) {
        return isAscii(event, string)
                ? withCase(event, string, (byte) 'A', (byte) 'Z')
                : of(event, literal(event.string(string).toLowerCase(Locale.ROOT)));
    }

    /** The text in upper case, independent of the default locale. */
    public static long upper(InputEvent event, long string) {
        return isAscii(event, string)
                ? withCase(event, string, (byte) 'a', (byte) 'z')
                : of(event, literal(event.string(string).toUpperCase(Locale.ROOT)));
    }

    private static boolean isAscii(InputEvent event, long string) {
        int from = InputEvent.stringOffset(string);
        return Utf8.isAscii(event.stringBytes(string), from, from + InputEvent.stringLength(string));
    }

    private static long withCase(InputEvent event, long string, byte first, byte last) {
        int length = InputEvent.stringLength(string);
        long copy = event.copyToScratch(event.stringBytes(string), InputEvent.stringOffset(string), length);
        if (copy == InputEvent.NULL_STRING) {
            return copy;
        }
        byte[] scratch = event.scratch();
        int start = InputEvent.stringOffset(copy);
        for (int at = start; at < start + length; at++) {
            if (scratch[at] >= first && scratch[at] <= last) {
                scratch[at] ^= 0x20;
            }
        }
        return copy;
    }
}
