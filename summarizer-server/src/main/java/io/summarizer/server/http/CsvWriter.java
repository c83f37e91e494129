package io.summarizer.server.http;

import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Answers queries of a summary, or of its nested one with these field names. Thread-safe. */
@FunctionalInterface
interface CsvWriter {
    /**
     * Gets ready to write; may compile, so never on an event loop.
     *
     * @throws CsvQueryException when the query is wrong, or cannot be answered now
     */
    Rows prepare(SummaryView summary, List<String> fields, CsvQuery query) throws CsvQueryException;

    /** Rows, ready to be written once. */
    @FunctionalInterface
    interface Rows {
        /**
         * Writes them.
         *
         * @throws CsvQueryException when they cannot be; then nothing was written
         */
        void writeTo(OutputStream out) throws IOException, CsvQueryException;
    }
}
