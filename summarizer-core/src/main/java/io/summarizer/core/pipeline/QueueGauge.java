package io.summarizer.core.pipeline;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The fill of a queue.
 *
 * @param pipeline name of the pipeline that the queue belongs to
 * @param queue {@code parse} or {@code owner-N}, or {@code journal}, which belongs to all pipelines
 * @param size returns the number of batches that wait now; any thread may call it
 * @param capacity maximum number of batches
 * @param bytes returns the bytes of the batches that wait now; any thread may call it
 * @param bytesMax maximum number of bytes; a batch that exceeds it is taken only into an empty queue
 */
public record QueueGauge(
        String pipeline, String queue, IntSupplier size, int capacity, LongSupplier bytes, long bytesMax) {}
