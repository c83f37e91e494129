/**
 * Summaries as text for other tools. {@link io.summarizer.core.export.CsvExporter} writes the rows that a summary or
 * nested summary has in a cut. A {@link io.summarizer.core.export.CsvQuery} selects some of these rows.
 *
 * <p>For each row, the exporter calls a {@link io.summarizer.core.export.CsvRowWriter}. A {@link
 * io.summarizer.core.export.CsvCompiler} makes this row writer for the query. The core defines the interface of row
 * writers, and the language generates the implementations.
 *
 * <p>The package runs on the thread that requests the export, never on an owner or an event loop. It reads only views.
 */
@NullMarked
package io.summarizer.core.export;

import org.jspecify.annotations.NullMarked;
