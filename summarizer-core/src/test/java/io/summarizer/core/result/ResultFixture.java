package io.summarizer.core.result;

import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.result.Manifest.OfSummary;
import io.summarizer.core.result.Manifest.RowFile;
import io.summarizer.core.result.Manifest.Window;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.SectionWindows;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.LoadedRowCode;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Writes results as a job does: the rows of ordinary summaries, divided among owners by ranges of partitions. */
public final class ResultFixture {
    private final Path folder;
    private final int owners;
    /** The windows that are in files, by summary and start. */
    private final Map<List<Object>, Window> written = new HashMap<>();

    /** A job with this number of owners, whose key groups are the partitions. */
    public ResultFixture(Path folder, int owners) {
        this.folder = folder;
        this.owners = owners;
    }

    /** The rows of a state file. */
    public static Summaries load(Path stateFile) throws IOException, InterruptedException {
        try (StateFile file = StateFile.open(stateFile)) {
            Summaries rows = new Summaries(
                    file.layouts(),
                    file.layouts().stream().map(LoadedRowCode::of).toList(),
                    Long.MAX_VALUE);
            List<String> unused = file.addTo(rows, 1);
            return rows;
        }
    }

    /** The views of a summary in the key groups of an owner. */
    private List<StoreView> views(Summaries state, int summary, int owner) {
        List<StoreView> views = new ArrayList<>();
        state.partitions().forEach(summary, (row, number, partition) -> {
            if (number >= first(state, owner) && number < first(state, owner + 1)) {
                partition.forEach(store -> views.add(store.freeze()));
            }
        });
        return views;
    }

    private int first(Summaries state, int owner) {
        return owner * keyGroups(state) / owners;
    }

    private static int keyGroups(Summaries state) {
        return state.partitions().row(0).size();
    }

    /**
     * Writes the files and the manifest of a checkpoint.
     *
     * @param boundary windows that begin before it are closed
     */
    public Manifest write(Summaries state, long checkpoint, long boundary, LedgerCounts ledger)
            throws IOException, InterruptedException {
        List<SummaryLayout> layouts = state.layouts();
        List<OfSummary> summaries = new ArrayList<>();
        for (int summary = 0; summary < layouts.size(); summary++) {
            SummaryLayout layout = layouts.get(summary);
            boolean isOverflow = layout.name().endsWith(".overflow");
            boolean hasWindows = layout.window() != null;
            summaries.add(new OfSummary(
                    layout.name(),
                    state.updates(summary),
                    hasWindows ? boundary : ClosedWindows.NO_BOUNDARY,
                    hasWindows && !isOverflow ? windows(state, summary, checkpoint, boundary) : List.of()));
        }
        List<RowFile> files = new ArrayList<>();
        for (int owner = 0; owner < owners; owner++) {
            List<SummaryView> views = new ArrayList<>();
            for (int summary = 0; summary < layouts.size(); summary++) {
                boolean hasWindows = layouts.get(summary).window() != null;
                long from = hasWindows ? boundary : Long.MIN_VALUE;
                views.add(new SummaryView(
                        layouts.get(summary),
                        views(state, summary, owner).stream()
                                .filter(view -> view.window() >= from)
                                .toList(),
                        owner == 0 ? state.updates(summary) : 0,
                        hasWindows ? new ClosedWindows(boundary, List.of()) : ClosedWindows.NONE));
            }
            Cut cut = new Cut(checkpoint, checkpoint * 1_000_000, views);
            files.add(file(state, owner, ResultNames.rows(checkpoint, owner, owners), out -> {
                long unused = StateWriter.write(cut, out, 2, List.of(SectionWindows.of(cut)));
            }));
        }
        Manifest manifest = new Manifest(
                checkpoint, "test", checkpoint * 1_000_000, "ab12", keyGroups(state), files, summaries, ledger);
        Path path = folder.resolve(ResultNames.manifest(checkpoint));
        Files.createDirectories(path.getParent());
        Path temporary = path.resolveSibling(".writing");
        try (OutputStream out = Files.newOutputStream(temporary)) {
            manifest.writeTo(out);
        }
        Files.move(temporary, path);
        return manifest;
    }

    private List<Window> windows(Summaries state, int summary, long checkpoint, long boundary)
            throws IOException, InterruptedException {
        SummaryLayout layout = state.layouts().get(summary);
        int overflow =
                state.layouts().stream().map(SummaryLayout::name).toList().indexOf(layout.overflowName());
        TreeSet<Long> starts = new TreeSet<>();
        for (int each : overflow < 0 ? new int[] {summary} : new int[] {summary, overflow}) {
            for (int owner = 0; owner < owners; owner++) {
                views(state, each, owner).forEach(view -> starts.add(view.window()));
            }
        }
        List<Window> windows = new ArrayList<>();
        for (long start : starts.headSet(boundary)) {
            Window window = written.get(List.of(layout.name(), start));
            if (window == null) {
                window = window(state, summary, overflow, checkpoint, start);
                written.put(List.of(layout.name(), start), window);
            }
            windows.add(window);
        }
        return windows;
    }

    private Window window(Summaries state, int summary, int overflow, long checkpoint, long start)
            throws IOException, InterruptedException {
        SummaryLayout layout = state.layouts().get(summary);
        long end = java.util.Objects.requireNonNull(layout.window()).windows().end(start);
        List<RowFile> files = new ArrayList<>();
        long rows = 0;
        long bytes = 0;
        for (int owner = 0; owner < owners; owner++) {
            List<SummaryView> views = new ArrayList<>();
            views.add(ofWindow(state, summary, owner, start));
            if (overflow >= 0) {
                SummaryView of = ofWindow(state, overflow, owner, start);
                if (!of.partitions().isEmpty()) {
                    views.add(of);
                }
            }
            if (views.size() == 1 && views.get(0).partitions().isEmpty()) {
                continue;
            }
            rows += views.get(0).rows(List.of());
            Cut cut = new Cut(checkpoint, checkpoint * 1_000_000, views);
            RowFile file =
                    file(state, owner, ResultNames.window(layout.name(), start, checkpoint, owner, owners, 1), out -> {
                        long unused = StateWriter.write(cut, new FileWindow(start, end), out, 2);
                    });
            bytes += file.bytes();
            files.add(file);
        }
        return new Window(start, end, rows, bytes, start / 60_000_000 % 3, files);
    }

    private SummaryView ofWindow(Summaries state, int summary, int owner, long start) {
        return new SummaryView(
                state.layouts().get(summary),
                views(state, summary, owner).stream()
                        .filter(view -> view.window() == start)
                        .toList(),
                0);
    }

    private interface Writing {
        void to(OutputStream out) throws IOException, InterruptedException;
    }

    private RowFile file(Summaries state, int owner, String name, Writing writing)
            throws IOException, InterruptedException {
        Path path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        try (OutputStream out = Files.newOutputStream(path)) {
            writing.to(out);
        }
        return new RowFile(name, first(state, owner), first(state, owner + 1) - 1, Files.size(path));
    }

    /** Deletes a manifest, its files of rows, and those of the windows that a newer manifest does not have. */
    public void remove(Manifest old, Manifest newer) throws IOException {
        Files.delete(folder.resolve(ResultNames.manifest(old.checkpoint())));
        List<RowFile> files = new ArrayList<>(old.allFiles());
        files.removeAll(newer.allFiles());
        for (RowFile file : files) {
            Files.delete(folder.resolve(file.file()));
        }
    }
}
