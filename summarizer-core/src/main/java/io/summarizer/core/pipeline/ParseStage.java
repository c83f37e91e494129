package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.queue.BatchQueue;
import io.summarizer.core.queue.RoomWaiters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * The first stage of a pipeline. Holds the parse queue, the receivers that wait because this queue is full, and the
 * progress of the pipeline. Thread-safe.
 */
final class ParseStage {
    final String name;
    final BatchQueue<MessageBatch> parseQueue;

    /**
     * Number of batches that entered the parse queue. When this number equals the number of processed batches, all
     * batches are done.
     */
    final LongAdder submitted = new LongAdder();

    /** Receivers of batches that the parse queue refused. */
    final RoomWaiters roomWaiters;

    private final List<MessageProcessor> processors = new ArrayList<>();

    /**
     * Place in the journal after the last journalled batch that was offered; written by the one thread that offers
     * them.
     */
    private volatile long offered;

    /** The last result of {@link #position}. */
    private long said;

    /** Makes a stage whose queue holds at most {@code queueBytes} bytes. */
    ParseStage(PipelineOptions.Named options, long queueBytes) {
        name = options.name();
        PipelineOptions.Stage parse = options.parse();
        parseQueue = BatchQueue.weighed(
                parse.queue().shared(parse.capacity(), parse.waitPolicy()), queueBytes, MessageBatch::heldBytes);
        roomWaiters = new RoomWaiters(parseQueue);
    }

    /** Adds a processor that works for this pipeline. Call it before any processor works. */
    void add(MessageProcessor processor) {
        processors.add(processor);
    }

    /** Number of batches that were processed. */
    long processed() {
        return processors.stream().mapToLong(MessageProcessor::batches).sum();
    }

    /** Number of batches so far, and of processors. */
    Traffic traffic() {
        long processed = processed(); // read before the number of submitted batches, so that the latter is not smaller
        return new Traffic(submitted.sum(), processed, processors.size());
    }

    boolean offer(MessageBatch batch) {
        long end = batch.endSequence();
        if (end > 0) {
            offered = end; // before the batch can be processed
        }
        if (parseQueue.offer(batch)) {
            submitted.increment();
            return true;
        }
        return false;
    }

    /**
     * The sequence up to which this pipeline has processed its journalled messages. The pipeline has processed all its
     * messages before this sequence and none after it, because batches are offered and taken in the order of the
     * journal. The result is the end of the last processed batch, or {@code handedOver} when nothing is in flight. The
     * result never decreases. Called by one thread at a time, while the gate is closed.
     *
     * @param handedOver sequence up to which all journalled messages were offered, to any pipeline, before this call
     */
    long position(long handedOver) {
        long offered = this.offered;
        long processed = 0;
        for (MessageProcessor processor : processors) {
            processed = Math.max(processed, processor.endSequence());
        }
        // An earlier result stays true, even if batches are in flight now.
        said = Math.max(said, offered <= processed ? Math.max(processed, handedOver) : processed);
        return said;
    }
}
