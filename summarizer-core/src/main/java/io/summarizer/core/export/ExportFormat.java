package io.summarizer.core.export;

import java.util.Locale;

/** The format of exported rows. */
public enum ExportFormat {
    /** A header line and a line for each row, in the dialect of a {@link CsvProfile}. */
    CSV,
    /** A JSON object for each row, in a line of its own. */
    NDJSON;

    /** The word in queries. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The file name of the table with this {@linkplain CsvName#path path}: {@code NAME.csv}, {@code NAME.F.G.ndjson}.
     */
    public String file(String path) {
        return path.replace('/', '.') + '.' + word();
    }
}
