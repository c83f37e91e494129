package io.summarizer.dsl.runtime;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.text.DecimalText;
import io.summarizer.core.text.TimestampText;
import java.time.ZoneId;

/** Converts values to strings, and strings to times. New strings lie in the event's scratch space. */
public final class Conversions {
    private static final byte[] TRUE = Texts.literal("true");
    private static final byte[] FALSE = Texts.literal("false");
    private static final int MAX_NUMBER_LENGTH = 32;

    private Conversions() {}

    /**
     * The time in µs of a text, or {@link TimestampText#INVALID}. The text is ISO 8601 or the digits of epoch
     * milliseconds.
     */
    public static long timestamp(InputEvent event, DecimalText decimal, long string, ZoneId zone) {
        int from = InputEvent.stringOffset(string);
        return TimestampText.parseAny(
                decimal, event.stringBytes(string), from, from + InputEvent.stringLength(string), zone);
    }

    /** The text of a double, with the fewest digits that are read back as the same double. */
    public static long doubleText(InputEvent event, double value) {
        // The JDK's own printing of doubles differs between the JDKs that we support.
        return Texts.of(event, Texts.literal(NumberOutput.toString(value, true)));
    }

    /** {@code true} or {@code false}. */
    public static long boolText(InputEvent event, long value) {
        return Texts.of(event, value != 0 ? TRUE : FALSE);
    }

    /** A time in the common format. */
    public static long timestampText(InputEvent event, long micros) {
        if (!event.reserveScratch(TimestampText.MAX_LENGTH)) {
            return InputEvent.NULL_STRING;
        }
        return taken(event, TimestampText.format(micros, event.scratch(), event.scratchLimit()));
    }

    /** A signed integer in decimal. */
    public static long intText(InputEvent event, long value) {
        return integerText(event, value, false);
    }

    /** An unsigned integer in decimal. */
    public static long uintText(InputEvent event, long value) {
        return integerText(event, value, true);
    }

    private static long integerText(InputEvent event, long value, boolean unsigned) {
        if (!event.reserveScratch(MAX_NUMBER_LENGTH)) {
            return InputEvent.NULL_STRING;
        }
        return taken(event, format(value, unsigned, event.scratch(), event.scratchLimit()));
    }

    private static long taken(InputEvent event, int end) {
        int from = event.scratchLimit();
        event.scratchLimit(end);
        return InputEvent.scratchString(from, end - from);
    }

    private static int format(long value, boolean unsigned, byte[] target, int at) {
        int from = at;
        if (value < 0 && !unsigned) {
            target[from++] = '-';
        }
        long magnitude = value < 0 && !unsigned ? -value : value; // 2^63 is correct as an unsigned number
        int end = from;
        do {
            long quotient = Long.divideUnsigned(magnitude, 10);
            target[end++] = (byte) ('0' + (magnitude - quotient * 10));
            magnitude = quotient;
        } while (magnitude != 0);
        for (int left = from, right = end - 1; left < right; left++, right--) {
            byte swapped = target[left];
            target[left] = target[right];
            target[right] = swapped;
        }
        return end;
    }
}
