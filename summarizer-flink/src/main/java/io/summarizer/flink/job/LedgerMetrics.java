package io.summarizer.flink.job;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import java.util.function.Supplier;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of a job, by the names that a service has at {@code /metrics}. A job counts messages where they are
 * evaluated, and refused updates where the rows are. Stateless.
 */
public final class LedgerMetrics {
    private LedgerMetrics() {}

    /**
     * Adds the metrics of an operator that evaluates messages.
     *
     * @param counts the counts so far; any thread may ask
     * @param faults the number of messages that faults of this program lost; any thread may ask
     */
    public static void ofMessages(MetricGroup group, Supplier<LedgerCounts> counts, Supplier<Long> faults) {
        gauge(group, "summarizer_failures_total", faults);
        gauge(group, "summarizer_received_total", () -> counts.get().total().received());
        gauge(group, "summarizer_unmatched_total", () -> counts.get().total().count(Fate.UNMATCHED));
        for (Fate fate : Fate.all()) {
            if (fate.isRejection() && !fate.isOfUpdates()) {
                rejected(group, fate, () -> counts.get().total().count(fate));
            }
        }
    }

    /**
     * Adds the metrics of an operator that has rows.
     *
     * @param counts the counts so far; any thread may ask
     * @param faults the number of updates that faults of this program lost; any thread may ask
     */
    public static void ofUpdates(MetricGroup group, Supplier<LedgerCounts> counts, Supplier<Long> faults) {
        gauge(group, "summarizer_failures_total", faults);
        for (Fate fate : Fate.all()) {
            if (fate.isOfUpdates()) {
                rejected(
                        group,
                        fate,
                        () -> counts.get().mappings().stream()
                                .mapToLong(mapping -> mapping.account().count(fate))
                                .sum());
            }
        }
    }

    private static void rejected(MetricGroup group, Fate fate, Supplier<Long> count) {
        gauge(group.addGroup("reason", fate.label()), "summarizer_rejected_total", count);
    }

    /** Adds a gauge. */
    public static void gauge(MetricGroup group, String name, Supplier<Long> value) {
        var unused = group.gauge(name, (Gauge<Long>) value::get);
    }

    /**
     * Returns the counts of all subtasks, corrected so that no number is negative. Evaluation counts a message once for
     * each mapping, but owners count each update that they refuse. So owners may have refused more updates of a mapping
     * than the mapping received messages. Each refused update reduces the number applied, so this number may be
     * negative. In this case, the numbers received and applied are increased until the number applied is 0.
     */
    public static LedgerCounts consistent(LedgerCounts counts) {
        return new LedgerCounts(
                counts.listeners(),
                counts.events(),
                counts.mappings().stream()
                        .map(mapping -> new LedgerCounts.OfMapping(
                                mapping.event(),
                                mapping.summary(),
                                consistent(mapping.account()),
                                consistent(mapping.sinceReset())))
                        .toList(),
                counts.former(),
                counts.nulls());
    }

    private static Account consistent(Account account) {
        long more = Math.max(0, -account.count(Fate.APPLIED));
        long[] fates = Fate.all().stream().mapToLong(account::count).toArray();
        fates[Fate.APPLIED.ordinal()] += more;
        return new Account(account.name(), account.received() + more, fates);
    }

    /** Returns the number of updates that all mappings together applied to a summary. */
    public static long updates(LedgerCounts counts, String summary) {
        Account account = counts.intoSummary(summary);
        return account.count(Fate.APPLIED);
    }
}
