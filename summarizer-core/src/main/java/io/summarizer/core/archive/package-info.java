/**
 * Closed windows in files, one folder of files for each summary. The entry point is {@link
 * io.summarizer.core.archive.WindowFolder}.
 *
 * <p>One thread writes and deletes files; any thread reads them. Imports {@code bytes}, {@code disk}, {@code state},
 * {@code store} and {@code text}.
 */
@NullMarked
package io.summarizer.core.archive;

import org.jspecify.annotations.NullMarked;
