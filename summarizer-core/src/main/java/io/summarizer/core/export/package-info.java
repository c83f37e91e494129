/**
 * Summaries as text for other tools: {@link io.summarizer.core.export.CsvExporter} writes the rows of a (nested)
 * summary of a cut that a {@link io.summarizer.core.export.CsvQuery} selects.
 *
 * <p>Row by row it calls a {@link io.summarizer.core.export.CsvRowWriter}, which a
 * {@link io.summarizer.core.export.CsvCompiler} made for that query: core defines its contract, the language generates
 * it.
 *
 * <p>Runs on the thread that requests the export, never on an owner or an event loop; reads views only.
 */
@NullMarked
package io.summarizer.core.export;

import org.jspecify.annotations.NullMarked;
