/** End to end: a sender process, a socket, a server process, and a stopwatch in a third process. */
@NullMarked
package io.summarizer.bench.e2e;

import org.jspecify.annotations.NullMarked;
