package io.summarizer.server.http;

import io.summarizer.core.store.SummaryView;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Writes the rows of a summary, or of its nested one with these field names. */
@FunctionalInterface
interface CsvWriter {
    void write(SummaryView summary, List<String> fields, OutputStream out) throws IOException;
}
