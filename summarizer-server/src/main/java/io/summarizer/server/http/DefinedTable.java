package io.summarizer.server.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A summary or a nested summary in {@code GET /definitions}: its definition and the number of its rows. The components
 * are the members of its JSON.
 *
 * @param rows number of rows, over all parent rows, without the rows of nested summaries
 */
public record DefinedTable(
        long rows, String name, int number, List<Column> key, List<Column> value, List<DefinedTable> nested) {
    public DefinedTable {
        key = List.copyOf(key);
        value = List.copyOf(value);
        nested = List.copyOf(nested);
    }

    /** A column in JSON. Only sketches have a precision. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Column(
            String name,
            int number,
            String type,
            @Nullable Integer log2m,
            @Nullable Integer regwidth) {
        private static Column of(KeyColumn key) {
            return new Column(key.name(), key.number(), key.type().keyword(), null, null);
        }

        private static Column of(ValueColumn value) {
            boolean isSketch = value.type() == AggregateType.MULTISET64;
            return new Column(
                    value.name(),
                    value.number(),
                    value.type().keyword(),
                    isSketch ? value.log2m() : null,
                    isSketch ? value.regwidth() : null);
        }

        private KeyColumn key() {
            return new KeyColumn(name, number, KeyType.valueOf(type.toUpperCase(Locale.ROOT)));
        }

        private ValueColumn value() {
            return new ValueColumn(
                    name,
                    number,
                    AggregateType.valueOf(type.toUpperCase(Locale.ROOT)),
                    log2m == null ? 0 : log2m,
                    regwidth == null ? 0 : regwidth);
        }
    }

    /** The summaries of a cut. */
    static List<DefinedTable> of(Cut cut) {
        return cut.summaries().stream()
                .map(summary -> of(summary.layout(), summary::rows))
                .toList();
    }

    /**
     * A summary and its nested summaries.
     *
     * @param rows returns the number of rows for the positions of nested summaries, from the outermost on
     */
    public static DefinedTable of(SummaryLayout layout, ToLongFunction<List<Integer>> rows) {
        return of(layout, List.of(), rows);
    }

    private static DefinedTable of(SummaryLayout layout, List<Integer> path, ToLongFunction<List<Integer>> rows) {
        List<DefinedTable> nested = new ArrayList<>();
        for (SummaryLayout below : layout.nested()) {
            List<Integer> longer = new ArrayList<>(path);
            longer.add(nested.size());
            nested.add(of(below, longer, rows));
        }
        return new DefinedTable(
                rows.applyAsLong(path),
                layout.name(),
                layout.number(),
                layout.keys().stream().map(Column::of).toList(),
                layout.values().stream().map(Column::of).toList(),
                nested);
    }

    /** The definition. */
    public SummaryLayout layout() {
        return new SummaryLayout(
                name,
                number,
                key.stream().map(Column::key).toList(),
                value.stream().map(Column::value).toList(),
                nested.stream().map(DefinedTable::layout).toList());
    }

    /**
     * Number of rows of the nested summary at these positions, from the outermost on. Without positions, the number of
     * rows of this summary.
     */
    public long rows(List<Integer> path) {
        return path.isEmpty() ? rows : nested.get(path.get(0)).rows(path.subList(1, path.size()));
    }

    /**
     * Parses an answer of {@code GET /definitions}.
     *
     * @throws IOException when the text is no such answer, or comes from a newer version
     */
    public static List<DefinedTable> read(String json) throws IOException {
        try {
            List<DefinedTable> tables = List.of(Json.MAPPER.readValue(json, DefinedTable[].class));
            tables.forEach(DefinedTable::layout);
            return tables;
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new IOException("these are no definitions that this version knows: " + e.getMessage(), e);
        }
    }
}
