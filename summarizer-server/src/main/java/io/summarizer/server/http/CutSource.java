package io.summarizer.server.http;

import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.store.Cut;
import java.util.OptionalLong;

/** Where cuts come from. */
@FunctionalInterface
public interface CutSource {
    /** Takes a cut now, which the caller then holds. Blocks for some milliseconds; never called from an event loop, nor by two threads at once. */
    Cut cut() throws InterruptedException;

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

            /** A batch is counted before its worker leaves the gate, so a cut taken later has it. */
            @Override
            public OptionalLong state() {
                return OptionalLong.of(pipeline.counters().batches());
            }
        };
    }
}
