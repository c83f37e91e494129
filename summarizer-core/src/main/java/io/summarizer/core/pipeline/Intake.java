package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One receiver's way into a {@link BatchSink}: keeps the order of its batches, and those that there is no room for. A batch that waits
 * here counts nowhere; from the moment the sink takes it, it is in the sink's books.
 *
 * <p>One thread at a time. What bounds the batches that wait is the receiver, which reads no more while there are any.
 */
public final class Intake {
    private final BatchSink sink;
    private final BatchSink.Receiver receiver;
    private final Runnable onRoom;

    /** Batches that wait for room, oldest first, divided already. */
    private final ArrayDeque<MessageBatch> waiting = new ArrayDeque<>(2);

    private final Consumer<MessageBatch> wait = waiting::addLast;

    /** Whether the sink refused the oldest, and will say when there is room. */
    private boolean refused;

    Intake(BatchSink sink, BatchSink.Receiver receiver) {
        this.sink = sink;
        this.receiver = receiver;
        onRoom = receiver::onRoom;
    }

    /**
     * Hands a batch over for good. It goes into the sink behind those that wait, at once where there is room.
     *
     * @param receipt told what becomes of it, or null
     */
    public void submit(MessageBatch batch, @Nullable Receipt receipt) {
        batch.receipt(receipt);
        sink.split(batch, wait);
        if (!refused) {
            offer();
        }
    }

    /** Goes on with what waits, when there is room again. */
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

    /** Batches that wait for room. */
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

    /** Gives up what waits for room: it was never received. Returns the number of its messages. */
    public int drop() {
        int messages = 0;
        MessageBatch batch;
        while ((batch = waiting.pollFirst()) != null) {
            messages += batch.count();
            sink.release(batch);
        }
        return messages;
    }
}
