package io.summarizer.core.pipeline;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * The fill of a queue.
 *
 * @param pipeline name of the pipeline that the queue belongs to
 * @param queue {@code parse}, or {@code owner-N}; or {@code journal}, which belongs to all pipelines
 * @param size batches that wait now; for any thread
 * @param capacity batches it holds at most
 * @param bytes of these batches now; for any thread
 * @param bytesMax bytes it holds at most, unless one batch alone has more
 */
public record QueueGauge(
        String pipeline, String queue, IntSupplier size, int capacity, LongSupplier bytes, long bytesMax) {}
