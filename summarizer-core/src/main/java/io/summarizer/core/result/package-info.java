/**
 * Results of jobs that run on several hosts: state files with the rows of one checkpoint, and a manifest that lists
 * them. A job writes files with {@link io.summarizer.core.result.ResultWriter}, and then a {@link
 * io.summarizer.core.result.Manifest}; {@link io.summarizer.core.result.ResultNames} gives all names. Readers open the
 * newest result with {@link io.summarizer.core.result.ResultFolder}.
 *
 * <p>One thread at a time looks for results; any thread reads a result that is held. Imports {@code archive}, {@code
 * disk}, {@code ledger}, {@code snapshot}, {@code state}, {@code store} and {@code text}.
 */
@NullMarked
package io.summarizer.core.result;

import org.jspecify.annotations.NullMarked;
