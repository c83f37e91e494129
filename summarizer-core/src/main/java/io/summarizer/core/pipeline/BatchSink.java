package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import java.util.function.Consumer;

/**
 * Takes batches from receivers; each receiver has its own {@link Intake}. No method waits for a full queue, so event
 * loops may call all methods. A sink without queues processes a batch on the submitting thread. In this case, the
 * thread waits while a cut is taken or definitions change. Any thread.
 *
 * <p>A receiver owns a batch from {@link #acquire} until the receiver submits the batch, or gives it back with {@link
 * #release}. After that, the receiver must not use the batch.
 */
public abstract class BatchSink {
    /** Receives news about the batches of an {@link Intake}. */
    public interface Receiver {
        /**
         * Reports that the sink took a batch, or the part of a batch for one pipeline. Called on the intake's thread,
         * while this thread submits or resumes.
         */
        void taken(int messages);

        /**
         * Reports that the sink refused the next batch, because a queue is full. Called on the intake's thread, while
         * this thread submits or resumes.
         */
        void refused();

        /**
         * Reports that a queue is at most half full again after it refused a batch, so that the intake can be
         * {@linkplain Intake#resume resumed}. Called once for each refusal, by any thread, possibly during the refusal.
         * The implementation may only schedule work elsewhere.
         */
        void onRoom();
    }

    /** An empty batch: a pooled one, or a new one when the pool has none. */
    public abstract MessageBatch acquire();

    /** Gives back a batch that was not submitted. */
    public abstract void release(MessageBatch batch);

    /** An intake for one receiver. */
    public final Intake intake(Receiver receiver) {
        return new Intake(this, receiver);
    }

    /**
     * Divides a submitted batch into batches that can be offered. The batches of one pipeline keep the order of the
     * messages.
     */
    protected void split(MessageBatch batch, Consumer<MessageBatch> parts) {
        parts.accept(batch);
    }

    /** Takes over a batch that {@link #split} made. Returns false, and takes nothing, when the queue is full. */
    protected abstract boolean offer(MessageBatch batch);

    /**
     * Runs {@code resume} once, when the queue that refused {@code batch} is at most half full. This may be immediately
     * or later.
     */
    protected abstract void onRoom(MessageBatch batch, Runnable resume);

    /** Forgets {@code resume}, if {@link #onRoom} got it for {@code batch} and did not run it. */
    protected abstract void forget(MessageBatch batch, Runnable resume);
}
