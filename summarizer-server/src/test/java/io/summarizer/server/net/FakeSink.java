package io.summarizer.server.net;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.pipeline.BatchSink;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A sink that accepts or refuses as it is told and keeps what it accepted as text. */
final class FakeSink extends BatchSink {
    private final BooleanSupplier room;
    private final List<String> taken = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private final List<Receipt> receipts = new ArrayList<>();
    private final AtomicInteger out = new AtomicInteger();
    private int largestBatchBytes;
    private int batches;

    FakeSink(BooleanSupplier room) {
        this.room = room;
    }

    @Override
    public MessageBatch acquire() {
        out.incrementAndGet();
        return new MessageBatch(MessageBatch.DEFAULT_BYTES);
    }

    @Override
    public void release(MessageBatch batch) {
        out.decrementAndGet();
    }

    @Override
    protected synchronized boolean offer(MessageBatch batch) {
        if (!room.getAsBoolean()) {
            return false;
        }
        for (int i = 0; i < batch.count(); i++) {
            IMessage message = batch.message(i);
            if (message.rejectReason() == RejectReason.NONE) {
                taken.add(text(message, MessageBatch.PAYLOAD));
            } else {
                rejected.add(message.rejectReason() + " " + text(message, MessageBatch.FRAME));
            }
        }
        batches++;
        largestBatchBytes = Math.max(largestBatchBytes, batch.bytes().length);
        if (batch.receipt() != null) {
            receipts.add(batch.receipt());
        }
        batch.clear(); // a reader that still has it sees no messages
        out.decrementAndGet();
        return true;
    }

    @Override
    protected synchronized void onRoom(MessageBatch batch, Runnable resume) {
        waiting.add(resume);
    }

    @Override
    protected synchronized void forget(MessageBatch batch, Runnable resume) {
        waiting.remove(resume);
    }

    /** Tells all refused receivers to try again. */
    void resume() {
        List<Runnable> resumed;
        synchronized (this) {
            resumed = List.copyOf(waiting);
            waiting.clear();
        }
        resumed.forEach(Runnable::run);
    }

    synchronized List<String> taken() {
        return List.copyOf(taken);
    }

    synchronized int takenCount() {
        return taken.size();
    }

    synchronized List<String> rejected() {
        return List.copyOf(rejected);
    }

    /** The receipts of the batches accepted so far, in their order. */
    synchronized List<Receipt> receipts() {
        return List.copyOf(receipts);
    }

    /** Removes and returns the receipts of the batches accepted since the last call. */
    synchronized List<Receipt> takeReceipts() {
        List<Receipt> taken = new ArrayList<>(receipts);
        receipts.clear();
        return taken;
    }

    /** Number of batches accepted so far. */
    synchronized int batches() {
        return batches;
    }

    synchronized int largestBatchBytes() {
        return largestBatchBytes;
    }

    synchronized int waitingCount() {
        return waiting.size();
    }

    /** Batches that receivers hold. */
    int heldBatches() {
        return out.get();
    }

    private static String text(IMessage message, int field) {
        return new String(message.bytes(), message.offset(field), message.length(field), StandardCharsets.UTF_8);
    }
}
