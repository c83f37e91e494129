/**
 * What decoding and evaluating an event costs, ours beside what one would write without it: {@code AdPayloads} holds the messages,
 * each {@code Contender} is one way to decode them. Nothing but JMH runs this.
 */
@NullMarked
package io.summarizer.bench.decode;

import org.jspecify.annotations.NullMarked;
