package io.summarizer.core.dedup;

import io.summarizer.core.bytes.Bytes;

/**
 * Hashes the id of an event, together with the key of a row that the event updates, to 128 bits. The function is
 * SipHash-1-3 in its variant with a 128-bit result (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012).
 * It has one round per word and three rounds at the end, like the hash of Rust's hash maps. The input is 64-bit words:
 * for an id, its type and then its value; for a text, its length and then its bytes.
 *
 * <p>The hasher keeps the state after the id. An event's id is hashed once, and the hash of each row continues from
 * that state. Belongs to one thread, and allocates nothing. Cost: one round per word, and seven rounds at the end of
 * each row ({@code CountOnceBenchmark}).
 */
public final class IdHash {
    /** Type of an id. All integers have the same type, whatever type is declared. */
    private static final long INTEGER = 1;

    private static final long BIG_INTEGER = 2;
    private static final long DOUBLE = 3;
    private static final long TIME = 4;
    private static final long TEXT = 5;

    private IdKey key;

    private long v0;
    private long v1;
    private long v2;
    private long v3;
    private int words;

    /** The state after the id. */
    private long id0;

    private long id1;
    private long id2;
    private long id3;
    private int idWords;

    private long high;
    private long low;

    /** A hash under {@code key}. */
    public IdHash(IdKey key) {
        this.key = key;
    }

    /** Sets the secret key of the hash, from the next id on. */
    public void key(IdKey key) {
        this.key = key;
    }

    /** Begins with an id that is a signed integer. */
    public void ofInt(long value) {
        of(INTEGER, value);
    }

    /** Begins with an id that is an unsigned integer. */
    public void ofUint(long value) {
        of(value < 0 ? BIG_INTEGER : INTEGER, value);
    }

    /** Begins with an id that is a double. 0 and -0 have the same hash. */
    public void ofDouble(double value) {
        of(DOUBLE, Double.doubleToLongBits(value + 0.0));
    }

    /** Begins with an id that is a time. */
    public void ofTimestamp(long micros) {
        of(TIME, micros);
    }

    /** Begins with an id that is a text. */
    public void ofText(byte[] bytes, int offset, int length) {
        start();
        add(TEXT);
        addText(bytes, offset, length);
        keep();
    }

    private void of(long type, long value) {
        start();
        add(type);
        add(value);
        keep();
    }

    private void start() {
        v0 = key.first() ^ 0x736f6d6570736575L;
        v1 = key.second() ^ 0x646f72616e646f6dL ^ 0xee;
        v2 = key.first() ^ 0x6c7967656e657261L;
        v3 = key.second() ^ 0x7465646279746573L;
        words = 0;
    }

    private void keep() {
        id0 = v0;
        id1 = v1;
        id2 = v2;
        id3 = v3;
        idWords = words;
    }

    /** Begins a row of the last id: continues from the state after this id. */
    public void beginRow() {
        v0 = id0;
        v1 = id1;
        v2 = id2;
        v3 = id3;
        words = idWords;
    }

    /** Adds a word of the row's key. */
    public void add(long word) {
        v3 ^= word;
        round();
        v0 ^= word;
        words++;
    }

    /** Adds a text: its length, then its bytes in words. The last word is filled up with zeros. */
    public void addText(byte[] bytes, int offset, int length) {
        add(length);
        int at = offset;
        int end = offset + length;
        for (; at + 8 <= end; at += 8) {
            add(Bytes.getLong(bytes, at));
        }
        if (at < end) {
            long rest = 0;
            for (int shift = 0; at < end; shift += 8) {
                rest |= (bytes[at++] & 0xffL) << shift;
            }
            add(rest);
        }
    }

    /** Ends the row, and completes its hash. */
    public void endRow() {
        add((long) words << 59); // number of bytes so far, modulo 256, in the uppermost byte
        v2 ^= 0xee;
        round();
        round();
        round();
        high = v0 ^ v1 ^ v2 ^ v3;
        v1 ^= 0xdd;
        round();
        round();
        round();
        low = v0 ^ v1 ^ v2 ^ v3;
    }

    /** The first 64 bits of the hash. */
    public long high() {
        return high;
    }

    /** The other 64 bits of the hash. */
    public long low() {
        return low;
    }

    private void round() {
        long a = v0;
        long b = v1;
        long c = v2;
        long d = v3;
        a += b;
        c += d;
        b = Long.rotateLeft(b, 13) ^ a;
        d = Long.rotateLeft(d, 16) ^ c;
        a = Long.rotateLeft(a, 32);
        c += b;
        a += d;
        b = Long.rotateLeft(b, 17) ^ c;
        d = Long.rotateLeft(d, 21) ^ a;
        c = Long.rotateLeft(c, 32);
        v0 = a;
        v1 = b;
        v2 = c;
        v3 = d;
    }
}
