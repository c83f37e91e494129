package io.summarizer.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.ModelSummary;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.TableRowCode;
import io.summarizer.core.store.UpdateBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Helpers for tests of state files: stores filled as by owners, and all their contents as text. */
final class States {
    private States() {}

    static Summaries empty(List<SummaryLayout> layouts) {
        return empty(layouts, Long.MAX_VALUE);
    }

    static Summaries empty(List<SummaryLayout> layouts, long maxRows) {
        return new Summaries(layouts, layouts.stream().map(TableRowCode::of).toList(), maxRows);
    }

    /** The same layout with field numbers for nested summaries, which the shorthand of other tests leaves out. */
    static SummaryLayout numbered(SummaryLayout layout) {
        List<SummaryLayout> nested = new ArrayList<>();
        for (SummaryLayout below : layout.nested()) {
            SummaryLayout inner = numbered(below);
            nested.add(
                    new SummaryLayout(inner.name(), 100 + nested.size(), inner.keys(), inner.values(), inner.nested()));
        }
        return new SummaryLayout(layout.name(), layout.number(), layout.keys(), layout.values(), nested);
    }

    /** Applies the one record of a batch to the partition that its hash chooses. */
    static void apply(Summaries to, int summary, UpdateBatch batch) {
        long hash = Bytes.getLong(batch.bytes(), UpdateBatch.HASH_OFFSET);
        to.store(summary, Partitions.ALL.of(hash)).apply(batch.bytes(), 0);
        to.addUpdates(summary, 1);
    }

    static Path save(Summaries state, Path file) throws IOException, InterruptedException {
        StateWriter.write(state.freeze(7, 8), file, 2);
        return file;
    }

    static List<String> load(Path file, Summaries into) throws IOException, InterruptedException {
        try (StateFile state = StateFile.open(file)) {
            LongAdder read = new LongAdder();
            List<String> leftOut = state.addTo(into, 2, read::add);
            assertThat(read.sum()).as("rows that were heard of").isEqualTo(state.rows());
            return leftOut;
        }
    }

    /** Every row of every table, sorted, and the updates of each summary. */
    static List<String> dump(Summaries state) {
        List<String> lines = new ArrayList<>();
        for (SummaryView view : state.freeze(1, 1).summaries()) {
            dump(view, view.layout(), List.of(), lines);
            lines.add(view.layout().name() + " updates " + view.updates());
        }
        return lines;
    }

    private static void dump(SummaryView view, SummaryLayout layout, List<Integer> path, List<String> lines) {
        List<String> rows = new ArrayList<>();
        for (StoreView partition : view.partitions()) {
            rows.addAll(ModelSummary.dump(partition, path));
        }
        ModelSummary.sorted(rows).forEach(row -> lines.add(path + " " + row));
        for (int i = 0; i < layout.nested().size(); i++) {
            List<Integer> below = new ArrayList<>(path);
            below.add(i);
            dump(view, layout.nested().get(i), below, lines);
        }
    }
}
