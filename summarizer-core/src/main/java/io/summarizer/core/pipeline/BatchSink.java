package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import java.util.function.Consumer;

/**
 * Where receivers hand over what they read, each through an {@link Intake} of its own. No method waits for room, so that event loops
 * may call all of them; a sink without queues processes a batch where it is submitted, and a cut or a change of definitions holds it
 * up meanwhile. Any thread.
 *
 * <p>A receiver owns a batch from {@link #acquire} until it submits or {@linkplain #release releases} it, and must not touch it
 * afterwards.
 */
public abstract class BatchSink {
    /** Hears how the batches of an {@link Intake} fare. */
    public interface Receiver {
        /** The sink took a batch, or the part of one for one pipeline. On the intake's thread, while it submits or resumes. */
        void taken(int messages);

        /** The sink has no room for the next batch. On the intake's thread, while it submits or resumes. */
        void refused();

        /**
         * The queue that refused a batch fell below half full, so that the intake can be {@linkplain Intake#resume resumed}; once for
         * each refusal. On a thread of the sink's choice, or within the refusal; must only schedule work elsewhere.
         */
        void onRoom();
    }

    /** An empty batch: a pooled one, or a new one when the pool has none. */
    public abstract MessageBatch acquire();

    /** Gives back a batch that is not submitted. */
    public abstract void release(MessageBatch batch);

    /** A way in for one receiver. */
    public final Intake intake(Receiver receiver) {
        return new Intake(this, receiver);
    }

    /**
     * Makes batches that can be offered of one that was submitted, in the order of its messages as far as they belong to the same
     * pipeline.
     */
    protected void split(MessageBatch batch, Consumer<MessageBatch> parts) {
        parts.accept(batch);
    }

    /** Takes a batch that {@link #split} made over; false when there is no room. */
    protected abstract boolean offer(MessageBatch batch);

    /** Has {@code resume} run once, soon after the queue that refused {@code batch} fell below half full; at once when it is already. */
    protected abstract void onRoom(MessageBatch batch, Runnable resume);
}
