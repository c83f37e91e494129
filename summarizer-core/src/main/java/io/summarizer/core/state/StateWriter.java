package io.summarizer.core.state;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import io.summarizer.core.disk.DiskOutput;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.evolve.RowBlock;
import io.summarizer.core.evolve.RowRefusedException;
import io.summarizer.core.evolve.Table;
import io.summarizer.core.evolve.TableUnloader;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import io.summarizer.core.store.OpenRows;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a cut as a state file. Stateless.
 *
 * <p>Cost, on one thread: about a µs per row of a dozen columns. Memory: one block of at most 4,096 rows per thread,
 * whatever the size of the state, and 12 bytes for each written block.
 */
public final class StateWriter {
    private StateWriter() {}

    /**
     * Writes a file atomically, even if the machine loses power. The file is written under a temporary name, forced to
     * the disk and then renamed.
     *
     * @param threads number of threads, including the caller's thread; with more than one thread, the order of blocks
     *     may vary
     * @return number of bytes of the file
     */
    public static long write(Cut cut, Path file, int threads) throws IOException, InterruptedException {
        return write(cut, file, threads, List.of());
    }

    /**
     * Writes a file as {@link #write(Cut, Path, int)} does, with parts in addition to the rows.
     *
     * @param parts the parts in their order in the file; put small parts first, so that a reader finds them before it
     *     reads large parts
     */
    public static long write(Cut cut, Path file, int threads, List<CutPart> parts)
            throws IOException, InterruptedException {
        Path target = file.toAbsolutePath();
        Path folder = target.getParent();
        if (folder == null || Files.isDirectory(target)) {
            throw new StateException(file + ": is a folder; a state file needs a name");
        }
        if (!Files.readAttributes(folder, BasicFileAttributes.class).isDirectory()) {
            throw new NotDirectoryException(folder.toString());
        }
        LeftBehind leftBehind = new LeftBehind(target);
        leftBehind.sweep();
        return write(cut, null, new FileDisk(folder), leftBehind.temporary(), leftBehind.name(), threads, parts);
    }

    /** Writes a file as {@link #write(Cut, Path, int, List)} does, to a disk that only this process uses. */
    public static long write(Cut cut, Disk disk, String name, int threads, List<CutPart> parts)
            throws IOException, InterruptedException {
        return write(cut, null, disk, LeftBehind.temporary(name), name, threads, parts);
    }

    /**
     * Writes a file with the rows of one closed window, as {@link #write(Cut, Disk, String, int, List)} does for all
     * rows.
     *
     * @param cut a cut with the rows of the window, without boundaries
     */
    public static long write(Cut cut, FileWindow window, Disk disk, String name, int threads)
            throws IOException, InterruptedException {
        return write(cut, window, disk, LeftBehind.temporary(name), name, threads, List.of());
    }

    private static long write(
            Cut cut,
            @Nullable FileWindow window,
            Disk disk,
            String temporary,
            String name,
            int threads,
            List<CutPart> parts)
            throws IOException, InterruptedException {
        try {
            long bytes;
            try (DiskFile file = disk.create(temporary)) {
                bytes = write(cut, window, new DiskOutput(file), threads, parts);
                file.force();
            }
            disk.rename(temporary, name);
            disk.sync();
            return bytes;
        } finally {
            disk.delete(temporary);
        }
    }

    /**
     * A temporary name for a file that will be renamed to {@code name} when it is complete. If it is never completed,
     * {@link #sweep} deletes it.
     */
    public static String temporary(String name) {
        return LeftBehind.temporary(name);
    }

    /** Deletes unfinished files of processes that were killed while they wrote {@code file}. */
    public static void sweep(Path file) throws IOException {
        new LeftBehind(file).sweep();
    }

    /** Deletes unfinished files of processes that were killed, on a disk that only this process uses. */
    public static void sweep(Disk disk) throws IOException {
        LeftBehind.sweepAll(disk);
    }

    /**
     * Writes a cut to a stream, and flushes the stream. Does not close it.
     *
     * @param threads number of threads, including the caller's thread; only one thread at a time uses the stream
     * @return number of bytes written
     */
    public static long write(Cut cut, OutputStream out, int threads) throws IOException, InterruptedException {
        return write(cut, null, out, threads, List.of());
    }

    /** Writes a cut to a stream as {@link #write(Cut, OutputStream, int)} does, with parts in addition to the rows. */
    public static long write(Cut cut, OutputStream out, int threads, List<CutPart> parts)
            throws IOException, InterruptedException {
        return write(cut, null, out, threads, parts);
    }

    /**
     * Writes rows of one closed window to a stream as {@link #write(Cut, OutputStream, int)} does.
     *
     * @param cut a cut with the rows of the window, without boundaries
     */
    public static long write(Cut cut, FileWindow window, OutputStream out, int threads)
            throws IOException, InterruptedException {
        return write(cut, window, out, threads, List.of());
    }

    private static long write(Cut cut, @Nullable FileWindow window, OutputStream out, int threads, List<CutPart> parts)
            throws IOException, InterruptedException {
        BlockSink sink = new BlockSink(out);
        List<List<Section>> sections = new ArrayList<>();
        try (OpenFiles files = new OpenFiles()) {
            for (SummaryView summary : cut.summaries()) {
                sections.add(sections(summary, files));
            }
            layouts(cut, window, sections, sink);
            write(parts, sink);
            List<Section> all = sections.stream().flatMap(List::stream).toList();
            int[][] rows = new int[all.size()][];
            Parallel.forEachSection(all.size(), threads, () -> new SectionWriter(sink, all, rows));
            return sink.finish(rows);
        }
    }

    /**
     * A section to write: rows in memory, or a section of a file.
     *
     * @param ofFile number of the section in the file
     */
    private record Section(
            List<Table> tables,
            @Nullable StoreView rows,
            @Nullable StateFile file,
            int ofFile) {}

    private static List<Section> sections(SummaryView summary, OpenFiles files) throws IOException {
        List<Table> tables = Table.of(summary.layout());
        List<Section> sections = new ArrayList<>();
        for (StoreView partition : summary.partitions()) {
            sections.add(new Section(tables, partition, null, 0));
        }
        for (OpenRows rows : summary.stored()) {
            if (!(rows instanceof RowFiles stored)) {
                throw new IllegalArgumentException(rows + " is not of state files");
            }
            for (RowFiles.Piece piece : stored.pieces()) {
                StateFile file = files.open(stored, piece);
                for (int section : piece.sections()) {
                    sections.add(new Section(tables, null, file, section));
                }
            }
        }
        return sections;
    }

    /** The files with rows of the cut, each opened once. */
    private static final class OpenFiles implements AutoCloseable {
        private final Map<String, StateFile> files = new HashMap<>();

        StateFile open(RowFiles rows, RowFiles.Piece piece) throws IOException {
            StateFile file = files.get(piece.file());
            if (file == null) {
                file = rows.open(piece);
                files.put(piece.file(), file);
                if (file.version() != StateFormat.VERSION) {
                    throw new StateException(
                            file + ": has format version " + file.version() + ", and only files of version "
                                    + StateFormat.VERSION + " can be joined; load it by merge");
                }
            }
            return file;
        }

        @Override
        public void close() throws IOException {
            for (StateFile file : files.values()) {
                file.close();
            }
        }
    }

    private static void write(List<CutPart> parts, BlockSink sink) throws IOException {
        try (BlockSink.Writer writer = sink.new Writer()) {
            for (CutPart part : parts) {
                try (PartStream stream = new PartStream(part.name(), writer)) {
                    part.writeTo(stream);
                }
            }
        }
    }

    private static void layouts(Cut cut, @Nullable FileWindow window, List<List<Section>> sections, BlockSink sink)
            throws IOException {
        BlockBuffer plain = new BlockBuffer();
        plain.putLong(cut.id());
        plain.putLong(cut.takenAtMicros());
        LayoutCodec.put(plain, window);
        plain.putInt(cut.summaries().size());
        for (int number = 0; number < sections.size(); number++) {
            SummaryView summary = cut.summaries().get(number);
            plain.putLong(summary.updates());
            plain.putInt(sections.get(number).size());
            LayoutCodec.put(plain, summary.layout(), summary.closed().boundary());
        }
        try (BlockSink.Writer writer = sink.new Writer()) {
            writer.write(StateFormat.LAYOUTS, -1, plain);
        }
    }

    /** Writes sections, one after the other. */
    private static final class SectionWriter implements Parallel.Worker {
        private final List<Section> sections;
        private final int[][] rows;
        private final BlockSink.Writer out;
        private final BlockBuffer plain = new BlockBuffer();

        SectionWriter(BlockSink sink, List<Section> sections, int[][] rows) {
            this.sections = sections;
            this.rows = rows;
            out = sink.new Writer();
        }

        @Override
        public void section(int section) throws IOException {
            Section from = sections.get(section);
            StateFile file = from.file;
            StoreView top = from.rows;
            if (file != null) {
                copy(section, file, from.ofFile);
                return;
            }
            StoreView[] views = new StoreView[from.tables.size()];
            int[] counts = new int[views.length];
            for (int number = 0; number < views.length && top != null; number++) {
                Table table = from.tables.get(number);
                StoreView parents = table.isNested() ? views[table.parent()] : null;
                views[number] = parents == null ? top : parents.nested(table.position());
                counts[number] = write(section, number, new TableUnloader(table, views[number], parents));
            }
            rows[section] = counts;
        }

        /** Copies the blocks of a section of a file, and changes only the numbers of the blocks. */
        private void copy(int section, StateFile file, int ofFile) throws IOException {
            try (BlockFile.Source source = file.file().newSource()) {
                for (int block : file.blocksBySection()[ofFile]) {
                    BlockBuffer in = file.blocks().read(source, block, StateFormat.ROWS);
                    plain.clear();
                    plain.putInt(section);
                    plain.putBytes(in.array(), Integer.BYTES, in.limit() - Integer.BYTES);
                    out.write(StateFormat.ROWS, section, plain);
                }
            }
            rows[section] = file.blocks().rows[ofFile];
        }

        /** Writes all rows of a table; returns their number. */
        private int write(int section, int table, TableUnloader rows) throws IOException {
            int written = 0;
            try {
                for (RowBlock block = rows.next(); block.rows() > 0; block = rows.next()) {
                    plain.clear();
                    plain.putInt(section);
                    plain.putInt(table);
                    plain.putInt(written);
                    RowFormat.write(block, plain);
                    out.write(StateFormat.ROWS, section, plain);
                    written += block.rows();
                }
            } catch (RowRefusedException e) {
                throw new StateException(e.reason(), e);
            }
            return written;
        }

        @Override
        public void close() {
            out.close();
        }
    }
}
