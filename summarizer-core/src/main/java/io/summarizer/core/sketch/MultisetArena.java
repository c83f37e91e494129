package io.summarizer.core.sketch;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.FrozenTables;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * All {@code multiset64} values of one column in one partition. A value is a set of 64-bit hashes, and estimates the
 * number of distinct hashes by HyperLogLog. There is no object per set; a row refers to a set by an int, the handle.
 *
 * <p>A set grows through four states: empty (handle 0); one value, in the handle itself; a sorted list of 32-bit
 * tokens; and registers. A list is exact, except for hashes that are equal in 26 bits. A list has at most 320 tokens;
 * the maximum is lower when registers take less memory than 320 tokens. A set in registers has 2^log2m registers of
 * regwidth bits; the relative standard error of its estimate is about 1.04 / sqrt(2^log2m). A list keeps all
 * information that registers use. Therefore, the state of a set depends only on the hashes, not on their order or
 * repetition.
 *
 * <p>Memory of a set with log2m=11 and regwidth=5, handle included: 4 bytes for one value; 4 + 4n bytes, plus at most
 * half of that, for n values in a list; 1,284 bytes with registers. {@code MultisetArenaBenchmark} measures costs.
 *
 * <p>Only the owner thread writes. A {@link View} is immutable, and any thread may read it after a safe hand-over.
 *
 * <p>This class has more than 500 lines, because each operation handles all four states, and an addition may move a set
 * from one state to the next.
 */
public final class MultisetArena {
    /** Stands for a place when there is nothing to prefetch. */
    public static final long NO_PLACE = Slabs.NO_EXTENT;

    /**
     * Number of notes that {@link #freeze(FrozenTables, boolean)} makes: for the chunks of slabs, for their tables, and
     * for the chunks of pages.
     */
    public static final int NOTES = 3;

    private static final Slabs.Shape SLABS = new Slabs.Shape(SetLayout.slotBytes());

    private final SetLayout layout;
    private final Slabs slabs;
    private final RegisterPages pages;
    private final Parameters parameters;
    private final Regions regions;
    /** Position of this arena in {@link Regions}. */
    private final int position;
    /** A buffer for the registers of a set that is added to another set; empty before its first use. */
    private byte[] otherRegisters = {};

    /**
     * An arena without sets.
     *
     * @param log2m log2 of the number of registers of a full set, 4 to 17
     * @param regwidth bits of a register, 1 to 5
     * @throws IllegalArgumentException when out of range
     */
    public MultisetArena(int log2m, int regwidth) {
        this(log2m, regwidth, ByteAccount.unbounded());
    }

    /**
     * An arena without sets, as {@link #MultisetArena(int, int)} makes it.
     *
     * @param account counts the bytes of sets, and is asked before a set grows
     */
    public MultisetArena(int log2m, int regwidth, ByteAccount account) {
        this(log2m, regwidth, ofWhole(new Region(account)), 0);
    }

    /**
     * An arena without sets, as {@link #MultisetArena(int, int)} makes it, which has several regions.
     *
     * @param regions the present regions of arenas that are used together
     * @param position position of this arena in {@code regions}
     */
    public MultisetArena(int log2m, int regwidth, Regions regions, int position) {
        layout = SetLayout.of(log2m, regwidth);
        slabs = new Slabs(SLABS);
        pages = new RegisterPages(layout);
        parameters = new Parameters(layout, SLABS);
        this.regions = regions;
        this.position = position;
    }

    /**
     * Sets of an arena that are released together. A set belongs to the region that was present when its first hash was
     * added, and this region has to be present in each later call that changes the set.
     */
    public static final class Region {
        private final ByteAccount account;
        private final Slabs.Region slabs;
        private final RegisterPages.Region pages;

        private Region(ByteAccount account) {
            this.account = account;
            slabs = new Slabs.Region(SLABS, account);
            pages = new RegisterPages.Region(account);
        }

        /** Bytes of the sets on the heap. Includes free slots, but not handles. */
        public long bytesUsed() {
            return slabs.bytesUsed() + pages.bytesUsed();
        }
    }

    /** The present regions of arenas that are used together. */
    @FunctionalInterface
    public interface Regions {
        /** The present region of the arena with this position. Called only when a set grows. */
        Region present(int position);
    }

    /**
     * A region without sets.
     *
     * @param account counts the bytes of sets, and is asked before a set grows
     */
    public Region newRegion(ByteAccount account) {
        return new Region(account);
    }

    /**
     * Releases all sets of a region. Views still have them. The region must not be used any more; its account keeps the
     * bytes until {@link ByteAccount#release}.
     */
    public void release(Region region) {
        slabs.release(region.slabs);
        pages.release(region.pages);
    }

    private static Regions ofWhole(Region region) {
        return position -> region;
    }

    private Region region() {
        return regions.present(position);
    }

    /**
     * The largest estimate of a set: the estimate when all registers are at their largest value.
     *
     * @throws IllegalArgumentException when out of range
     */
    public static long largestEstimate(int log2m, int regwidth) {
        int[] histogram = new int[SetLayout.of(log2m, regwidth).valueMax + 1];
        histogram[histogram.length - 1] = 1 << log2m;
        return Estimator.estimate(histogram);
    }

    /** log2 of the number of registers of a full set. */
    public int log2m() {
        return layout.log2m;
    }

    /** Bits of a register. */
    public int regwidth() {
        return layout.regwidth;
    }

    /**
     * Adds one hash to a set.
     *
     * @param handle the set; 0 is the empty set
     * @return the set's handle from now on, in place of {@code handle}. If the set has to grow but the account refuses
     *     the bytes, the result is {@code handle}, the hash is not added, and the account {@linkplain
     *     ByteAccount#refusals counts} a refusal
     * @throws IllegalStateException when 2^26 sets of the same size class are in use, or when all sets together use 8
     *     GiB
     */
    public int add(int handle, long hash) {
        int kind = SetLayout.kind(handle);
        if (kind == SetLayout.FULL) {
            raise(SetLayout.slot(handle), hash);
            return handle;
        }
        int token = Token.of(hash);
        if (kind >= SetLayout.FIRST_LIST) {
            return addToList(handle, kind - SetLayout.FIRST_LIST, token);
        }
        if (handle == SetLayout.EMPTY || Token.hashBits(handle) == Token.hashBits(token)) {
            // If the hash bits are equal, the token with the larger zero count remains. The empty set has the count 0.
            return Token.larger(handle, token);
        }
        return pair(handle, token);
    }

    /**
     * Adds a hash as {@link #add} does, for a caller that has only the token of the hash, from {@link
     * View#forEachToken}.
     */
    public int addToken(int handle, int token) {
        assert isToken(token);
        return add(handle, Token.hash(token));
    }

    /** Whether a hash exists whose token is this int. */
    public static boolean isToken(int token) {
        int count = token & Token.COUNT_MASK;
        return count >= Token.COUNT_ALL_ZERO && count <= Token.COUNT_MAX;
    }

    /**
     * The place of the memory that {@link #add} will need for this set, as an argument for {@link #prefetch}. For a set
     * without a list, the result is the place of the first slot of the smallest lists. The method does not branch on
     * the handle, because successive sets are in different states, and the branch would often be mispredicted.
     *
     * @return the place; {@link #NO_PLACE} when the size class has no slots
     */
    public long placeOf(int handle) {
        int list = SetLayout.kind(handle) - SetLayout.FIRST_LIST;
        int isList = ~((list | (layout.lists - 1 - list)) >> 31);
        return slabs.extent(list & isList, SetLayout.slot(handle) & isList, isList);
    }

    /**
     * Prefetches the memory that {@link #add} will need for a set, without other effect. Callers find the places of
     * dozens of sets, prefetch all these places, and only then add the first hash, so that the cache misses overlap.
     * For a full set, prefetches neither the registers nor the page numbers, because their places depend on the hash.
     *
     * @param place the result of {@link #placeOf}; not {@link #NO_PLACE}
     * @return a meaningless value; use it, so that the reads are not optimized away
     */
    public int prefetch(long place) {
        return slabs.prefetch(place);
    }

    /**
     * Adds all values of another set to a set. The result is the same as if the hashes of both sets had been added to
     * one set. The other set comes from another arena, or from an earlier view of this arena. If the other set has
     * tokens, the cost is an {@link #add} for each token. If the other set has registers, the cost is a pass over the
     * registers; for this pass, the arena keeps an array of 2^log2m bytes.
     *
     * @param handle the set; 0 is the empty set
     * @param other the view of the other set; its arena has the same log2m and regwidth
     * @param otherHandle the other set, which does not change
     * @return the set's handle from now on, in place of {@code handle}
     * @throws IllegalArgumentException when log2m or regwidth differ
     * @throws IllegalStateException in the same cases as {@link #add}
     */
    public int union(int handle, View other, int otherHandle) {
        if (other.log2m() != log2m() || other.regwidth() != regwidth()) {
            throw new IllegalArgumentException("no union of log2m=" + log2m() + " regwidth=" + regwidth()
                    + " and log2m=" + other.log2m() + " regwidth=" + other.regwidth());
        }
        if (other.isFull(otherHandle)) {
            if (otherRegisters.length == 0) {
                otherRegisters = new byte[1 << log2m()];
            }
            other.registers(otherHandle, otherRegisters);
            return union(handle, otherRegisters);
        }
        int united = handle;
        int count = other.tokens(otherHandle);
        for (int i = 0; i < count; i++) {
            united = add(united, Token.hash(other.token(otherHandle, i)));
        }
        return united;
    }

    /**
     * Raises each register of a set to its value in {@code registers}, if this value is larger. The set has registers
     * from now on.
     *
     * @param handle the set; 0 is the empty set
     * @param registers the value of each of the 2^log2m registers, 0 to 2^regwidth - 1
     * @return the set's handle from now on, in place of {@code handle}
     * @throws IllegalStateException in the same cases as {@link #add}
     */
    public int union(int handle, byte[] registers) {
        assert registers.length == 1 << log2m();
        int united = toRegisters(handle);
        for (int i = 0; i < layout.pages; i++) {
            int page = page(SetLayout.slot(united), i);
            Registers.raise(
                    pages.writable(page),
                    layout.pageOffset(page),
                    layout.pageBytes,
                    layout.regwidth,
                    registers,
                    i * (layout.pageMask + 1));
        }
        return united;
    }

    /** Converts a set to registers; returns its new handle. */
    private int toRegisters(int handle) {
        int kind = SetLayout.kind(handle);
        if (kind == SetLayout.FULL) {
            return handle;
        }
        if (kind >= SetLayout.FIRST_LIST) {
            int sizeClass = kind - SetLayout.FIRST_LIST;
            int place = slabs.place(sizeClass, SetLayout.slot(handle));
            int capacity = SetLayout.capacity(sizeClass);
            return toRegisters(
                    handle, sizeClass, SetLayout.count(slabs.readable(place), Slabs.offset(place), capacity));
        }
        int full = allocateRegisters(region());
        if (handle != SetLayout.EMPTY) {
            raise(full, Token.hash(handle));
        }
        return SetLayout.fullHandle(full);
    }

    /** The number of a page: page {@code index} of the full set in this slot. */
    private int page(int slot, int index) {
        if (!layout.paged) {
            return slot;
        }
        int place = slabs.place(layout.directoryClass, slot);
        return Bytes.getInt(slabs.readable(place), Slabs.offset(place) + index * Integer.BYTES);
    }

    /**
     * Makes a set of two tokens and returns its handle. If the account refuses the bytes, returns {@code one}, which is
     * the handle of the set of the first token.
     */
    private int pair(int one, int other) {
        Region region = region();
        if (!hasRoom(region)) {
            return one;
        }
        if (layout.lists == 0) {
            int slot = allocateRegisters(region);
            raise(slot, Token.hash(one));
            raise(slot, Token.hash(other));
            return SetLayout.fullHandle(slot);
        }
        boolean inOrder = Token.hashBits(one) < Token.hashBits(other);
        int slot = slabs.allocate(region.slabs, 0);
        int place = slabs.place(0, slot);
        byte[] bytes = slabs.writable(place);
        int base = Slabs.offset(place);
        Bytes.putInt(bytes, base, inOrder ? one : other);
        Bytes.putInt(bytes, base + Integer.BYTES, inOrder ? other : one);
        return SetLayout.listHandle(0, slot);
    }

    /** Whether a set of a region may grow; counts a refusal if not. */
    private static boolean hasRoom(Region region) {
        boolean room = region.account.hasRoom();
        if (!room) {
            region.account.refuse();
        }
        return room;
    }

    private int addToList(int handle, int sizeClass, int token) {
        int place = slabs.place(sizeClass, SetLayout.slot(handle));
        byte[] bytes = slabs.readable(place);
        int base = Slabs.offset(place);
        int capacity = SetLayout.capacity(sizeClass);
        int count = SetLayout.count(bytes, base, capacity);
        int index = TokenList.find(bytes, base, count, token);
        int at = base + index * Integer.BYTES;
        if (index < count) {
            int present = Bytes.getInt(bytes, at);
            if (Token.hashBits(present) == Token.hashBits(token)) {
                if (Token.larger(present, token) != present) {
                    Bytes.putInt(slabs.writable(place), at, token);
                }
                return handle;
            }
        }
        if (count == capacity) {
            if (!hasRoom(region())) {
                return handle;
            }
            if (sizeClass + 1 < layout.lists) {
                return growList(handle, sizeClass, index, token);
            }
            int full = toRegisters(handle, sizeClass, count);
            raise(SetLayout.slot(full), Token.hash(token));
            return full;
        }
        TokenList.insert(slabs.writable(place), base, capacity, count, index, token);
        return handle;
    }

    /** Moves a list whose slot is full to the next size class, and inserts {@code token} before {@code index}. */
    private int growList(int handle, int sizeClass, int index, int token) {
        int slot = SetLayout.slot(handle);
        int count = SetLayout.capacity(sizeClass);
        Slabs.Region region = region().slabs;
        int larger = slabs.allocate(region, sizeClass + 1);
        int target = slabs.place(sizeClass + 1, larger);
        byte[] into = slabs.writable(target);
        // Read the source only now: it may be in the chunk of the target, and this chunk may just have been copied.
        int source = slabs.place(sizeClass, slot);
        byte[] from = slabs.readable(source);
        int base = Slabs.offset(target);
        System.arraycopy(from, Slabs.offset(source), into, base, count * Integer.BYTES);
        TokenList.insert(into, base, SetLayout.capacity(sizeClass + 1), count, index, token);
        slabs.free(region, sizeClass, slot);
        return SetLayout.listHandle(sizeClass + 1, larger);
    }

    /** Turns the {@code count} tokens of a list into registers. */
    private int toRegisters(int handle, int sizeClass, int count) {
        Region region = region();
        int full = allocateRegisters(region);
        int slot = SetLayout.slot(handle);
        int place = slabs.place(sizeClass, slot);
        int base = Slabs.offset(place);
        for (int i = 0; i < count; i++) {
            raise(full, Token.hash(Bytes.getInt(slabs.readable(place), base + i * Integer.BYTES)));
        }
        slabs.free(region.slabs, sizeClass, slot);
        return SetLayout.fullHandle(full);
    }

    /** Makes a full set, whose registers are all 0; returns its slot. */
    private int allocateRegisters(Region region) {
        if (!layout.paged) {
            return pages.allocate(region.pages);
        }
        int directory = slabs.allocate(region.slabs, layout.directoryClass);
        for (int i = 0; i < layout.pages; i++) {
            int place = slabs.place(layout.directoryClass, directory);
            Bytes.putInt(slabs.writable(place), Slabs.offset(place) + i * Integer.BYTES, pages.allocate(region.pages));
        }
        return directory;
    }

    /**
     * Raises a register to the value of {@code hash}, if this value is larger. Bits of {@code hash} choose the
     * register.
     */
    private void raise(int slot, long hash) {
        SetLayout layout = this.layout;
        RegisterPages pages = this.pages;
        int register = (int) hash & layout.registerMask;
        int page = slot;
        int index = register;
        if (layout.paged) {
            page = page(slot, SetLayout.page(register));
            index &= layout.pageMask;
        }
        int base = layout.pageOffset(page);
        int value = Registers.value(hash, layout.log2m, layout.valueMax);
        if (value > Registers.get(pages.readable(page), base, layout.regwidth, layout.valueMax, index)) {
            set(page, base, index, value, hash);
        }
    }

    /**
     * Writes the value of a hash to a register, if the hash has a value. The caller has checked that the value is
     * larger than the register's present value. This method is separate from {@link #raise}, so that {@link #raise} is
     * small enough to be inlined. When a set has many values, few additions call this method ({@code
     * MultisetArenaBenchmark.addToFull}).
     */
    private void set(int page, int base, int index, int value, long hash) {
        if (Registers.hasValue(hash, layout.log2m)) {
            Registers.set(pages.writable(page), base, layout.regwidth, index, value);
        }
    }

    /** Bytes of the sets of the present region, as {@link Region#bytesUsed}. */
    public long bytesUsed() {
        return region().bytesUsed();
    }

    /** A view of all sets as they are now; valid as long as a reference to the view exists. */
    public View freeze() {
        FrozenTables tables = new FrozenTables(CutLease.unmanaged(), NOTES);
        return new View(parameters, tables, freeze(tables, false));
    }

    /**
     * Adds notes of all sets to {@code into}, as {@link ChunkedBytes#freeze(FrozenTables, boolean)}. Returns the number
     * of the first note; a {@link View} can be made from this number.
     */
    public int freeze(FrozenTables into, boolean finished) {
        int first = slabs.freeze(into, finished);
        pages.freeze(into, finished);
        return first;
    }

    /**
     * The data of this arena that its views need. A view has no reference to the arena itself, because such a reference
     * would keep the arena's chunks in memory after the end of the lease.
     */
    public Parameters parameters() {
        return parameters;
    }

    /** The layout of an arena's sets in its notes. Immutable. */
    public record Parameters(SetLayout layout, Slabs.Shape shape) {}

    /**
     * An immutable view of the sets of an arena. Its methods take handles that were valid when the view was made. Each
     * method throws {@code CutRevokedException} when the lease has ended. If a method returns normally, its result and
     * the bytes that it wrote are correct.
     */
    public static final class View {
        private final SetLayout layout;
        private final Slabs.Shape slabShape;
        private final ChunkedBytes.Frozen slabChunks;
        private final int[][] slabTables;
        private final ChunkedBytes.Frozen pageChunks;

        /**
         * @param first the result of {@link MultisetArena#freeze(FrozenTables, boolean)}
         * @throws io.summarizer.core.snapshot.CutRevokedException when the lease has ended
         */
        public View(Parameters parameters, FrozenTables tables, int first) {
            layout = parameters.layout;
            slabShape = parameters.shape;
            slabChunks = tables.view(first);
            slabTables = (int[][]) tables.noted(first + 1);
            pageChunks = tables.view(first + 2);
        }

        /** log2 of the number of registers of a full set. */
        public int log2m() {
            return layout.log2m;
        }

        /** Bits of a register. */
        public int regwidth() {
            return layout.regwidth;
        }

        /** Whether a set has registers; otherwise it has tokens. */
        public boolean isFull(int handle) {
            return SetLayout.kind(handle) == SetLayout.FULL;
        }

        /**
         * The number of distinct hashes of a set, rounded to nearest. For a set with tokens, the result is the number
         * of tokens. Hashes that are equal in 26 bits make this number too low, by less than 0.001 on average. For a
         * set with registers, the result is Ertl's improved estimate. Cost: two reads for tokens, about a µs per 1,000
         * registers.
         */
        public long cardinality(int handle) {
            return isFull(handle) ? estimate(handle) : tokens(handle);
        }

        private long estimate(int handle) {
            int[] histogram = new int[1 << layout.regwidth];
            for (int i = 0; i < layout.pages; i++) {
                int page = page(handle, i);
                Registers.countInto(
                        histogram,
                        pageChunks.chunk(layout.pageChunk(page)),
                        layout.pageOffset(page),
                        layout.pageBytes,
                        layout.regwidth);
            }
            pageChunks.check();
            return Estimator.estimate(histogram);
        }

        /** Number of tokens of a set that is not full. */
        public int tokens(int handle) {
            int kind = SetLayout.kind(handle);
            assert kind != SetLayout.FULL : "set is in registers";
            if (kind < SetLayout.FIRST_LIST) {
                return handle == SetLayout.EMPTY ? 0 : 1;
            }
            int sizeClass = kind - SetLayout.FIRST_LIST;
            int place = slabShape.place(slabTables, sizeClass, SetLayout.slot(handle));
            int count = SetLayout.count(
                    slabChunks.chunk(Slabs.chunk(place)), Slabs.offset(place), SetLayout.capacity(sizeClass));
            slabChunks.check();
            return count;
        }

        /** Token {@code index} of a set that is not full, in the order of {@link #forEachToken}. */
        int token(int handle, int index) {
            int kind = SetLayout.kind(handle);
            if (kind < SetLayout.FIRST_LIST) {
                return handle;
            }
            int place = slabShape.place(slabTables, kind - SetLayout.FIRST_LIST, SetLayout.slot(handle));
            int token = Bytes.getInt(slabChunks.chunk(Slabs.chunk(place)), Slabs.offset(place) + index * Integer.BYTES);
            slabChunks.check();
            return token;
        }

        /**
         * Visits each token of a set that is not full, in unsigned order. Bits 31 to 6 of a token are the low 26 bits
         * of a hash. Bits 5 to 0 depend on the other 38 bits of the hash. If these 38 bits are all zero, bits 5 to 0
         * are 1. Otherwise, bits 5 to 0 are 2 plus the number of zeros below the lowest 1 of the 38 bits. Do not use
         * visited tokens before this method returns.
         */
        public void forEachToken(int handle, IntConsumer consumer) {
            int count = tokens(handle);
            int kind = SetLayout.kind(handle);
            if (kind < SetLayout.FIRST_LIST) {
                if (count != 0) {
                    consumer.accept(handle);
                }
                return;
            }
            int place = slabShape.place(slabTables, kind - SetLayout.FIRST_LIST, SetLayout.slot(handle));
            byte[] bytes = slabChunks.chunk(Slabs.chunk(place));
            int base = Slabs.offset(place);
            for (int i = 0; i < count; i++) {
                consumer.accept(Bytes.getInt(bytes, base + i * Integer.BYTES));
            }
            slabChunks.check();
        }

        /**
         * Writes the value of every register to {@code into}, one byte each. Converts tokens to registers.
         *
         * @param into at least 2^log2m bytes
         */
        public void registers(int handle, byte[] into) {
            if (!isFull(handle)) {
                Arrays.fill(into, 0, layout.registerMask + 1, (byte) 0);
                forEachToken(handle, token -> {
                    long hash = Token.hash(token);
                    int register = (int) hash & layout.registerMask;
                    if (Registers.hasValue(hash, layout.log2m)) {
                        int value = Registers.value(hash, layout.log2m, layout.valueMax);
                        into[register] = (byte) Math.max(into[register], value);
                    }
                });
                return;
            }
            for (int i = 0; i < layout.pages; i++) {
                int page = page(handle, i);
                Registers.unpack(
                        pageChunks.chunk(layout.pageChunk(page)),
                        layout.pageOffset(page),
                        layout.pageBytes,
                        layout.regwidth,
                        into,
                        i * (layout.pageMask + 1));
            }
            pageChunks.check();
        }

        /** The number of a page: page {@code index} of a set in registers. */
        private int page(int handle, int index) {
            int slot = SetLayout.slot(handle);
            if (!layout.paged) {
                return slot;
            }
            int place = slabShape.place(slabTables, layout.directoryClass, slot);
            int page = Bytes.getInt(slabChunks.chunk(Slabs.chunk(place)), Slabs.offset(place) + index * Integer.BYTES);
            slabChunks.check(); // before the handle is followed
            return page;
        }
    }
}
