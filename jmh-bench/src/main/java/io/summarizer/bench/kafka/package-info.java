/** Topics of a real Kafka broker to measure with. Used by the thread of a command. */
@NullMarked
package io.summarizer.bench.kafka;

import org.jspecify.annotations.NullMarked;
