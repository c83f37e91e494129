package io.summarizer.core.snapshot;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Chunks that are no longer part of the current state, each with the epoch of its birth. The list consists of blocks.
 * Therefore, an addition never copies the list, and two lists can be joined in constant time. Not thread-safe. Memory:
 * 10 bytes per chunk.
 */
final class ChunkList {
    /** The byte with which free chunks are overwritten when assertions are on. */
    static final byte POISON = (byte) 0xDB;

    private static final int BLOCK = 256;
    private static final byte[] EMPTY = {};

    private @Nullable Block first;
    private @Nullable Block last;
    private int size;
    private long bytes;
    /** Number of chunks whose size is not {@link ChunkedBytes#CHUNK_BYTES}. */
    private int odd;

    private static final class Block {
        final byte[][] chunks = new byte[BLOCK][];
        final int[] births = new int[BLOCK];
        int count;

        @Nullable
        Block next;
    }

    int size() {
        return size;
    }

    /** Bytes of all chunks. */
    long bytes() {
        return bytes;
    }

    /** Whether all chunks have {@link ChunkedBytes#CHUNK_BYTES}. */
    boolean isUniform() {
        return odd == 0;
    }

    void add(byte[] chunk, int birth) {
        Block block = last;
        if (block == null || block.count == BLOCK) {
            Block fresh = new Block();
            if (block == null) {
                first = fresh;
            } else {
                block.next = fresh;
            }
            last = fresh;
            block = fresh;
        }
        block.chunks[block.count] = chunk;
        block.births[block.count++] = birth;
        size++;
        bytes += chunk.length;
        odd += isOdd(chunk);
    }

    private static int isOdd(byte[] chunk) {
        return chunk.length == ChunkedBytes.CHUNK_BYTES ? 0 : 1;
    }

    /** Removes and returns a chunk from the front; null when the list is empty. */
    byte @Nullable [] poll() {
        Block block = first;
        while (block != null && block.count == 0) {
            block = block.next;
            first = block;
        }
        if (block == null) {
            last = null;
            return null;
        }
        byte[] chunk = block.chunks[--block.count];
        block.chunks[block.count] = EMPTY; // the block must not keep removed chunks
        size--;
        bytes -= chunk.length;
        odd -= isOdd(chunk);
        return chunk;
    }

    /** Moves all chunks of {@code other} to this list, in constant time. */
    void takeAll(ChunkList other) {
        Block theirs = other.first;
        if (theirs == null) {
            return;
        }
        // Put the other list in front, because this list's last block, which may be partly full, has to stay the last.
        Block theirLast = other.last;
        assert theirLast != null;
        theirLast.next = first;
        first = theirs;
        if (last == null) {
            last = theirLast;
        }
        size += other.size;
        bytes += other.bytes;
        odd += other.odd;
        other.clear();
    }

    /** Moves the chunks born before {@code birth} to one list, and all other chunks to another list. */
    void split(int birth, ChunkList before, ChunkList rest) {
        for (Block block = first; block != null; block = block.next) {
            for (int i = 0; i < block.count; i++) {
                (block.births[i] < birth ? before : rest).add(block.chunks[i], block.births[i]);
            }
        }
        clear();
    }

    void clear() {
        first = null;
        last = null;
        size = 0;
        bytes = 0;
        odd = 0;
    }

    /** Overwrites all chunks; returns true, so that it can be called in an assertion. */
    boolean poison() {
        for (Block block = first; block != null; block = block.next) {
            for (int i = 0; i < block.count; i++) {
                Arrays.fill(block.chunks[i], POISON);
            }
        }
        return true;
    }
}
