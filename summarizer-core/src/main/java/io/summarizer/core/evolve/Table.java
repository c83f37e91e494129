package io.summarizer.core.evolve;

import io.summarizer.core.store.SummaryLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A top-level summary or one nested in it. The tables of a summary are numbered so that each table comes after its
 * parent table.
 *
 * @param parent number of the parent table, -1 for the top-level summary
 * @param position position among the nested summaries of the parent
 * @param path names from the top-level summary on, with slashes
 */
public record Table(SummaryLayout layout, int parent, int position, String path) {
    /** All tables of a top-level summary. */
    public static List<Table> of(SummaryLayout layout) {
        List<Table> tables = new ArrayList<>();
        collect(layout, -1, 0, layout.name(), tables);
        return tables;
    }

    private static void collect(SummaryLayout layout, int parent, int position, String path, List<Table> tables) {
        int number = tables.size();
        tables.add(new Table(layout, parent, position, path));
        for (int i = 0; i < layout.nested().size(); i++) {
            SummaryLayout nested = layout.nested().get(i);
            collect(nested, number, i, path + "/" + nested.name(), tables);
        }
    }

    /** Whether it has a parent. */
    public boolean isNested() {
        return parent >= 0;
    }
}
