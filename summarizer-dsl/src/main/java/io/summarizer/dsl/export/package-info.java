/**
 * Queries of summaries, compiled: {@link io.summarizer.dsl.export.CsvQueryCompiler} checks the names and the condition
 * of a query against the layout and generates the class that writes its rows.
 *
 * <p>Runs on the threads that export; the programs are immutable.
 */
@NullMarked
package io.summarizer.dsl.export;

import org.jspecify.annotations.NullMarked;
