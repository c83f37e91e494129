/** Measures the cost of a message up to the parse queue. */
@NullMarked
package io.summarizer.bench.receive;

import org.jspecify.annotations.NullMarked;
