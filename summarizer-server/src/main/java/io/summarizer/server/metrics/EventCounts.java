package io.summarizer.server.metrics;

import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.ledger.LedgerCounts;
import java.util.function.Supplier;

/** Counts of messages by their fate. Read by any thread. */
public interface EventCounts {
    /** Number of received messages, including all messages that the other methods count. */
    long received();

    /** Messages whose topic has no event type. */
    long unmatched();

    /** Messages rejected for {@code reason}, one of {@link Fate#rejections}. */
    long rejected(Fate reason);

    /** Messages rejected for any reason. */
    default long rejected() {
        return Fate.rejections().stream().mapToLong(this::rejected).sum();
    }

    /** The counts of a changing ledger, such as the ledger of the newest result of a job. */
    static EventCounts of(Supplier<LedgerCounts> ledger) {
        return new EventCounts() {
            @Override
            public long received() {
                return ledger.get().total().decided();
            }

            @Override
            public long unmatched() {
                return ledger.get().total().count(Fate.UNMATCHED);
            }

            @Override
            public long rejected(Fate reason) {
                LedgerCounts counts = ledger.get();
                return reason.isOfUpdates()
                        ? counts.mappings().stream()
                                .mapToLong(mapping -> mapping.account().count(reason))
                                .sum()
                        : counts.total().count(reason);
            }
        };
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
            public long rejected(Fate reason) {
                return ledger.rejected(reason);
            }
        };
    }
}
