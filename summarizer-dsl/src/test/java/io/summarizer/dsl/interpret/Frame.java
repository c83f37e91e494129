package io.summarizer.dsl.interpret;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.dedup.IdHash;
import io.summarizer.core.dedup.IdKey;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.UpdateBatch;

/**
 * The input of evaluators: the event, the current elements of loops, and the second half of every result, whether it is
 * null. Belongs to one program.
 */
final class Frame {
    final InputEvent event = new InputEvent();
    final ProgramCounts counts;
    /** Record of the current element, by id of the loop. */
    final int[] loops;
    /** Set by every evaluator of numbers: the result is null, and its value undefined. */
    boolean isNull;

    /** The hash of the event's id. */
    final IdHash ids = new IdHash(new IdKey(0, 0));
    /** Whether the event has an id. */
    boolean hasId;
    /** Whether the current mapping has had no record of this event yet. */
    boolean first;

    private IMessage message;
    private UpdateRouter router;
    private UpdateBatch batch;

    @SuppressWarnings("NullAway.Init") // start comes before every evaluation, a key before every update
    Frame(int loops, int mappings) {
        this.loops = new int[loops];
        counts = new ProgramCounts(mappings);
    }

    void start(IMessage message, UpdateRouter router) {
        this.message = message;
        this.router = router;
    }

    IMessage message() {
        return message;
    }

    UpdateRouter router() {
        return router;
    }

    /** The batch of the open record. */
    UpdateBatch batch() {
        return batch;
    }

    void batch(UpdateBatch batch) {
        this.batch = batch;
    }

    /** A result that is not null. */
    long value(long value) {
        isNull = false;
        return value;
    }

    /** A null result. */
    long none() {
        isNull = true;
        return 0;
    }

    /** A null result that the language counts: overflow, division by zero, an unsigned value beyond int64. */
    long arithmeticNone() {
        counts.nulls.count(0, NullReason.RANGE);
        isNull = true;
        return 0;
    }

    /** A null result that the language counts: text that is no number, or no time. */
    long unreadable(long string) {
        return string == InputEvent.NULL_STRING ? none() : arithmeticNone();
    }

    /** Begins the evaluation of an expression: its failures count once. */
    void begin() {
        counts.nulls.evaluated[0]++;
    }
}
