package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.queue.BatchQueue;
import java.util.concurrent.atomic.LongAdder;

/** The first half of a named pipeline: its parse queue, who waits for room in it, and what went through. Thread-safe. */
final class Lane {
    final String name;
    final BatchQueue<MessageBatch> parseQueue;

    /** Batches that entered the parse queue; with those processed it tells when all is quiet. */
    final LongAdder submitted = new LongAdder();

    final LongAdder processed = new LongAdder();
    private final RoomWaiters roomWaiters = new RoomWaiters();

    Lane(PipelineOptions.Lane options) {
        name = options.name();
        PipelineOptions.Stage parse = options.parse();
        parseQueue = parse.queue().shared(parse.capacity(), parse.waitPolicy());
    }

    boolean offer(MessageBatch batch) {
        if (parseQueue.offer(batch)) {
            submitted.increment();
            return true;
        }
        return false;
    }

    /** As {@link BatchSink#onRoom}. */
    void onRoom(Runnable resume) {
        roomWaiters.add(resume);
        if (hasRoom()) {
            roomWaiters.resumeAll();
        }
    }

    /** After a batch was taken. */
    void resumeReceivers() {
        if (roomWaiters.any() && hasRoom()) {
            roomWaiters.resumeAll();
        }
    }

    private boolean hasRoom() {
        return parseQueue.size() <= parseQueue.capacity() / 2;
    }
}
