/**
 * Summaries as text for other tools: {@link io.summarizer.core.export.CsvExporter} writes one (nested) summary of a cut as
 * CSV.
 *
 * <p>Runs on whichever thread asks for the export, never on an owner or an event loop; reads views only.
 */
@NullMarked
package io.summarizer.core.export;

import org.jspecify.annotations.NullMarked;
