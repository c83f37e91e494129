package io.summarizer.core.export;

import java.util.Locale;

/** The reader for whom a CSV is written. */
public enum CsvProfile {
    /** RFC 4180 with LF line ends: pandas, R, DuckDB and most others read it unaided. */
    RFC4180,
    /**
     * Spreadsheets: a byte order mark, CRLF, an apostrophe before each part of a text that a spreadsheet of any country
     * could take for a formula, and integers of more than 15 digits, of which Excel would lose some, as
     * {@code ="12345678901234567"}.
     */
    EXCEL,
    /** {@code COPY ... FROM ... (FORMAT csv, HEADER)}: null is an unquoted empty field, even alone in its line. */
    PG;

    /** The word in queries. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
