package io.summarizer.core.evolve;

import io.summarizer.core.store.LoadedRowCode;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryView;
import java.util.List;

/**
 * Merges the rows of an overflow summary. Such a summary has one row in each partition, but exports show a single row.
 * Stateless. Cost: a few objects and 16 rows.
 */
public final class OverflowRow {
    private OverflowRow() {}

    /**
     * Returns a view of an overflow summary in which each table has a single, merged row. Returns the view of any other
     * summary unchanged.
     */
    public static SummaryView merged(SummaryView view) {
        SummaryLayout layout = view.layout();
        if (layout.limit().overflow() != SummaryLimit.Overflow.KEYLESS) {
            return view;
        }
        List<SummaryLayout> layouts = List.of(layout);
        Summaries merged = new Summaries(layouts, List.of(LoadedRowCode.of(layout)), Long.MAX_VALUE);
        RowTransfer rows =
                new RowTransfer(LayoutMatch.of(layouts, (summary, path) -> 0, layouts, "in the cut"), 0, merged);
        for (StoreView partition : view.partitions()) {
            rows.add(partition);
        }
        return new SummaryView(layout, merged.freeze(0, 0).summaries().get(0).partitions(), view.updates());
    }
}
