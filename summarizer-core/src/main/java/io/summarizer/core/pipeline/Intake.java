package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Submits the batches of one receiver to a {@link BatchSink}, in their order, and keeps batches while queues are full.
 * Waiting batches are in no counter: the ledger counts a batch when the sink takes it.
 *
 * <p>One thread at a time. The receiver bounds the number of waiting batches: it stops reading while a batch waits.
 */
public final class Intake {
    private final BatchSink sink;
    private final BatchSink.Receiver receiver;
    private final Runnable onRoom;

    /** Waiting batches, already split, oldest first. */
    private final ArrayDeque<MessageBatch> waiting = new ArrayDeque<>(2);

    private final Consumer<MessageBatch> wait = waiting::addLast;

    /**
     * Whether the sink refused the oldest waiting batch. If so, the sink will call back when the queue that refused the
     * batch is at most half full.
     */
    private boolean refused;

    Intake(BatchSink sink, BatchSink.Receiver receiver) {
        this.sink = sink;
        this.receiver = receiver;
        onRoom = receiver::onRoom;
    }

    /**
     * Hands a batch over for good. The batch enters the sink after the batches that wait already: at once if possible,
     * otherwise later.
     *
     * @param receipt notified of the batch's progress, or null
     */
    public void submit(MessageBatch batch, @Nullable Receipt receipt) {
        batch.receipt(receipt);
        sink.split(batch, wait);
        if (!refused) {
            offer();
        }
    }

    /** Submits the waiting batches again, after the sink has called back. */
    public void resume() {
        refused = false;
        offer();
    }

    private void offer() {
        MessageBatch batch;
        while ((batch = waiting.peekFirst()) != null) {
            int messages = batch.count();
            if (!sink.offer(batch)) {
                refused = true;
                receiver.refused();
                sink.onRoom(batch, onRoom);
                return;
            }
            waiting.removeFirst();
            receiver.taken(messages);
        }
    }

    /** Number of batches that wait for room. */
    public int waiting() {
        return waiting.size();
    }

    /** Memory of the batches that wait for room. */
    public long heldBytes() {
        long held = 0;
        for (MessageBatch batch : waiting) {
            held += batch.heldBytes();
        }
        return held;
    }

    /** Drops the waiting batches, which then count as never received. Returns the number of their messages. */
    public int drop() {
        int messages = 0;
        MessageBatch batch = waiting.peekFirst();
        if (refused && batch != null) {
            sink.forget(batch, onRoom);
            refused = false;
        }
        while ((batch = waiting.pollFirst()) != null) {
            messages += batch.count();
            sink.release(batch);
        }
        return messages;
    }
}
