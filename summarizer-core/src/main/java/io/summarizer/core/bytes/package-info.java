/**
 * Bytes as the stores and the sketches hold them: plain little-endian access, and chunks that freeze in place.
 *
 * <p>Written by one owner thread; frozen views may be read by any thread. Imports nothing of ours.
 */
@NullMarked
package io.summarizer.core.bytes;

import org.jspecify.annotations.NullMarked;
