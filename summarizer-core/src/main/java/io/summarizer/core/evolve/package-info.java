/**
 * Changes of definitions while rows exist: {@link io.summarizer.core.evolve.LayoutMatch} matches summaries and columns,
 * {@link io.summarizer.core.evolve.RowTransfer} transfers rows from one layout to another.
 * <pre>
 *   StoreView --TableUnloader--> RowBlock --SummaryLoader, by a LayoutMatch--> Summaries
 * </pre>
 * State files contain the same blocks of rows. So the same rules apply to a reload and to a start with a state file.
 *
 * <p>Runs on its callers' threads. Imports {@code bytes}, {@code sketch}, {@code store} and {@code time}. Other
 * packages read and write the files.
 */
@NullMarked
package io.summarizer.core.evolve;

import org.jspecify.annotations.NullMarked;
