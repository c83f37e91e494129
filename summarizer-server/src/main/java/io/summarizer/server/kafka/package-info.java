/**
 * The Kafka listener. One thread reads records of all partitions, and hands them to the journal as batches. The journal
 * keeps the offsets of records, but not their bytes. So after a crash, the next start reads again the records that no
 * checkpoint covers.
 *
 * <p>{@code KafkaListener} has the thread, which connects and polls. {@code TopicRegistry} finds topics, partitions,
 * and the offsets at which the reading begins. {@code PartitionPauses} knows which partitions are paused, {@code
 * RecordIntake} makes batches, and {@code OffsetCommitter} commits offsets for monitors.
 *
 * <p>The entry points are {@link io.summarizer.server.kafka.KafkaListener} and {@link
 * io.summarizer.server.kafka.KafkaRanges}, which reads records again at a start. Besides this package, only {@code
 * replay} and {@code demo} use Kafka's client. {@code io.summarizer.core.receive} turns records into messages.
 */
@NullMarked
package io.summarizer.server.kafka;

import org.jspecify.annotations.NullMarked;
