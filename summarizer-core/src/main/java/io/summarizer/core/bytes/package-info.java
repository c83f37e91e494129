/**
 * Plain bytes: little-endian access, eight bytes at a time, the contents of a block of a file, budgets of bytes of
 * state, and numbers that other threads read.
 *
 * <p>Each class says which threads may use it. Imports nothing of ours.
 */
@NullMarked
package io.summarizer.core.bytes;

import org.jspecify.annotations.NullMarked;
