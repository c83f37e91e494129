package io.summarizer.server.metrics;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullValues;
import java.util.Set;

/**
 * Writes a ledger in Prometheus text format 0.0.4. All numbers of the ledger are of one moment. A registry could not
 * ensure this, because it reads its gauges one by one. The text declares the numbers as gauges, because they can fall:
 * a message counts as applied until an owner refuses it. Stateless.
 */
final class LedgerText {
    private static final String LISTENER = "summarizer_ledger_listener";
    private static final String EVENT = "summarizer_ledger_event";
    private static final String MAPPING = "summarizer_ledger_mapping";
    private static final String NULLS = "summarizer_null_values_total";
    /** Largest number of expressions shown. The expressions with the most nulls are shown. */
    private static final int EXPRESSIONS_MAX = 500;

    private LedgerText() {}

    /** Returns the metrics of these names, or all metrics when there are no names. */
    static String of(LedgerCounts counts, Set<String> names) {
        StringBuilder text = new StringBuilder();
        if (begin(LISTENER, "Messages by listener and what became of them", names, text)) {
            counts.listeners()
                    .forEach(account -> put(LISTENER, label("listener", account.name()), account, true, text));
        }
        if (begin(EVENT, "Messages by event type and what became of them", names, text)) {
            counts.events().forEach(account -> put(EVENT, label("event", account.name()), account, false, text));
        }
        if (begin(MAPPING, "Messages by mapping of their event type, and what became of them", names, text)) {
            for (LedgerCounts.OfMapping mapping : counts.mappings()) {
                String labels = label("mapping", mapping.name()) + "," + label("summary", mapping.summary());
                put(MAPPING, labels, mapping.account(), false, text);
            }
        }
        if (begin(NULLS, "Failed evaluations of an expression; each failure made a value null", names, text)) {
            NullValues.worst(counts.nulls(), EXPRESSIONS_MAX).forEach(values -> put(values, text));
        }
        return text.toString();
    }

    private static void put(NullValues values, StringBuilder text) {
        String mapping = values.mapping().isEmpty() ? values.event() : values.mapping();
        String labels = label("mapping", mapping) + "," + label("expression", values.expression());
        for (NullReason reason : NullReason.all()) {
            if (values.count(reason) > 0) {
                put(NULLS, labels + "," + label("reason", reason.label()), values.count(reason), text);
            }
        }
    }

    /** Whether any of the metrics is requested. */
    static boolean isAskedFor(Set<String> names) {
        return names.isEmpty()
                || names.contains(LISTENER)
                || names.contains(EVENT)
                || names.contains(MAPPING)
                || names.contains(NULLS);
    }

    private static boolean begin(String name, String help, Set<String> names, StringBuilder text) {
        if (!names.isEmpty() && !names.contains(name)) {
            return false;
        }
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(name.equals(NULLS) ? " counter\n" : " gauge\n");
        return true;
    }

    private static void put(String name, String labels, Account account, boolean listener, StringBuilder text) {
        put(name, labels, "received", account.received(), text);
        for (Fate fate : Fate.all()) {
            if (fate == Fate.LOST && !listener) {
                continue;
            }
            String label = fate.isRejection() ? "rejected_" + fate.label() : fate.label();
            put(name, labels, label, account.count(fate), text);
        }
        if (listener) {
            put(name, labels, "in_flight", Math.max(0, account.inFlight()), text);
        }
    }

    private static void put(String name, String labels, String fate, long value, StringBuilder text) {
        put(name, labels + "," + label("fate", fate), value, text);
    }

    private static void put(String name, String labels, long value, StringBuilder text) {
        text.append(name + '{' + labels + "} " + value + '\n');
    }

    private static String label(String name, String value) {
        return name + "=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }
}
