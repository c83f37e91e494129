package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.IdKey;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.core.window.WindowInput;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Processes the messages of one event type: decodes the payload, evaluates the mappings, emits updates. The language
 * makes programs from checked definitions, one instance for each parser worker. A program is not thread-safe, and may
 * reuse its buffers.
 */
public interface EventProgram {
    /**
     * Processes one message. Nothing is emitted for a message that is rejected.
     *
     * @param active for each mapping of the event type, in the order of {@link Plan.Event#mappings()}, whether the
     *     mapping takes the topic; a mapping without a topic pattern takes every topic
     * @return null on success, else a short text with the reason why the payload was rejected
     */
    @Nullable
    String process(IMessage message, boolean[] active, UpdateRouter router);

    /**
     * Sets the secret key with which ids are hashed. Called before the first message, if the event type has {@link
     * Plan#dedups}.
     */
    default void useIdKey(IdKey key) {}

    /** Sets the bounds of keys and texts. Called before the first message. */
    default void useLimits(ValueLimits limits) {}

    /**
     * Sets the windows of the summaries. Called before the first message.
     *
     * @param inputs the windows of a summary, by the position of the summary in {@link Plan#summaries()}; null for a
     *     summary without windows
     */
    default void useWindows(IntFunction<@Nullable WindowInput> inputs) {}

    /**
     * A short text that names the first oversized key or text of the last message, and its bound. Valid only if that
     * message increased {@link ProgramCounts#tooLong}.
     */
    default String tooLong() {
        throw new IllegalStateException("nothing was too long");
    }

    /** Counters of this instance. Its worker writes them; a cut reads them, while no worker is inside the gate. */
    ProgramCounts counts();
}
