package io.summarizer.server.http;

import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.generate.RowSources;
import io.summarizer.server.metrics.EventCounts;
import java.util.List;

/** Cuts with known rows, made without a pipeline. */
public final class Cuts {
    private Cuts() {}

    /** Counts that all differ. */
    public static final EventCounts COUNTS = new EventCounts(() -> 1234567, () -> 21, reason -> 30L + reason.ordinal());

    /**
     * Makes a cut of one summary of this name with rows 0 to {@code rows - 1}, each with one interaction, which has one
     * step: the value is ten times the key.
     */
    public static Cut of(long id, String name, int rows) {
        return of(id, name, rows, CutLease.unmanaged());
    }

    /** Makes the same cut as {@link #of(long, String, int)}, under a lease. */
    public static Cut of(long id, String name, int rows, CutLease lease) {
        SummaryLayout steps = layout("steps", "step", 1, List.of());
        SummaryLayout interactions = layout("interactions", "action_id", 2, List.of(steps));
        SummaryLayout layout = layout(name, "campaign", 0, List.of(interactions));
        SummaryStore store = new SummaryStore(layout, RowSources.compile(layout), RowLimit.of(layout, Long.MAX_VALUE));
        for (int row = 0; row < rows; row++) {
            UpdateBatch batch = new UpdateBatch(256);
            KeyBuffer key = key(layout, row);
            batch.beginRow(0, key, key.hash(), row + 1);
            batch.addLong(0, row * 10L);
            KeyBuffer inner = key(interactions, 7);
            batch.enter(0, inner, inner.hash());
            batch.addLong(0, 70);
            KeyBuffer innermost = key(steps, 8);
            batch.enter(0, innermost, innermost.hash());
            batch.addLong(0, 80);
            batch.leave();
            batch.leave();
            batch.endRow();
            store.apply(batch.bytes(), 0);
        }
        return new Cut(
                id,
                1_795_132_800_000_000L,
                List.of(new SummaryView(layout, List.of(store.freeze(lease)), 2L * rows)),
                lease);
    }

    private static SummaryLayout layout(String name, String key, int number, List<SummaryLayout> nested) {
        return new SummaryLayout(
                name,
                number,
                List.of(new KeyColumn(key, 1, KeyType.INT64)),
                List.of(new ValueColumn(
                        name.equals("steps") ? "done" : "total_" + number, 1, AggregateType.SUMINT64, 0, 0)),
                nested);
    }

    private static KeyBuffer key(SummaryLayout layout, long value) {
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        key.reset();
        key.setLong(0, value);
        return key;
    }
}
