/**
 * The compiler of queries on summaries. {@link io.summarizer.dsl.export.CsvQueryCompiler} checks the names and the
 * condition of a query against the layout, and generates the class that writes the rows.
 *
 * <p>The compiler runs on the threads that export. The compiled programs are immutable.
 */
@NullMarked
package io.summarizer.dsl.export;

import org.jspecify.annotations.NullMarked;
