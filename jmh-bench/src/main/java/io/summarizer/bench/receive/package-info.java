/** Measures the cost of a message from the read to the parse queue. */
@NullMarked
package io.summarizer.bench.receive;

import org.jspecify.annotations.NullMarked;
