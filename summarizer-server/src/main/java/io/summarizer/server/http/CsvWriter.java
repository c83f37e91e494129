package io.summarizer.server.http;

import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Answers queries of a summary, or of its nested one with these field names. Thread-safe. */
@FunctionalInterface
interface CsvWriter {
    /**
     * Gets ready to write; may compile, so never on an event loop.
     *
     * @throws CsvQueryException when the query is wrong, or cannot be answered now
     */
    Rows prepare(SummaryView summary, List<String> fields, CsvQuery query) throws CsvQueryException;

    /** Whether {@link #prepare} would be done at once, without compiling. Any thread may ask. */
    default boolean isQuick(SummaryView summary, List<String> fields, CsvQuery query) {
        return true;
    }

    /** Rows, ready to be written once. */
    @FunctionalInterface
    interface Rows {
        /** Their way into a stream. Nothing is written yet. */
        Steps into(OutputStream out);
    }

    /** Rows on their way. Belongs to one thread at a time. */
    @FunctionalInterface
    interface Steps extends AutoCloseable {
        /**
         * Writes on until all is written, which it says, or {@code pauses}, asked every few rows, does.
         *
         * @throws CsvQueryException when the query takes too much memory or work
         */
        boolean step(BooleanSupplier pauses) throws IOException, CsvQueryException;

        @Override
        default void close() {}
    }
}
