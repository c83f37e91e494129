/**
 * The cost of decoding and evaluating an event, compared with the code that one would write by hand: {@code AdPayloads}
 * has the messages, each {@code Contender} is one way to decode them. Only JMH runs this.
 */
@NullMarked
package io.summarizer.bench.decode;

import org.jspecify.annotations.NullMarked;
