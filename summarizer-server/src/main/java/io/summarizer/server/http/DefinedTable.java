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
import org.jspecify.annotations.Nullable;

/**
 * A summary in {@code GET /definitions}: its definition and the number of its rows.
 *
 * @param rows number of rows of the summary, without the rows of nested summaries
 */
public record DefinedTable(SummaryLayout layout, long rows) {
    /** A table in JSON. Nested tables have no number of rows there. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Table(
            @Nullable Long rows, String name, int number, List<Column> key, List<Column> value, List<Table> nested) {
        private static Table of(@Nullable Long rows, SummaryLayout layout) {
            return new Table(
                    rows,
                    layout.name(),
                    layout.number(),
                    layout.keys().stream().map(Column::of).toList(),
                    layout.values().stream().map(Column::of).toList(),
                    layout.nested().stream().map(nested -> of(null, nested)).toList());
        }

        private SummaryLayout layout() {
            return new SummaryLayout(
                    name,
                    number,
                    key.stream().map(Column::key).toList(),
                    value.stream().map(Column::value).toList(),
                    nested.stream().map(Table::layout).toList());
        }
    }

    /** A column in JSON. Only sketches have a precision. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Column(
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

    /** The summaries of a cut, for JSON. */
    static List<Table> of(Cut cut) {
        return cut.summaries().stream()
                .map(summary -> Table.of(summary.rows(List.of()), summary.layout()))
                .toList();
    }

    /**
     * Parses an answer of {@code GET /definitions}.
     *
     * @throws IOException when the text is no such answer, or comes from a newer version
     */
    public static List<DefinedTable> read(String json) throws IOException {
        List<DefinedTable> tables = new ArrayList<>();
        try {
            for (Table table : Json.MAPPER.readValue(json, Table[].class)) {
                tables.add(new DefinedTable(table.layout(), table.rows == null ? 0 : table.rows));
            }
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new IOException("these are no definitions that this version knows: " + e.getMessage(), e);
        }
        return tables;
    }
}
