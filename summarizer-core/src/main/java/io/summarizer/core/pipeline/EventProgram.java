package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.IdKey;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.store.ValueLimits;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the messages of one event type: decode the payload, evaluate the mappings, emit updates. Made by the
 * language from checked definitions, one instance for each parser worker; not thread-safe, and free to reuse its buffers.
 */
public interface EventProgram {
    /**
     * Processes one message. Nothing is emitted for a message that is rejected.
     *
     * @param active for each mapping of the event type, in the order of {@link Plan.Event#mappings()}, whether its own
     *     topic pattern (if any) matched
     * @return null when all is well, else why the payload was rejected: a short text for people
     */
    @Nullable
    String process(IMessage message, boolean[] active, UpdateRouter router);

    /** Says what ids are hashed with; before the first message, where the event type has {@link Plan#dedups}. */
    default void useIdKey(IdKey key) {}

    /** Says how long keys and texts may be; before the first message. */
    default void useLimits(ValueLimits limits) {}

    /**
     * The first key or text of the last message that was too long and is refused, and its bound: a short text for people. Only
     * when {@link ProgramCounts#tooLong} grew with that message.
     */
    default String tooLong() {
        throw new IllegalStateException("nothing was too long");
    }

    /** Counters of this instance; written by its worker, read at a cut (when no worker is inside the gate). */
    ProgramCounts counts();
}
