package io.summarizer.core.state;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.evolve.Table;
import io.summarizer.core.store.OpenRows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The rows of one summary, or of one window of a summary, in the state files of several owners. No two owners have the
 * same key. Holds no rows and no open files. Immutable.
 */
public final class RowFiles implements OpenRows {
    private final Disk disk;
    private final SummaryLayout layout;
    private final long window;
    private final List<Piece> pieces;
    private final Map<List<Integer>, Long> counts;

    /**
     * The part of the rows that one file has: the sections with rows of the summary, and the number of the summary in
     * the file.
     */
    record Piece(String file, int summary, List<Integer> sections) {}

    private RowFiles(
            Disk disk, SummaryLayout layout, long window, List<Piece> pieces, Map<List<Integer>, Long> counts) {
        this.disk = disk;
        this.layout = layout;
        this.window = window;
        this.pieces = List.copyOf(pieces);
        this.counts = Map.copyOf(counts);
    }

    /**
     * The rows of a summary that are in no closed window, grouped by window. If the summary has no windows, its rows
     * are grouped by file. There is one exception: an overflow without windows is a single row, and each file has a
     * part of this row. The parts belong together, so all files of the overflow are in one group.
     *
     * @param files open files by name; this method reads the files, but does not close them
     * @param layout shape of the rows of the summary in all files
     * @throws StateException when a file lacks the summary, or lacks the windows of the file's sections
     */
    public static List<RowFiles> open(Disk disk, Map<String, StateFile> files, SummaryLayout layout)
            throws IOException {
        List<Gathered> perFile = new ArrayList<>();
        Map<Long, Gathered> perWindow = new TreeMap<>();
        for (Map.Entry<String, StateFile> entry : files.entrySet()) {
            StateFile file = entry.getValue();
            int summary = SummaryLayout.indexOf(file.layouts(), layout.name());
            if (summary < 0) {
                throw new StateException(file + ": has no rows of " + layout.name() + ", as the other files have");
            }
            SectionWindows windows = layout.window() == null ? null : file.sectionWindows();
            Map<Long, List<Integer>> sections = new TreeMap<>();
            for (int section : file.sectionsOf(summary)) {
                long start = windows == null ? SummaryStore.NO_WINDOW : windows.start(section);
                sections.computeIfAbsent(start, unused -> new ArrayList<>()).add(section);
            }
            boolean isApart = windows == null && !layout.isKeyless();
            sections.forEach((start, numbers) -> {
                Gathered into = isApart ? new Gathered() : perWindow.computeIfAbsent(start, unused -> new Gathered());
                into.add(entry.getKey(), file, summary, numbers);
                if (isApart) {
                    perFile.add(into);
                }
            });
        }
        List<RowFiles> all = new ArrayList<>();
        perFile.forEach(gathered -> all.add(gathered.made(disk, layout, SummaryStore.NO_WINDOW)));
        perWindow.forEach((start, gathered) -> all.add(gathered.made(disk, layout, start)));
        return all;
    }

    /**
     * The rows of a summary in the files of a closed window. Files without the summary are left out.
     *
     * @param files open files by name; this method reads the files, but does not close them
     * @param start start of the window, in µs since the epoch
     */
    public static RowFiles ofWindow(Disk disk, Map<String, StateFile> files, SummaryLayout layout, long start) {
        Gathered gathered = new Gathered();
        files.forEach((name, file) -> {
            int summary = SummaryLayout.indexOf(file.layouts(), layout.name());
            if (summary >= 0) {
                gathered.add(name, file, summary, file.sectionsOf(summary));
            }
        });
        return gathered.made(disk, layout, start);
    }

    /** The pieces collected so far, and the number of rows of each. */
    private static final class Gathered {
        private final List<Piece> pieces = new ArrayList<>();
        private final Map<List<Integer>, Long> counts = new HashMap<>();

        void add(String name, StateFile file, int summary, List<Integer> sections) {
            pieces.add(new Piece(name, summary, sections));
            List<Table> tables = Table.of(file.layouts().get(summary));
            for (int section : sections) {
                int[] rows = file.blocks().rows[section];
                IntStream.range(0, rows.length)
                        .forEach(table -> counts.merge(tables.get(table).positions(), (long) rows[table], Long::sum));
            }
        }

        RowFiles made(Disk disk, SummaryLayout layout, long window) {
            return new RowFiles(disk, layout, window, pieces, counts);
        }
    }

    @Override
    public long window() {
        return window;
    }

    @Override
    public SummaryLayout layout() {
        return layout;
    }

    @Override
    public long rows(List<Integer> path) {
        return counts.getOrDefault(path, 0L);
    }

    @Override
    public Rows open(SummaryLayout wanted, List<Integer> path) {
        Iterator<Piece> left = pieces.iterator();
        return new RowReader(wanted, path, () -> {
            if (!left.hasNext()) {
                return null;
            }
            Piece piece = left.next();
            return new RowReader.Piece(open(piece), piece.summary, piece.sections);
        });
    }

    List<Piece> pieces() {
        return pieces;
    }

    /** Opens the file of a piece. */
    StateFile open(Piece piece) throws IOException {
        StateFile file = StateFile.open(disk, piece.file);
        for (int section : piece.sections) {
            if (section >= file.blocks().rows.length) {
                file.close();
                throw new DamagedStateException(file + ": was replaced by another file while it was in use");
            }
        }
        return file;
    }

    @Override
    public String toString() {
        return disk + "/" + (pieces.isEmpty() ? layout.name() : pieces.get(0).file);
    }
}
