package io.summarizer.core.export;

import java.util.List;
import java.util.function.Supplier;

/**
 * A query compiled for one summary or nested summary. Immutable, shared by all threads.
 *
 * @param columns names of the written columns, in order
 * @param newWriter makes a writer for one export
 */
public record CsvProgram(List<String> columns, Supplier<CsvRowWriter> newWriter) {}
