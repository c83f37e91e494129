package io.summarizer.core.deliver;

import io.summarizer.core.export.CsvName;
import io.summarizer.core.export.CsvProfile;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.Distinct;
import io.summarizer.core.export.ExportFormat;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A table that is written to files, as configured. Immutable.
 *
 * @param to names of the files
 * @param by key columns to group by, null for no groups
 * @param where a condition that chooses rows, empty for all rows
 */
public record Export(
        CsvName table,
        Schedule schedule,
        Format format,
        FilePattern to,
        @Nullable List<String> by,
        String where) {
    public Export {
        by = by == null ? null : List.copyOf(by);
    }

    /** The format of the files. */
    public enum Format {
        CSV,
        /** CSV, compressed with Zstandard. */
        CSV_ZST,
        NDJSON,
        /** A state file with the summary, its nested summaries and its overflow. */
        STATE;

        /** The word in the configuration. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '.');
        }
    }

    /**
     * The times at which files are due: {@code offset} after each multiple of {@code period}, in µs since the epoch.
     *
     * @param period 0 for {@link #CLOSE}
     */
    public record Schedule(long period, long offset) {
        /** A file is due when a window closes. */
        public static final Schedule CLOSE = new Schedule(0, 0);

        public Schedule {
            if (period < 0 || offset < 0 || (offset > 0 && offset >= period)) {
                throw new IllegalArgumentException("period=" + period + ", offset=" + offset);
            }
        }

        /** Whether a file is due when a window closes. */
        public boolean isClose() {
            return period == 0;
        }

        /** The last time at or before {@code now} at which a file was due. */
        long due(long now) {
            return Math.floorDiv(now - offset, period) * period + offset;
        }
    }

    /** The query for the rows, in the order of their keys. */
    public CsvQuery query(SummaryLayout summary) {
        return new CsvQuery(
                List.of(),
                where,
                (by == null ? keys(summary) : by)
                        .stream().map(name -> new CsvQuery.Order(name, false)).toList(),
                Long.MAX_VALUE,
                CsvProfile.RFC4180,
                Distinct.ESTIMATE,
                by == null ? null : new CsvQuery.Grouping(by, ""),
                format == Format.NDJSON ? ExportFormat.NDJSON : ExportFormat.CSV);
    }

    /**
     * The key columns of the table and of the enclosing summaries. A file of one window leaves out the column of the
     * window, because all of its rows have the same window.
     */
    private List<String> keys(SummaryLayout summary) {
        List<String> keys = new ArrayList<>();
        SummaryLayout at = summary;
        at.keys().forEach(key -> keys.add(key.name()));
        SummaryWindow window = summary.window();
        if (window != null && schedule.isClose()) {
            keys.remove(window.column());
        }
        for (String field : table.fields()) {
            at = at.nested().stream()
                    .filter(nested -> nested.name().equals(field))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("there is no table " + table.path()));
            at.keys().forEach(key -> keys.add(key.name()));
        }
        return keys;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "the export of " + table.path() + " to " + to;
    }
}
