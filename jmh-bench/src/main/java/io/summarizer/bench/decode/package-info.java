/**
 * Measures the cost of decoding and evaluating an event, and compares it with code written by hand. {@code AdPayloads}
 * has the messages, and each {@code Contender} is a way to decode them. Only JMH runs this.
 */
@NullMarked
package io.summarizer.bench.decode;

import org.jspecify.annotations.NullMarked;
