/**
 * The sources of a job. They read Kafka or files, and emit the same kind of record for both. {@link
 * io.summarizer.flink.source.Sources} is the entry point.
 *
 * <pre>
 *   Kafka partition --record--> KafkaRecords --.
 *                                              +--SourceRecord--> the job
 *   file --block--> FrameFormat --frame--------'
 * </pre>
 *
 * <p>Kafka's fetcher and the reader of a file run on threads of their own. Records are emitted on the thread of the
 * task. The position of a source is part of each checkpoint and agrees with the records that the source emitted before
 * the barrier.
 */
@NullMarked
package io.summarizer.flink.source;

import org.jspecify.annotations.NullMarked;
