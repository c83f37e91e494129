package io.summarizer.core.export;

import java.util.Locale;

/** The kind of program that a CSV is written for. */
public enum CsvProfile {
    /** RFC 4180 with LF line ends: pandas, R, DuckDB and most others read it unaided. */
    RFC4180,
    /**
     * Spreadsheets: a byte order mark, and CRLF. An apostrophe precedes each part of a text that a spreadsheet of any
     * country could take for a formula. Integers of more than 15 digits are written as {@code ="12345678901234567"},
     * because Excel would lose some of their digits.
     */
    EXCEL,
    /**
     * PostgreSQL's {@code COPY ... FROM ... (FORMAT csv, HEADER)}: a null is an unquoted empty field, even as the only
     * field of a line.
     */
    PG;

    /** The word in queries. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
