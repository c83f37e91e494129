/**
 * Exports to files, when a window closes or at regular times. {@link io.summarizer.core.deliver.Exports} delivers the
 * files of all configured {@link io.summarizer.core.deliver.Export}s on one thread of its own.
 *
 * <p>An export is a pull to a file: {@code export} writes the rows. This package decides when a file is due, makes it
 * appear in one step, and remembers durably which files were delivered. Reads files of closed windows and cuts, never a
 * store.
 */
@NullMarked
package io.summarizer.core.deliver;

import org.jspecify.annotations.NullMarked;
