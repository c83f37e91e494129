package io.summarizer.dsl.export;

import io.summarizer.core.store.RowFormat;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a summary or nested summary in the order of its CSV: first the keys of all levels, outermost level
 * first, then the values of the summary.
 */
final class Columns {
    private final String summary;
    private final Map<String, Column> byName = new LinkedHashMap<>();

    private Columns(String summary) {
        this.summary = summary;
    }

    /** The columns of the nested summary with this path, or of the summary itself. */
    static Columns of(SummaryLayout layout, List<Integer> path) {
        List<SummaryLayout> layouts = new ArrayList<>();
        layouts.add(layout);
        for (int position : path) {
            layouts.add(layouts.get(layouts.size() - 1).nested().get(position));
        }
        Columns columns = new Columns(
                String.join("/", layouts.stream().map(SummaryLayout::name).toList()));
        for (int level = 0; level < layouts.size(); level++) {
            RowFormat format = new RowFormat(layouts.get(level), level > 0);
            List<KeyColumn> keys = layouts.get(level).keys();
            for (int i = 0; i < keys.size(); i++) {
                KeyColumn key = keys.get(i);
                columns.add(new Column(key.name(), level, i, true, Column.Type.of(key.type()), format));
            }
            if (level == path.size()) {
                List<ValueColumn> values = layouts.get(level).values();
                for (int i = 0; i < values.size(); i++) {
                    ValueColumn value = values.get(i);
                    columns.add(new Column(value.name(), level, i, false, Column.Type.of(value.type()), format));
                }
            }
        }
        return columns;
    }

    private void add(Column column) {
        byName.put(column.name(), column);
    }

    /** The summary's path with slashes, for people. */
    String summary() {
        return summary;
    }

    List<Column> all() {
        return List.copyOf(byName.values());
    }

    List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /** The column of this name, or null. */
    @Nullable
    Column find(String name) {
        return byName.get(name);
    }
}
