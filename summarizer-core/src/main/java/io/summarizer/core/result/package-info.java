/**
 * Results of jobs that run on several hosts: state files with the rows of one checkpoint, and a manifest that lists
 * them. A job writes the files with {@link io.summarizer.core.state.StateWriter}, in this order: the files of the
 * windows that the checkpoint closes, the files of the other rows, the {@link io.summarizer.core.result.Manifest}. All
 * files of one checkpoint have the same summaries. A file of a window has the owner's rows of the window: the rows of
 * the summary, and the rows of its overflow summary if there are any; both without boundaries. A file of other rows
 * has all rows of an owner except those of closed windows, and the part {@link
 * io.summarizer.core.state.SectionWindows}. {@link io.summarizer.core.result.ResultNames} gives all names. Readers
 * open the newest result with {@link io.summarizer.core.result.ResultFolder}.
 *
 * <p>One thread at a time looks for results; any thread reads a result that is held. Imports {@code archive}, {@code
 * bytes}, {@code disk}, {@code ledger}, {@code snapshot}, {@code state}, {@code store} and {@code text}.
 */
@NullMarked
package io.summarizer.core.result;

import org.jspecify.annotations.NullMarked;
