package io.summarizer.server.http;

import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.ResetRefusedException;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.Cut;
import java.util.Optional;
import java.util.OptionalLong;

/** Where cuts come from. */
@FunctionalInterface
public interface CutSource {
    /** Takes a cut now, which the caller then holds. Blocks for some milliseconds; never called from an event loop, nor by two threads at once. */
    Cut cut() throws InterruptedException;

    /**
     * Takes a cut, as {@link #cut}, of the summary of this name alone, which is emptied: what it held is in that cut alone.
     * Empty when there is no such summary.
     *
     * @throws ResetRefusedException when too much is kept of what earlier resets took out
     */
    default Optional<Cut> reset(String summary) throws InterruptedException {
        throw new UnsupportedOperationException("these summaries cannot be emptied");
    }

    /** Takes a cut, as {@link #cut}, that is not revoked and slows updates instead: to be held by nobody for long. */
    default Cut checkpoint() throws InterruptedException {
        return cut();
    }

    /**
     * A number that is different whenever more has been processed. A cut taken after it was read holds all there is for as
     * long as it stays the same. Empty: unknown, each cut may differ from the last. Cheap; any thread may ask.
     */
    default OptionalLong state() {
        return OptionalLong.empty();
    }

    /** The cuts of a pipeline. */
    static CutSource of(Pipeline pipeline) {
        return new CutSource() {
            @Override
            public Cut cut() throws InterruptedException {
                return pipeline.cut();
            }

            @Override
            public Cut checkpoint() throws InterruptedException {
                return pipeline.cut(CutLease.Kind.CHECKPOINT);
            }

            @Override
            public Optional<Cut> reset(String summary) throws InterruptedException {
                return pipeline.reset(summary);
            }

            /** A batch is counted before its worker leaves the gate, so a cut taken later has it. Both numbers only grow. */
            @Override
            public OptionalLong state() {
                return OptionalLong.of(pipeline.gauges().version());
            }
        };
    }
}
