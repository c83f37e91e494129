package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import java.util.function.Consumer;

/**
 * Takes batches from receivers, each through its own {@link Intake}. No method waits for room, so that event loops may
 * call all of them; a sink without queues processes a batch on the submitting thread, which a cut or a change of
 * definitions holds up. Any thread.
 *
 * <p>A receiver owns a batch from {@link #acquire} until it submits or {@linkplain #release releases} it, and must not
 * use it afterwards.
 */
public abstract class BatchSink {
    /** Receives news about the batches of an {@link Intake}. */
    public interface Receiver {
        /**
         * The sink took a batch, or the part of one for one pipeline. On the intake's thread, while it submits or
         * resumes.
         */
        void taken(int messages);

        /** The sink has no room for the next batch. On the intake's thread, while it submits or resumes. */
        void refused();

        /**
         * The queue that refused a batch is less than half full again, so that the intake can be {@linkplain
         * Intake#resume resumed}. Called once for each refusal, by any thread, possibly during the refusal; must only
         * schedule work elsewhere.
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
     * Divides a submitted batch into batches that can be offered; those of one pipeline keep the order of the messages.
     */
    protected void split(MessageBatch batch, Consumer<MessageBatch> parts) {
        parts.accept(batch);
    }

    /** Takes over a batch made by {@link #split}; false when there is no room. */
    protected abstract boolean offer(MessageBatch batch);

    /**
     * Runs {@code resume} once, soon after the queue that refused {@code batch} is less than half full, or at once if
     * it is already.
     */
    protected abstract void onRoom(MessageBatch batch, Runnable resume);
}
