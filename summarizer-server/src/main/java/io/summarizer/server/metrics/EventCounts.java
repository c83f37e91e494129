package io.summarizer.server.metrics;

import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.message.RejectReason;
import java.util.stream.Stream;

/** Counts of messages by their fate. Read by any thread. */
public interface EventCounts {
    /** Number of received messages, including all messages that the other methods count. */
    long received();

    /** Messages whose topic has no event type. */
    long unmatched();

    /** Messages rejected for {@code reason}. */
    long rejected(RejectReason reason);

    /** Messages rejected for any reason. */
    default long rejected() {
        return Stream.of(RejectReason.values()).mapToLong(this::rejected).sum();
    }

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
