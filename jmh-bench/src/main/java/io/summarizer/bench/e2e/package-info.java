/**
 * Measures a server end to end. A sender process sends over a socket to a server process; a third process measures the
 * time.
 */
@NullMarked
package io.summarizer.bench.e2e;

import org.jspecify.annotations.NullMarked;
