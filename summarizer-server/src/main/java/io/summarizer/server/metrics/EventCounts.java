package io.summarizer.server.metrics;

import io.summarizer.core.message.RejectReason;
import io.summarizer.core.pipeline.PipelineCounters;

/** What became of the messages so far. Read by any thread. */
public interface EventCounts {
    /** Messages taken, all others included. */
    long received();

    /** Messages whose topic no event type takes. */
    long unmatched();

    /** Messages refused for {@code reason}. */
    long rejected(RejectReason reason);

    /** The counts of a pipeline. */
    static EventCounts of(PipelineCounters counters) {
        return new EventCounts() {
            @Override
            public long received() {
                return counters.received();
            }

            @Override
            public long unmatched() {
                return counters.unmatched();
            }

            @Override
            public long rejected(RejectReason reason) {
                return counters.rejected(reason);
            }
        };
    }
}
