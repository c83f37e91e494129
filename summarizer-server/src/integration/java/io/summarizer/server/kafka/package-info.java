/** The Kafka listener against a real broker: {@link io.summarizer.server.kafka.KafkaBroker} is that broker. */
@NullMarked
package io.summarizer.server.kafka;

import org.jspecify.annotations.NullMarked;
