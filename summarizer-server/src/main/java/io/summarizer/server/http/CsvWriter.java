package io.summarizer.server.http;

import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Answers queries on a summary or on a nested summary. A path of field names leads from the top-level summary to the
 * nested summary. Thread-safe.
 */
@FunctionalInterface
interface CsvWriter {
    /**
     * Prepares an answer. This may take long, because it may compile the query. So event loops must not call it.
     *
     * @throws CsvQueryException when the query is wrong, or cannot be answered now
     */
    Rows prepare(SummaryView summary, List<String> fields, CsvQuery query) throws CsvQueryException;

    /** Whether {@link #prepare} would return at once because nothing has to be compiled. Any thread may call it. */
    default boolean isQuick(SummaryView summary, List<String> fields, CsvQuery query) {
        return true;
    }

    /** Rows that can be written once. */
    @FunctionalInterface
    interface Rows {
        /** Makes the steps that write the rows to a stream. Does not write yet. */
        Steps into(OutputStream out);
    }

    /** Rows that are being written, part by part. Belongs to one thread at a time. */
    @FunctionalInterface
    interface Steps extends AutoCloseable {
        /**
         * Writes rows and calls {@code pauses} every few rows; stops when {@code pauses} returns true or all rows are
         * written. Returns whether all rows are written.
         *
         * @throws CsvQueryException when the query takes too much memory or work
         */
        boolean step(BooleanSupplier pauses) throws IOException, CsvQueryException;

        @Override
        default void close() {}
    }
}
