/**
 * Plain bytes: little-endian access, eight bytes at a time, the contents of a block of a file, and budgets of bytes of
 * state.
 *
 * <p>Each class says which threads may use it. Imports nothing of ours.
 */
@NullMarked
package io.summarizer.core.bytes;

import org.jspecify.annotations.NullMarked;
