package io.summarizer.core.evolve;

import io.summarizer.core.store.SummaryLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A top-level summary, or a summary nested in a top-level summary. The tables of a summary are numbered so that each
 * table comes after its parent table.
 *
 * @param parent number of the parent table, -1 for the top-level summary
 * @param positions position of each nested summary on the way to this table, from the outermost on; empty for the
 *     top-level summary
 * @param path names from the top-level summary on, with slashes
 */
public record Table(SummaryLayout layout, int parent, List<Integer> positions, String path) {
    public Table {
        positions = List.copyOf(positions);
    }

    /** All tables of a top-level summary. */
    public static List<Table> of(SummaryLayout layout) {
        List<Table> tables = new ArrayList<>();
        collect(layout, -1, List.of(), layout.name(), tables);
        return tables;
    }

    private static void collect(
            SummaryLayout layout, int parent, List<Integer> positions, String path, List<Table> tables) {
        int number = tables.size();
        tables.add(new Table(layout, parent, positions, path));
        for (int i = 0; i < layout.nested().size(); i++) {
            SummaryLayout nested = layout.nested().get(i);
            List<Integer> below = new ArrayList<>(positions);
            below.add(i);
            collect(nested, number, below, path + "/" + nested.name(), tables);
        }
    }

    /** The position among the nested summaries of the parent. */
    public int position() {
        return positions.get(positions.size() - 1);
    }

    /** Whether it has a parent. */
    public boolean isNested() {
        return parent >= 0;
    }
}
