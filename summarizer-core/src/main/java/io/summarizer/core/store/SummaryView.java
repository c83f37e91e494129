package io.summarizer.core.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A summary as it was at a cut: all its rows. Immutable.
 *
 * @param partitions the rows in memory: views of all partitions; if the summary has windows, a view for each window of
 *     each partition
 * @param updates number of pairs of event and mapping that were applied to the summary before the cut
 * @param closed the closed windows
 * @param stored the rows that are in files but in no closed window; an overflow summary has one such row for each open
 *     window, or one in total if it has no windows
 */
public record SummaryView(
        SummaryLayout layout, List<StoreView> partitions, long updates, ClosedWindows closed, List<OpenRows> stored) {
    public SummaryView {
        partitions = List.copyOf(partitions);
        stored = List.copyOf(stored);
    }

    /** A view whose rows are in memory, or in closed windows. */
    public SummaryView(SummaryLayout layout, List<StoreView> partitions, long updates, ClosedWindows closed) {
        this(layout, partitions, updates, closed, List.of());
    }

    /** A view without closed windows. */
    public SummaryView(SummaryLayout layout, List<StoreView> partitions, long updates) {
        this(layout, partitions, updates, ClosedWindows.NONE);
    }

    /**
     * Number of rows of the summary, or of a nested summary, without rows that are in files of closed windows. An empty
     * path stands for the summary itself.
     *
     * @param path positions of nested summaries, from the outermost on
     */
    public long rows(List<Integer> path) {
        long rows = 0;
        Set<Long> windows = new HashSet<>();
        for (StoreView partition : partitions) {
            StoreView view = partition;
            for (int position : path) {
                view = view.nested(position);
            }
            rows += view.rows();
            if (layout.isKeyless() && view.rows() > 0) {
                windows.add(partition.window());
            }
        }
        for (OpenRows files : stored) {
            long inFiles = files.rows(path);
            rows += inFiles;
            if (layout.isKeyless() && inFiles > 0) {
                windows.add(files.window());
            }
        }
        return layout.isKeyless() ? windows.size() : rows; // a window has one row, of which each partition has a part
    }

    /**
     * The path of the nested summary with these names, from the outermost on.
     *
     * @throws IllegalArgumentException when there is no such summary; the message has the unknown name
     */
    public List<Integer> path(List<String> names) {
        List<Integer> path = new ArrayList<>(names.size());
        SummaryLayout at = layout;
        for (String name : names) {
            int position = SummaryLayout.indexOf(at.nested(), name);
            if (position < 0) {
                throw new IllegalArgumentException(at.name() + " has no nested summary " + name);
            }
            path.add(position);
            at = at.nested().get(position);
        }
        return path;
    }
}
