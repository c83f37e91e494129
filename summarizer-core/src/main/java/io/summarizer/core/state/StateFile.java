package io.summarizer.core.state;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.evolve.LayoutMatch;
import io.summarizer.core.evolve.RowBlock;
import io.summarizer.core.evolve.RowRefusedException;
import io.summarizer.core.evolve.SummaryLoader;
import io.summarizer.core.evolve.Table;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.RowSource;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A state file, open for reading. The length, the index and the layouts are checked when the file is opened, all other
 * bytes when they are read. Every changed byte is detected, because bytes are used only after their checksum was
 * verified.
 *
 * <p>Immutable. {@link #addTo} may be called more than once, but only by one thread at a time.
 *
 * <p>This class has more than 500 lines, because the checks of the header, the index and the blocks depend on each
 * other.
 */
public final class StateFile implements AutoCloseable {
    private final BlockFile file;
    private final int version;
    private final long cutId;
    private final long takenAtMicros;
    private final long bytes;
    private final List<SummaryLayout> layouts = new ArrayList<>();
    private final List<Long> updates = new ArrayList<>();
    private final List<Long> boundaries = new ArrayList<>();
    private final @Nullable FileWindow window;
    /** For each section, the number of its summary. */
    private final int[] summaries;

    private final BlockIndex blocks;

    private StateFile(String name, DiskFile file) throws IOException {
        this.file = new BlockFile(name, file);
        try (BlockFile.Source source = this.file.newSource()) {
            long size = file.size();
            bytes = size;
            if (size < StateFormat.HEADER_BYTES + StateFormat.TRAILER_BYTES) {
                throw new DamagedStateException(name + ": is not a state file, or the beginning of one");
            }
            version = version(name, this.file.read(0, StateFormat.HEADER_BYTES));
            byte[] trailer = this.file.read(size - StateFormat.TRAILER_BYTES, StateFormat.TRAILER_BYTES);
            long indexAt = Bytes.getLong(trailer, 0);
            long indexBytes = size - StateFormat.TRAILER_BYTES - indexAt;
            if (Bytes.getInt(trailer, 12) != StateFormat.TRAILER_MAGIC
                    || indexAt < StateFormat.HEADER_BYTES
                    || indexBytes < StateFormat.BLOCK_HEADER_BYTES
                    || indexBytes > BlockBuffer.BYTES_MAX) {
                throw new DamagedStateException(
                        name + ": was cut short or damaged at its end; take another copy of it");
            }
            byte[] header = this.file.read(indexAt, StateFormat.BLOCK_HEADER_BYTES);
            byte[] covered = Arrays.copyOf(trailer, 12);
            System.arraycopy(header, StateFormat.BLOCK_CHECKSUM, covered, 8, 4);
            if (StateFormat.checksum(covered, 0, 12) != Bytes.getInt(trailer, 8)) {
                throw new DamagedStateException(
                        name + ": was cut short or damaged at its end; take another copy of it");
            }
            int checksum = Bytes.getInt(header, StateFormat.BLOCK_CHECKSUM);
            BlockBuffer index = source.read(indexAt, (int) indexBytes, checksum, StateFormat.INDEX);
            try {
                blocks = new BlockIndex(index, indexAt);
                BlockBuffer first = blocks.read(source, 0, StateFormat.LAYOUTS);
                cutId = first.getLong();
                takenAtMicros = first.getLong();
                LayoutCodec codec = new LayoutCodec(first, version, name);
                window = codec.getFileAttributes();
                summaries = summaries(first, codec);
            } catch (MalformedException e) {
                throw this.file.damaged(indexAt, e);
            }
        }
    }

    /**
     * Opens a file.
     *
     * @throws StateException when the file is not a complete state file of a version that this program knows
     */
    public static StateFile open(Path file) throws IOException {
        Path path = file.toAbsolutePath();
        Path folder = path.getParent();
        if (folder == null) {
            throw new StateException(file + ": is a folder");
        }
        return open(new FileDisk(folder), String.valueOf(path.getFileName()), file.toString());
    }

    /** Opens a file of a disk, as {@link #open(Path)} opens a file of the file system. */
    public static StateFile open(Disk disk, String name) throws IOException {
        return open(disk, name, disk + "/" + name);
    }

    private static StateFile open(Disk disk, String name, String shown) throws IOException {
        DiskFile file = disk.open(name, false);
        try {
            return new StateFile(shown, file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static int version(String name, byte[] header) throws StateException {
        if (!Arrays.equals(header, 0, StateFormat.MAGIC.length, StateFormat.MAGIC, 0, StateFormat.MAGIC.length)) {
            throw new DamagedStateException(name + ": is not a state file");
        }
        if (StateFormat.checksum(header, 0, 12) != Bytes.getInt(header, 12)) {
            throw new DamagedStateException(name + ": is damaged in its first bytes; take another copy of it");
        }
        int version = Bytes.getInt(header, 8);
        if (version < 1 || version > StateFormat.VERSION) {
            throw new StateException(name + ": has format version " + version + ", this program reads versions 1 to "
                    + StateFormat.VERSION + "; read it with the program that wrote it, or a newer one");
        }
        return version;
    }

    /** Reads all layouts; returns the summary of each section. */
    private int[] summaries(BlockBuffer in, LayoutCodec codec) throws MalformedException, StateException {
        int[] summaries = new int[blocks.rows.length];
        int section = 0;
        for (int left = in.getCount(8); left > 0; left--) {
            updates.add(in.getLong());
            int partitions = in.getInt();
            SummaryLayout layout = codec.getLayout();
            int tables = Table.of(layout).size();
            for (int i = 0; i < partitions; i++) {
                if (section == summaries.length || blocks.rows[section].length != tables) {
                    throw new MalformedException("section " + section + " is not one of " + layout.name());
                }
                summaries[section++] = layouts.size();
            }
            layouts.add(layout);
            boundaries.add(codec.boundary());
        }
        if (section != summaries.length || !in.isAtEnd()) {
            throw new MalformedException("sections=" + summaries.length);
        }
        return summaries;
    }

    /** Id of the cut that was written. */
    public long cutId() {
        return cutId;
    }

    /** Time of the cut, in µs since the epoch. */
    public long takenAtMicros() {
        return takenAtMicros;
    }

    /** The summaries in the file, as defined when it was written. */
    public List<SummaryLayout> layouts() {
        return List.copyOf(layouts);
    }

    /** Number of pairs of event and mapping that were applied to a summary. */
    public long updates(int summary) {
        return updates.get(summary);
    }

    /** The boundary of a summary's closed windows; see {@link ClosedWindows#boundary}. */
    public long boundary(int summary) {
        return boundaries.get(summary);
    }

    /** The closed window whose rows the file has; empty for a file of all rows in memory. */
    public Optional<FileWindow> window() {
        return Optional.ofNullable(window);
    }

    /**
     * The number of rows that a summary, or a summary nested in it, has in the file.
     *
     * @param path names from the top-level summary on, with slashes
     */
    public record TableRows(String path, long rows) {}

    /**
     * Number of rows of a summary, or of a summary nested in it.
     *
     * @param path positions of nested summaries, from the outermost on; empty for the summary itself
     */
    public long rows(int summary, List<Integer> path) {
        List<Table> tables = Table.of(layouts.get(summary));
        int table = IntStream.range(0, tables.size())
                .filter(i -> tables.get(i).positions().equals(path))
                .findFirst()
                .orElseThrow();
        return tables(summary).get(table).rows();
    }

    /**
     * The number of rows of a summary, and of each summary nested in it. In the list, a summary comes before the
     * summaries nested in it.
     */
    public List<TableRows> tables(int summary) {
        List<Table> tables = Table.of(layouts.get(summary));
        long[] all = new long[tables.size()];
        for (int section = 0; section < blocks.rows.length; section++) {
            for (int table = 0; summaries[section] == summary && table < all.length; table++) {
                all[table] += blocks.rows[section][table];
            }
        }
        SummaryLayout layout = layouts.get(summary);
        boolean isOverflow = layouts.stream().anyMatch(other -> layout.name().equals(other.overflowName()));
        if (isOverflow && (layout.window() == null || window != null)) {
            Arrays.setAll(all, table -> Math.min(all[table], 1)); // each partition has a part of the row
        }
        return IntStream.range(0, all.length)
                .mapToObj(table -> new TableRows(tables.get(table).path(), all[table]))
                .toList();
    }

    /** Number of rows of all summaries and of the summaries nested in them. */
    public long rows() {
        return Arrays.stream(blocks.rows)
                .flatMapToInt(Arrays::stream)
                .asLongStream()
                .sum();
    }

    /** Bytes of the file. */
    public long bytes() {
        return bytes;
    }

    /** The id of the file. */
    public FileId id() {
        return new FileId(cutId, takenAtMicros, bytes);
    }

    /**
     * Reads and unpacks every block, and checks the block against its checksum and the index. Keeps no data and does
     * not decode columns.
     *
     * @param threads number of threads, the caller's included
     * @throws StateException when the file is damaged; the message has the place
     */
    public void verify(int threads) throws IOException, InterruptedException {
        int[][] blocksOf = blocksBySection();
        Parallel.forEachSection(blocks.rows.length, threads, () -> new SectionReader(blocksOf));
        try (BlockFile.Source source = file.newSource()) {
            for (int block = 1; block < blocks.sections.length; block++) {
                if (blocks.sections[block] < 0) {
                    BlockBuffer unused = blocks.read(source, block, StateFormat.PART);
                }
            }
        }
    }

    /**
     * Adds the rows of the file to {@code target} as {@link #addTo(Summaries, int, LongConsumer)} does, without reports
     * of progress.
     */
    public List<String> addTo(Summaries target, int threads) throws IOException, InterruptedException {
        return addTo(target, threads, rows -> {});
    }

    /**
     * Adds the rows of the file to {@code target}, which may have rows of other summarizers. Combines rows with equal
     * keys: adds their sums, forms the unions of their sets, and so on. If this method throws, the target is unusable,
     * because some rows may have been added.
     *
     * <p>If two observations have equal stamps, a column of type {@code first} keeps the observation that was added
     * earlier. A column of type {@code last} keeps the observation that was added later. If the added files have
     * different boundaries of closed windows, the earliest boundary remains.
     *
     * @param target the target; no other code may use it meanwhile
     * @param threads number of threads, the caller's included
     * @param read receives the number of rows that were read since the previous call; may be called on any of the
     *     reading threads; the sum of all these numbers is {@link #rows}
     * @return fields and summaries that were left out because the target does not have them, as text
     * @throws StateException when the file is damaged, or when its layouts and the layouts of the target are
     *     incompatible
     */
    public List<String> addTo(Summaries target, int threads, LongConsumer read)
            throws IOException, InterruptedException {
        LayoutMatch match = LayoutMatch.of(layouts, this::rows, target.layouts(), "in the file");
        checkMatch(match);
        ReentrantLock[][] locks = new ReentrantLock[layouts.size()][];
        Arrays.setAll(locks, summary -> SummaryLoader.newLocks(target.here()));
        int[][] blocksOf = blocksBySection();
        AtomicLong lastStamp = new AtomicLong();
        Parallel.forEachSection(
                blocks.rows.length, threads, () -> new SectionLoader(match, target, locks, blocksOf, lastStamp, read));
        target.seenStamp(lastStamp.get());
        for (int summary = 0; summary < layouts.size(); summary++) {
            int to = match.target(summary);
            if (to >= 0) {
                target.addUpdates(to, updates.get(summary));
                if (layouts.get(summary).window() != null) {
                    target.addBoundary(to, boundaries.get(summary));
                }
            }
        }
        return match.leftOut();
    }

    /**
     * Opens the part with this name; the caller has to close the stream. All blocks before the part are read first.
     * Reading damaged bytes throws a {@link StateException}.
     */
    public Optional<InputStream> part(String name) throws IOException {
        PartInput in = new PartInput(file, blocks, name);
        try {
            if (in.next()) {
                return Optional.of(in);
            }
        } catch (IOException | RuntimeException e) {
            in.close();
            throw e;
        }
        in.close();
        return Optional.empty();
    }

    /**
     * Opens the rows of a summary, to be read in parts. Converts the rows as a change of definitions does. When the
     * rows are closed, the file is closed, too.
     *
     * @param layout the layout that the rows have after they were read
     * @param path positions of nested summaries in {@code layout}, as in {@link RowSource#open}
     * @throws StateException when rows of the file cannot be converted to {@code layout}
     */
    public RowSource.Rows open(int summary, SummaryLayout layout, List<Integer> path) throws StateException {
        LayoutMatch match = match(summary, layout);
        return new RowReader(layout, path, new RowReader.Piece(this, summary, sectionsOf(summary)), match);
    }

    /**
     * Matches a summary of the file to a layout.
     *
     * @throws StateException when rows of the file cannot be converted to the layout
     */
    LayoutMatch match(int summary, SummaryLayout layout) throws StateException {
        LayoutMatch match = LayoutMatch.of(
                List.of(layouts.get(summary)), (former, of) -> rows(summary, of), List.of(layout), "in the file");
        checkMatch(match);
        return match;
    }

    private void checkMatch(LayoutMatch match) throws StateException {
        if (!match.refusals().isEmpty()) {
            throw new StateException(
                    file.name() + ": does not go together with these definitions:\n  "
                            + String.join("\n  ", match.refusals())
                            + "\nload it with the definitions that it was made with, or give what changed a new name or number");
        }
    }

    /** The file, for readers of blocks. */
    BlockFile file() {
        return file;
    }

    /** The places of the blocks. */
    BlockIndex blocks() {
        return blocks;
    }

    /** The version of the format. */
    int version() {
        return version;
    }

    /**
     * The windows of all sections.
     *
     * @throws StateException when the file does not have these windows
     */
    SectionWindows sectionWindows() throws IOException {
        return SectionWindows.read(this, blocks.rows.length);
    }

    /** Numbers of the sections of a summary. */
    List<Integer> sectionsOf(int summary) {
        return IntStream.range(0, summaries.length)
                .filter(section -> summaries[section] == summary)
                .boxed()
                .toList();
    }

    /** The blocks of each section, in their order in the file. */
    int[][] blocksBySection() {
        int[] counts = new int[blocks.rows.length];
        for (int section : blocks.sections) {
            if (section >= 0) {
                counts[section]++;
            }
        }
        int[][] bySection = new int[blocks.rows.length][];
        for (int section = 0; section < bySection.length; section++) {
            bySection[section] = new int[counts[section]];
        }
        for (int block = blocks.sections.length - 1; block >= 0; block--) {
            int section = blocks.sections[block];
            if (section >= 0) {
                bySection[section][--counts[section]] = block;
            }
        }
        return bySection;
    }

    @Override
    public void close() throws IOException {
        file.file().close();
    }

    /** The name of the file, for messages. */
    @Override
    public String toString() {
        return file.name();
    }

    /** Reads sections, one after the other, and checks their blocks against the checksums and the index. */
    private class SectionReader implements Parallel.Worker {
        private final int[][] blocksOf;
        private final BlockFile.Source source = file.newSource();

        SectionReader(int[][] blocksOf) {
            this.blocksOf = blocksOf;
        }

        /** Begins a section of this summary. */
        void begin(int summary) {}

        /** Receives the columns of {@code count} rows of the current section. */
        void rows(int table, BlockBuffer in, int count) throws MalformedException, StateException {}

        @Override
        public void section(int section) throws IOException {
            begin(summaries[section]);
            int[] seen = new int[blocks.rows[section].length];
            for (int block : blocksOf[section]) {
                long offset = blocks.offsets[block];
                BlockBuffer in = blocks.read(source, block, StateFormat.ROWS);
                try {
                    block(section, in, seen);
                } catch (MalformedException e) {
                    throw file.damaged(offset, e);
                }
            }
            if (!Arrays.equals(seen, blocks.rows[section])) {
                throw file.damaged(0, new MalformedException("section " + section + " lacks rows"));
            }
        }

        private void block(int section, BlockBuffer in, int[] seen) throws MalformedException, StateException {
            RowsHeader header = RowsHeader.read(in, section, seen);
            rows(header.table, in, header.count);
        }

        @Override
        public void close() {
            source.close();
        }
    }

    /**
     * The header of a block of rows.
     *
     * @param count number of rows
     */
    record RowsHeader(int table, int count) {
        /**
         * Reads the header of a block of rows, and checks that these rows are the next rows of their table.
         *
         * @param seen for each table of the section, the number of rows before this block; this method adds the number
         *     of rows of the block
         */
        static RowsHeader read(BlockBuffer in, int section, int[] seen) throws MalformedException {
            int ofSection = in.getInt();
            int table = in.getInt();
            int first = in.getInt();
            int count = in.getInt();
            if (ofSection != section || table < 0 || table >= seen.length || first != seen[table] || count < 1) {
                throw new MalformedException("section=" + ofSection + " table=" + table + " first=" + first);
            }
            seen[table] += count;
            return new RowsHeader(table, count);
        }
    }

    /** Reads sections into summaries. */
    private final class SectionLoader extends SectionReader {
        private final LayoutMatch match;
        private final Summaries target;
        private final ReentrantLock[][] locks;
        private final AtomicLong lastStamp;
        private final LongConsumer read;
        /**
         * The loader of the current section's summary; null before the first section. Successive sections of one
         * summary share a loader.
         */
        private @Nullable SummaryLoader loader;

        private int summary = -1;
        /** A block of rows for each table. */
        private @Nullable RowBlock[] unpacked = {};

        SectionLoader(
                LayoutMatch match,
                Summaries target,
                ReentrantLock[][] locks,
                int[][] blocksOf,
                AtomicLong lastStamp,
                LongConsumer read) {
            super(blocksOf);
            this.match = match;
            this.target = target;
            this.locks = locks;
            this.lastStamp = lastStamp;
            this.read = read;
        }

        @Override
        void rows(int table, BlockBuffer in, int count) throws MalformedException, StateException {
            RowBlock block = unpacked[table];
            SummaryLoader loader = this.loader;
            if (block != null && loader != null) {
                checkRoom();
                RowFormat.read(version, in, count, block);
                try {
                    loader.add(table, block);
                } catch (RowRefusedException e) {
                    throw new StateException(e.reason(), e);
                }
                lastStamp.accumulateAndGet(loader.lastStamp(), Math::max);
            }
            read.accept(count);
        }

        private void checkRoom() throws StateException {
            ByteBudget budget = target.budget();
            if (!budget.hasRoomToLoad()) {
                throw new StateException(String.format(
                        Locale.ROOT,
                        "%s: its rows need more than %,d MiB, all that a heap of %,d MiB has room to load; raise the heap"
                                + " (-Xmx in SUMMARIZER_SERVE_JAVA_OPTS) or limits.state. The file is as it was",
                        file.name(),
                        budget.loadedMax() >> 20,
                        Runtime.getRuntime().maxMemory() >> 20));
            }
        }

        @Override
        void begin(int summary) {
            SummaryLoader loader = this.loader;
            if (loader == null || summary != this.summary) {
                List<Table> tables = Table.of(layouts.get(summary));
                SummaryLoader fresh = new SummaryLoader(match, summary, target, locks[summary]);
                unpacked = IntStream.range(0, tables.size())
                        .mapToObj(table -> fresh.loads(table) ? new RowBlock(tables.get(table)) : null)
                        .toArray(RowBlock[]::new);
                loader = fresh;
                this.loader = fresh;
                this.summary = summary;
            }
            loader.begin();
        }
    }
}
