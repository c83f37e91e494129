package io.summarizer.core.sketch;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.snapshot.ChunkedBytes;

/**
 * The encoding of the sets of one arena: handles, the capacities of lists of tokens, and the places of registers.
 * Depends on log2m and regwidth only. Immutable; shared by an arena and its views.
 *
 * <p>A handle has one of four kinds, which its low six bits show:
 * <pre>
 *   0                      the empty set
 *   1 to 39                the one {@link Token} that the set consists of: such a set needs no other memory
 *   40 to 39+lists         a list of tokens; bits 31..6 are its slot in size class {@code kind - 40}
 *   {@link #FULL}                     registers; bits 31..6 are their slot
 * </pre>
 *
 * <p>A list is sorted by hash bits, without duplicates, and begins at the start of its slot. While a slot is not full,
 * its last int is a mark. Bits 31..6 of a mark are the number of tokens, and its low six bits are zero. The low six
 * bits of a token are never zero, so a token is not taken for a mark.
 *
 * <p>The registers of a full set lie in a page of {@link RegisterPages}. The slot in the set's handle is the number of
 * this page. From log2m 14 on, the registers would not fit into a chunk, so they lie in several pages of 2^13
 * registers. The slot in the handle is then the number of a slot in a size class of lists, and this slot holds the
 * numbers of the pages.
 */
final class SetLayout {
    /** The handle of the empty set. */
    static final int EMPTY = 0;
    /** Bits of a handle that hold its kind. */
    static final int KIND_BITS = Token.COUNT_BITS;
    /** The kind of a handle. */
    static final int KIND_MASK = (1 << KIND_BITS) - 1;
    /** The kind of lists in size class 0. */
    static final int FIRST_LIST = Token.COUNT_MAX + 1;
    /** The kind of sets that have registers. */
    static final int FULL = KIND_MASK;
    /** Bits of a slot number. */
    static final int SLOT_BITS = Integer.SIZE - KIND_BITS;

    /**
     * Number of tokens that fit into a list, for each size class. The classes that take most of the memory grow by
     * about a quarter from one class to the next. There is no class for three tokens, because each class costs memory:
     * sets that grow at the same time leave free slots in each class that they pass.
     */
    private static final int[] CAPACITIES = {
        2, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256, 320
    };

    private static final int LOG2_PAGE = 13;
    private static final int LOG2M_MIN = 4;
    private static final int LOG2M_MAX = 17;
    private static final int REGWIDTH_MAX = 5;

    /**
     * Number of bytes after the last register of a chunk. They are needed because a register is read together with the
     * byte after it, even the last register.
     */
    private static final int PADDING = 1;

    private static final SetLayout[][] ALL = all();

    final int log2m;
    final int regwidth;
    /** The largest value of a register; also the mask of a register's bits. */
    final int valueMax;
    /** The mask of the bits of a hash that choose the register. */
    final int registerMask;
    /**
     * Number of size classes of lists; a set that outgrows the last class gets registers. The number is 0 when
     * registers take less memory than the smallest list.
     */
    final int lists;
    /** Whether the registers of a set are in several pages. */
    final boolean paged;
    /** Pages of a full set. */
    final int pages;
    /** Bytes of the registers in a page. If a full set has one page, these are the bytes of all its registers. */
    final int pageBytes;
    /** The mask of a register's index within its page. */
    final int pageMask;
    /** Bytes of a chunk of pages; a few less than in other chunks. */
    final int pageChunkBytes;
    /** log2 of the pages of a chunk. */
    private final int chunkPagesShift;
    /** The mask of a page's index within its chunk. */
    private final int chunkPagesMask;
    /** The size class of the slots that hold page numbers. Such slots are used only if a full set has several pages. */
    final int directoryClass;

    private SetLayout(int log2m, int regwidth) {
        this.log2m = log2m;
        this.regwidth = regwidth;
        valueMax = (1 << regwidth) - 1;
        registerMask = (1 << log2m) - 1;
        int log2Page = Math.min(log2m, LOG2_PAGE);
        pages = 1 << (log2m - log2Page);
        paged = pages > 1;
        pageMask = (1 << log2Page) - 1;
        pageBytes = Registers.bytes(1 << log2Page, regwidth);
        chunkPagesShift = 31 - Integer.numberOfLeadingZeros((ChunkedBytes.CHUNK_BYTES - PADDING) / pageBytes);
        chunkPagesMask = (1 << chunkPagesShift) - 1;
        pageChunkBytes = (pageBytes << chunkPagesShift) + PADDING;
        long bytes = (long) pages * pageBytes;
        int lists = 0;
        while (lists < CAPACITIES.length && (long) CAPACITIES[lists] * Integer.BYTES <= bytes) {
            lists++;
        }
        this.lists = lists;
        directoryClass = directoryClass(pages);
    }

    /**
     * The layout with these parameters. All arenas with these parameters share the layout. Many small arenas therefore
     * take less space in the processor's caches.
     *
     * @param log2m 4 to 17
     * @param regwidth 1 to 5
     * @throws IllegalArgumentException when out of range
     */
    static SetLayout of(int log2m, int regwidth) {
        check(log2m, regwidth);
        return ALL[log2m - LOG2M_MIN][regwidth - 1];
    }

    private static SetLayout[][] all() {
        SetLayout[][] all = new SetLayout[LOG2M_MAX - LOG2M_MIN + 1][REGWIDTH_MAX];
        for (int log2m = LOG2M_MIN; log2m <= LOG2M_MAX; log2m++) {
            for (int regwidth = 1; regwidth <= REGWIDTH_MAX; regwidth++) {
                all[log2m - LOG2M_MIN][regwidth - 1] = new SetLayout(log2m, regwidth);
            }
        }
        return all;
    }

    /** The number of the chunk that holds a page of {@link RegisterPages}. */
    int pageChunk(int page) {
        return page >>> chunkPagesShift;
    }

    /** The first page of a chunk. */
    int firstPage(int chunk) {
        return chunk << chunkPagesShift;
    }

    /** Whether a page is the first one of its chunk. */
    boolean isFirstPage(int page) {
        return (page & chunkPagesMask) == 0;
    }

    /** Start of a page in its chunk. */
    int pageOffset(int page) {
        return (page & chunkPagesMask) * pageBytes;
    }

    /** Refuses parameters out of range. */
    static void check(int log2m, int regwidth) {
        if (log2m < LOG2M_MIN || log2m > LOG2M_MAX) {
            throw new IllegalArgumentException("log2m=" + log2m + " is not 4 to 17");
        }
        if (regwidth < 1 || regwidth > REGWIDTH_MAX) {
            throw new IllegalArgumentException("regwidth=" + regwidth + " is not 1 to 5");
        }
    }

    private static int directoryClass(int pages) {
        int sizeClass = 0;
        while (CAPACITIES[sizeClass] < pages) {
            sizeClass++;
        }
        return sizeClass;
    }

    /** Sizes in bytes of all size classes. */
    static int[] slotBytes() {
        int[] bytes = new int[CAPACITIES.length];
        for (int i = 0; i < CAPACITIES.length; i++) {
            bytes[i] = CAPACITIES[i] * Integer.BYTES;
        }
        return bytes;
    }

    /** Number of tokens that fit into a list of size class {@code sizeClass}. */
    static int capacity(int sizeClass) {
        return CAPACITIES[sizeClass];
    }

    /** The page of register {@code register}. */
    static int page(int register) {
        return register >>> LOG2_PAGE;
    }

    /** The number of tokens in the list at {@code base}. */
    static int count(byte[] bytes, int base, int capacity) {
        int last = Bytes.getInt(bytes, base + (capacity - 1) * Integer.BYTES);
        return (last & KIND_MASK) == 0 ? last >>> KIND_BITS : capacity;
    }

    /** The mark at the end of the slot of a list with {@code count} tokens. */
    static int mark(int count) {
        return count << KIND_BITS;
    }

    /** The kind of a handle. */
    static int kind(int handle) {
        return handle & KIND_MASK;
    }

    /** The slot of a handle. */
    static int slot(int handle) {
        return handle >>> KIND_BITS;
    }

    /** The handle of a list. */
    static int listHandle(int sizeClass, int slot) {
        return (slot << KIND_BITS) | (FIRST_LIST + sizeClass);
    }

    /** The handle of a set with registers. */
    static int fullHandle(int slot) {
        return (slot << KIND_BITS) | FULL;
    }
}
