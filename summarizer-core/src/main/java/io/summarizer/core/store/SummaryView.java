package io.summarizer.core.store;

import java.util.ArrayList;
import java.util.List;

/**
 * A summary as it was at a cut: all its partitions. Immutable.
 *
 * @param updates number of pairs of event and mapping that were applied to it before the cut
 */
public record SummaryView(SummaryLayout layout, List<StoreView> partitions, long updates) {
    public SummaryView {
        partitions = List.copyOf(partitions);
    }

    /**
     * Rows of the summary (an empty path) or of a nested one, over all partitions.
     *
     * @param path positions of nested summaries, from the outermost on
     */
    public long rows(List<Integer> path) {
        long rows = 0;
        for (StoreView partition : partitions) {
            StoreView view = partition;
            for (int position : path) {
                view = view.nested(position);
            }
            rows += view.rows();
        }
        return layout.isKeyless() ? Math.min(rows, 1) : rows; // one in total, though each partition has a part of it
    }

    /**
     * The path of the nested summary with these names, from the outermost on.
     *
     * @throws IllegalArgumentException when there is none; the message has the unknown name
     */
    public List<Integer> path(List<String> names) {
        List<Integer> path = new ArrayList<>(names.size());
        SummaryLayout at = layout;
        for (String name : names) {
            int position = position(at.nested(), name);
            if (position < 0) {
                throw new IllegalArgumentException(at.name() + " has no nested summary " + name);
            }
            path.add(position);
            at = at.nested().get(position);
        }
        return path;
    }

    private static int position(List<SummaryLayout> layouts, String name) {
        for (int i = 0; i < layouts.size(); i++) {
            if (layouts.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
