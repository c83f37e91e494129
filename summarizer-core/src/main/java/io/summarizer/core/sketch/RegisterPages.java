package io.summarizer.core.sketch;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.FrozenTables;

/**
 * Pages of registers, in freezable chunks that hold nothing else. A page's number determines its place ({@link
 * SetLayout#pageChunk}, {@link SetLayout#pageOffset}), so an addition to a set with registers needs no table. Pages are
 * not freed one by one, because a set never leaves its registers; a {@link Region} is released as a whole.
 *
 * <p>Written by one owner thread. Any thread may read the notes of {@link #freeze} after a safe hand-over.
 */
final class RegisterPages {
    private final SetLayout layout;
    private final ChunkedBytes chunks;

    /** Pages that are released together. */
    static final class Region {
        private final ChunkedBytes.Region chunks;
        /** The page that is used next; the first page of a chunk stands for a chunk not appended yet. */
        private int next;

        /** A region without pages; {@code account} is charged for its bytes. */
        Region(ByteAccount account) {
            chunks = new ChunkedBytes.Region(account);
        }

        /** Bytes on the heap, without copies that only views hold. */
        long bytesUsed() {
            return chunks.allocatedBytes();
        }
    }

    /** No pages. */
    RegisterPages(SetLayout layout) {
        this.layout = layout;
        chunks = new ChunkedBytes(layout.pageChunkBytes, ByteAccount.unbounded());
    }

    /**
     * Makes a page with all registers 0.
     *
     * @throws IllegalStateException when all page numbers that a handle can hold are in use
     */
    int allocate(Region region) {
        int page = region.next;
        if (layout.isFirstPage(page)) {
            if (chunks.isFull(layout.pageChunk(1 << SetLayout.SLOT_BITS))) {
                throw new IllegalStateException("pages=" + (1 << SetLayout.SLOT_BITS) + " of registers in use");
            }
            page = layout.firstPage(chunks.append(region.chunks));
        }
        region.next = page + 1;
        return page;
    }

    /** Releases all pages of a region, which must not be used any more. */
    void release(Region region) {
        chunks.release(region.chunks);
    }

    /** The chunk of a page, read-only. */
    byte[] readable(int page) {
        return chunks.readable(layout.pageChunk(page));
    }

    /** The chunk of a page, for writing. */
    byte[] writable(int page) {
        return chunks.writable(layout.pageChunk(page));
    }

    /** Freezes the chunks of all pages, as {@link ChunkedBytes#freeze(FrozenTables, boolean)}. */
    int freeze(FrozenTables into, boolean finished) {
        return chunks.freeze(into, finished);
    }
}
