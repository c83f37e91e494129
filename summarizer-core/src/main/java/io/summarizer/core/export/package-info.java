/**
 * Summaries as text for other tools: {@link io.summarizer.core.export.CsvExporter} writes the rows that a summary or
 * nested summary has in a cut, and a {@link io.summarizer.core.export.CsvQuery} selects among these rows.
 *
 * <p>For each row the exporter calls a {@link io.summarizer.core.export.CsvRowWriter}, which a {@link
 * io.summarizer.core.export.CsvCompiler} made for this query. The core defines the contract of row writers, and the
 * language generates them.
 *
 * <p>Runs on the thread that requests the export, never on an owner or an event loop; reads views only.
 */
@NullMarked
package io.summarizer.core.export;

import org.jspecify.annotations.NullMarked;
