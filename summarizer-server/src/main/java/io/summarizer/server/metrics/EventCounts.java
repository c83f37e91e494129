package io.summarizer.server.metrics;

import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.message.RejectReason;

/** What became of the messages so far. Read by any thread. */
public interface EventCounts {
    /** Messages taken, all others included. */
    long received();

    /** Messages whose topic no event type takes. */
    long unmatched();

    /** Messages refused for {@code reason}. */
    long rejected(RejectReason reason);

    /** The counts of a pipeline. */
    static EventCounts of(Ledger ledger) {
        return new EventCounts() {
            @Override
            public long received() {
                return ledger.processed();
            }

            @Override
            public long unmatched() {
                return ledger.unmatched();
            }

            @Override
            public long rejected(RejectReason reason) {
                return ledger.rejected(reason);
            }
        };
    }
}
