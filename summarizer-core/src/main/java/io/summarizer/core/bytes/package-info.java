/**
 * Access to bytes: little-endian reads and writes ({@link Bytes}), searches eight bytes at a time ({@link Swar}), a
 * buffer for one block of a file ({@link BlockBuffer}), bounds on the memory of state ({@link ByteBudget},
 * {@link ByteAccount}), and numbers that one thread writes and others read ({@link Opaque}).
 *
 * <p>Each class says which threads may use it. The package imports no other package of the project.
 */
@NullMarked
package io.summarizer.core.bytes;

import org.jspecify.annotations.NullMarked;
