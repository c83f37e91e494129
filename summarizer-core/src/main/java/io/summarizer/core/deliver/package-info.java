/**
 * Exports to files, when a window closes or at regular times. Each configured export is an {@link
 * io.summarizer.core.deliver.Export}. One object, {@link io.summarizer.core.deliver.Exports}, delivers the files of all
 * of them on a thread of its own.
 *
 * <p>An export is a pull to a file; the package {@code export} writes its rows. This package decides when a file is
 * due, makes the file appear in one step, and keeps a durable record of delivered files. It reads cuts and the files of
 * closed windows, but never a store.
 */
@NullMarked
package io.summarizer.core.deliver;

import org.jspecify.annotations.NullMarked;
