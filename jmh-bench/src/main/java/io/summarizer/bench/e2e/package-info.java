/**
 * Measures a server end to end: a sender process, a socket, a server process, and a third process that takes the time.
 */
@NullMarked
package io.summarizer.bench.e2e;

import org.jspecify.annotations.NullMarked;
