package io.summarizer.core.pipeline;

import io.summarizer.core.message.MessageBatch;
import java.util.function.Consumer;

/**
 * Where receivers hand over what they read. No method waits for room, so that event loops may call all of them; a sink without
 * queues processes the batch in {@link #offer}, and a cut or a change of definitions holds it up meanwhile. Every method may be
 * called from any thread.
 *
 * <p>A receiver owns a batch from {@link #acquire} until {@link #offer} returned true or {@link #release} or {@link #drop} was
 * called, and must not touch it afterwards.
 */
public interface BatchSink {
    /** An empty batch: a pooled one, or a new one when the pool has none. */
    MessageBatch acquire();

    /**
     * Makes batches that can be offered of a filled one, which is the sink's from now on: as a rule that batch itself, otherwise
     * one for each pipeline that its messages belong to, of as many messages as a batch may have. The messages are in the
     * order of the batch as far as they belong to the same pipeline.
     */
    void split(MessageBatch batch, Consumer<MessageBatch> parts);

    /**
     * Hands a batch over that {@link #split} made. The sink gives its messages their arrival stamps on the first call; a batch that was
     * refused keeps them.
     *
     * @return false when there is no room: the batch stays with the caller, who offers it again after
     *     {@link #onRoom} said so
     */
    boolean offer(MessageBatch batch);

    /** Gives back a batch that brought no message. */
    void release(MessageBatch batch);

    /** Gives back a batch that {@link #split} made and that is not offered any more: its messages were never received. */
    void drop(MessageBatch batch);

    /**
     * Has {@code resume} run once, soon after the queue that refused {@code batch} fell below half full; at once when it is
     * below half full already. It runs on a thread of the sink's choice, or on the caller's, and must do no more than schedule work elsewhere.
     * Register again after each refusal.
     */
    void onRoom(MessageBatch batch, Runnable resume);
}
