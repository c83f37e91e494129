/** What decoding and evaluating an event costs; nothing but JMH runs this. */
@NullMarked
package io.summarizer.bench.decode;

import org.jspecify.annotations.NullMarked;
