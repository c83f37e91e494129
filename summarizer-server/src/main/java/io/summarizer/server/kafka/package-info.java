/**
 * The Kafka listener. One thread reads records of all partitions, and hands them to the journal as batches. The journal
 * keeps the offsets of records and not their bytes, so a start reads the records again that no checkpoint covers.
 *
 * <p>The entry points are {@link io.summarizer.server.kafka.KafkaListener} and {@link
 * io.summarizer.server.kafka.KafkaRanges}, which reads again at a start. This is the only package that knows Kafka's
 * client. How a record becomes a message belongs to {@code io.summarizer.core.receive}.
 */
@NullMarked
package io.summarizer.server.kafka;

import org.jspecify.annotations.NullMarked;
