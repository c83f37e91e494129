package io.summarizer.dsl.runtime;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.decode.InputEvent;
import java.util.Arrays;

/**
 * Computes one hash of several values, over a sequence of bytes. In this sequence, each value comes after its type; a
 * string comes after its type and its length. So {@code ("ab", "c")} and {@code ("a", "bc")} have different sequences.
 * Each place in a program has an object of its own.
 */
public final class HashSequence {
    /** Type of an integer of any declared type, except for {@link #BIG_INTEGER}. */
    private static final byte INTEGER = 1;
    /** Type of an unsigned integer of 2^63 or more. */
    private static final byte BIG_INTEGER = 2;

    private static final byte DOUBLE = 3;
    private static final byte BOOL = 4;
    private static final byte TIME = 5;
    private static final byte STRING = 6;

    private byte[] buffer = new byte[128];
    private int limit;

    /** Starts a new sequence. */
    public void reset() {
        limit = 0;
    }

    /** Adds a signed integer or duration. */
    public void addInt(long value) {
        put(INTEGER, value);
    }

    /** Adds an unsigned integer. */
    public void addUint(long value) {
        put(value < 0 ? BIG_INTEGER : INTEGER, value);
    }

    /** Adds a double. */
    public void addDouble(double value) {
        put(DOUBLE, Hashes.bits(value));
    }

    /** Adds a bool, 0 or 1. */
    public void addBool(long value) {
        put(BOOL, value);
    }

    /** Adds a time. */
    public void addTimestamp(long micros) {
        put(TIME, micros);
    }

    /** Adds a string of {@code event}. */
    public void addString(InputEvent event, long string) {
        int length = InputEvent.stringLength(string);
        put(STRING, length);
        ensure(length);
        System.arraycopy(event.stringBytes(string), InputEvent.stringOffset(string), buffer, limit, length);
        limit += length;
    }

    /** The hash of the added values. */
    public long hash() {
        return Hashes.hash(buffer, 0, limit);
    }

    private void put(byte tag, long value) {
        ensure(9);
        buffer[limit] = tag;
        Bytes.putLong(buffer, limit + 1, value);
        limit += 9;
    }

    private void ensure(int more) {
        if (limit + more > buffer.length) {
            buffer = Arrays.copyOf(buffer, Math.max(limit + more, buffer.length * 2));
        }
    }
}
