package io.summarizer.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerMetricsTest {
    private static LedgerCounts counts(long received, long applied, long late) {
        long[] fates = new long[Fate.all().size()];
        fates[Fate.APPLIED.ordinal()] = applied;
        fates[Fate.LATE.ordinal()] = late;
        return new LedgerCounts(
                List.of(),
                List.of(),
                List.of(new LedgerCounts.OfMapping(
                        "e", "S", new Account("m", received, fates), new Account("m", received, fates))),
                LedgerCounts.none("former"));
    }

    @Test
    void aMessageWhoseUpdatesAreAllRefusedLeavesNoNegativeNumber() {
        LedgerCounts evaluated = counts(1, 1, 0);
        LedgerCounts refused = counts(0, -3, 3); // three rows of one message
        LedgerCounts all = LedgerMetrics.consistent(evaluated.plus(refused));
        Account mapping = all.mappings().get(0).account();
        assertThat(mapping.count(Fate.APPLIED)).isZero();
        assertThat(mapping.count(Fate.LATE)).isEqualTo(3);
        assertThat(mapping.received()).isEqualTo(3);
        assertThat(mapping.inFlight()).isZero();
        assertThat(LedgerMetrics.updates(all, "S")).isZero();
        assertThat(LedgerMetrics.consistent(counts(5, 4, 1)).mappings().get(0).account())
                .isEqualTo(counts(5, 4, 1).mappings().get(0).account());
    }
}
