package io.summarizer.server.metrics;

import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.Ledger;
import io.summarizer.core.ledger.LedgerCounts;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** Counts of messages by their fate. Read by any thread. */
public record EventCounts(LongSupplier allReceived, LongSupplier allUnmatched, ToLongFunction<Fate> rejectedFor) {
    /** Number of received messages, including all messages that the other methods count. */
    public long received() {
        return allReceived.getAsLong();
    }

    /** Messages whose topic has no event type. */
    public long unmatched() {
        return allUnmatched.getAsLong();
    }

    /** Messages rejected for {@code reason}, one of {@link Fate#rejections}. */
    public long rejected(Fate reason) {
        return rejectedFor.applyAsLong(reason);
    }

    /** Messages rejected for any reason. */
    public long rejected() {
        return Fate.rejections().stream().mapToLong(rejectedFor).sum();
    }

    /** The counts of a changing ledger, such as the ledger of the newest result of a job. */
    public static EventCounts of(Supplier<LedgerCounts> ledger) {
        return new EventCounts(
                () -> ledger.get().total().decided(), () -> ledger.get().total().count(Fate.UNMATCHED), reason -> {
                    LedgerCounts counts = ledger.get();
                    return reason.isOfUpdates()
                            ? counts.mappings().stream()
                                    .mapToLong(mapping -> mapping.account().count(reason))
                                    .sum()
                            : counts.total().count(reason);
                });
    }

    /** The counts of a pipeline. */
    public static EventCounts of(Ledger ledger) {
        return new EventCounts(ledger::processed, ledger::unmatched, ledger::rejected);
    }
}
