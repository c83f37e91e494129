package io.summarizer.core.bytes;

import java.util.Arrays;

/**
 * Bytes in chunks of 16 KiB that can be frozen at any moment: {@link #freeze()} hands out the table of chunks and starts
 * a new epoch, and a chunk is copied before its first write in an epoch. So a frozen view costs a copy of the table, and
 * later at most one copy of each chunk that is written to.
 *
 * <p>Written by one owner thread. A {@link Frozen} view may be read by any thread it was safely handed to.
 */
public final class ChunkedBytes {
    /** Bytes of a chunk, unless asked for otherwise. */
    public static final int CHUNK_BYTES = 16 * 1024;

    private final int chunkBytes;
    private byte[][] chunks = new byte[4][];
    private int[] epochs = new int[4];
    private int count;
    private int epoch;

    /** No chunks yet; each will be of {@value #CHUNK_BYTES} bytes. */
    public ChunkedBytes() {
        this(CHUNK_BYTES);
    }

    /** No chunks yet; each will be of {@code chunkBytes} bytes. */
    public ChunkedBytes(int chunkBytes) {
        this.chunkBytes = chunkBytes;
    }

    /** Number of chunks. */
    public int count() {
        return count;
    }

    /** Bytes in all chunks; those that only a view still holds are not counted. */
    public long allocatedBytes() {
        return (long) count * chunkBytes;
    }

    /** Appends a zeroed chunk; returns its number. */
    public int append() {
        if (count == chunks.length) {
            chunks = Arrays.copyOf(chunks, count * 2);
            epochs = Arrays.copyOf(epochs, count * 2);
        }
        chunks[count] = new byte[chunkBytes];
        epochs[count] = epoch;
        return count++;
    }

    /** Chunk {@code chunk}, to be read only. */
    public byte[] readable(int chunk) {
        return chunks[chunk];
    }

    /** Chunk {@code chunk}, to be written: a copy if a view may still see the present one. */
    public byte[] writable(int chunk) {
        return epochs[chunk] == epoch ? chunks[chunk] : copy(chunk);
    }

    private byte[] copy(int chunk) {
        byte[] fresh = chunks[chunk].clone();
        chunks[chunk] = fresh;
        epochs[chunk] = epoch;
        return fresh;
    }

    /** A view of all bytes as they are now. */
    public Frozen freeze() {
        epoch++;
        return new Frozen(Arrays.copyOf(chunks, count));
    }

    /** An immutable view. */
    public static final class Frozen {
        private final byte[][] chunks;

        Frozen(byte[][] chunks) {
            this.chunks = chunks;
        }

        /** Number of chunks. */
        public int count() {
            return chunks.length;
        }

        /** Chunk {@code chunk}. Not to be written. */
        public byte[] chunk(int chunk) {
            return chunks[chunk];
        }
    }
}
