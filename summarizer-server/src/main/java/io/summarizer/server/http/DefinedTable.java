package io.summarizer.server.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowSource;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A summary or a nested summary in {@code GET /definitions}: its definition and the number of its rows. The components
 * are the members of its JSON.
 *
 * @param rows number of rows in memory, of all parent rows together; rows of nested summaries do not count
 * @param window null for a summary without windows
 * @param files the other definitions with which files of closed windows were written; only at the top
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DefinedTable(
        long rows,
        String name,
        int number,
        @Nullable Window window,
        List<Column> key,
        List<Column> value,
        List<DefinedTable> nested,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<DefinedTable> files) {
    public DefinedTable {
        files = files == null ? List.of() : List.copyOf(files); // no member of a nested one
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

    /**
     * The windows of a summary in JSON.
     *
     * @param field name of the key column
     * @param every the width, as {@code 5m}
     * @param zone name of the zone, or its offset; {@code UTC} for the offset zero
     * @param closed number of closed windows that are in files
     */
    public record Window(String field, String every, String zone, int closed) {
        private static final String UTC = "UTC";

        private static @Nullable Window of(SummaryLayout layout, int closed) {
            SummaryWindow window = layout.window();
            return window == null
                    ? null
                    : new Window(
                            layout.keys().get(window.column()).name(),
                            window.every() + window.unit().suffix(),
                            window.zone().equals(ZoneOffset.UTC)
                                    ? UTC
                                    : window.zone().getId(),
                            closed);
        }

        private SummaryWindow window(List<Column> key) {
            int digits = every.length() - every.replaceFirst("\\d+", "").length();
            return new SummaryWindow(
                    key.stream().map(Column::name).toList().indexOf(field),
                    Integer.parseInt(every.substring(0, digits)),
                    CalendarUnit.of(every.substring(digits)),
                    ZoneId.of(zone).normalized());
        }
    }

    /** The summaries of a cut. */
    public static List<DefinedTable> of(Cut cut) {
        return cut.summaries().stream()
                .map(summary -> {
                    List<ClosedWindow> closed = summary.closed().files();
                    DefinedTable inForce = of(summary.layout(), path -> 0);
                    List<DefinedTable> files = closed.stream()
                            .map(RowSource::layout)
                            .distinct()
                            .map(layout -> of(layout, path -> 0))
                            .filter(table -> !table.equals(inForce))
                            .distinct()
                            .toList();
                    return of(summary.layout(), closed.size(), List.of(), summary::rows, files);
                })
                .toList();
    }

    /**
     * A summary and its nested summaries.
     *
     * @param rows function that returns the number of rows of a nested summary; its argument has the positions that
     *     lead to the nested summary, the outermost first
     */
    public static DefinedTable of(SummaryLayout layout, ToLongFunction<List<Integer>> rows) {
        return of(layout, 0, List.of(), rows, List.of());
    }

    private static DefinedTable of(
            SummaryLayout layout,
            int closed,
            List<Integer> path,
            ToLongFunction<List<Integer>> rows,
            List<DefinedTable> files) {
        List<DefinedTable> nested = new ArrayList<>();
        for (SummaryLayout below : layout.nested()) {
            List<Integer> longer = new ArrayList<>(path);
            longer.add(nested.size());
            nested.add(of(below, 0, longer, rows, List.of()));
        }
        return new DefinedTable(
                rows.applyAsLong(path),
                layout.name(),
                layout.number(),
                Window.of(layout, closed),
                layout.keys().stream().map(Column::of).toList(),
                layout.values().stream().map(Column::of).toList(),
                nested,
                files);
    }

    /** The definition. */
    public SummaryLayout layout() {
        return new SummaryLayout(
                name,
                number,
                key.stream().map(Column::key).toList(),
                value.stream().map(Column::value).toList(),
                nested.stream().map(DefinedTable::layout).toList(),
                SummaryLimit.DEFAULT,
                window == null ? null : window.window(key));
    }

    /** Whether closed windows of the summary are in files. */
    public boolean hasFiles() {
        return window != null && window.closed > 0;
    }

    /**
     * Number of rows of the nested summary at {@code path}. The path has one position for each level of nesting; the
     * outermost level comes first. If the path is empty, this is the number of rows of this summary.
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
        } catch (IllegalArgumentException | NullPointerException | NoSuchElementException | DateTimeException e) {
            throw new IOException("these are no definitions that this version knows: " + e.getMessage(), e);
        }
    }
}
