package io.summarizer.core.evolve;

import io.summarizer.core.store.LoadedRowCode;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryView;
import java.util.List;

/**
 * Merges the rows of an overflow summary. An overflow summary has one row in each partition, but exports show the
 * merged row only. Stateless. Cost: a few objects and 16 rows.
 */
public final class OverflowRow {
    private OverflowRow() {}

    /**
     * For an overflow summary, returns a view in which each table has a single, merged row. For any other summary,
     * returns its view unchanged.
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
