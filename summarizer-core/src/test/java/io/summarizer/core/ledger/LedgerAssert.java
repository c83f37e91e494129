package io.summarizer.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.store.Cut;
import java.util.List;
import java.util.function.ToLongFunction;

/** Asserts that a ledger balances: each account by itself, and the three ways to count against each other. */
public final class LedgerAssert {
    /** Fates that only listeners have. */
    private static final List<Fate> WITHOUT_EVENT_TYPE =
            List.of(Fate.UNMATCHED, Fate.LOST, Fate.FRAME, Fate.OVERSIZE, Fate.ENVELOPE);

    private LedgerAssert() {}

    /** Asserts that nothing is in flight in a drained pipeline, and that all accounts balance; returns the counts. */
    public static LedgerCounts assertSettled(Pipeline pipeline) throws InterruptedException {
        Cut cut = pipeline.cut();
        LedgerCounts counts = LedgerCounts.of(cut);
        cut.release();
        assertSettled(counts);
        return counts;
    }

    /** As {@link #assertBalances}, and asserts that every message is decided. */
    public static void assertSettled(LedgerCounts counts) {
        assertBalances(counts);
        assertThat(counts.total().inFlight()).as("in flight\n%s", counts).isZero();
    }

    /** Asserts that exact counts balance, with any number in flight. */
    public static void assertBalances(LedgerCounts counts) {
        counts.accounts().forEach(account -> {
            for (Fate fate : Fate.all()) {
                assertThat(account.count(fate)).as("%s of %s", fate, account).isNotNegative();
            }
            assertThat(account.inFlight()).as("in flight of %s", account).isNotNegative();
        });
        for (Account event : counts.events()) {
            assertThat(event.inFlight()).as("in flight of %s", event).isZero();
            for (Fate fate : WITHOUT_EVENT_TYPE) {
                assertThat(event.count(fate)).as("%s of %s", fate, event).isZero();
            }
        }
        for (LedgerCounts.OfMapping mapping : counts.mappings()) {
            assertThat(mapping.account().inFlight())
                    .as("in flight of %s\n%s", mapping, counts)
                    .isZero();
        }
        Account total = counts.total();
        long withoutEventType =
                WITHOUT_EVENT_TYPE.stream().mapToLong(total::count).sum();
        assertThat(total.received())
                .as("received by all listeners\n%s", counts)
                .isEqualTo(ofEvents(counts, Account::received) + withoutEventType + total.inFlight());
        for (Fate fate : Fate.all()) {
            if (!WITHOUT_EVENT_TYPE.contains(fate)) {
                assertThat(ofEvents(counts, account -> account.count(fate)))
                        .as("%s of all event types, and of all listeners\n%s", fate, counts)
                        .isEqualTo(total.count(fate));
            }
        }
    }

    private static long ofEvents(LedgerCounts counts, ToLongFunction<Account> number) {
        return counts.events().stream().mapToLong(number).sum() + number.applyAsLong(counts.former());
    }
}
