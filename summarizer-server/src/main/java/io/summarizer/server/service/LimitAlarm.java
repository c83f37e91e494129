package io.summarizer.server.service;

import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Warns when messages were rejected because a summary takes no more keys or windows, or because a key or text is too
 * long. Senders do not notice it, because such messages are acknowledged. There is at most one warning an hour for each
 * mapping. Thread-safe.
 */
public final class LimitAlarm {
    /** Time between two warnings of the same mapping. */
    static final Duration PAUSE = Duration.ofHours(1);

    private final Supplier<List<LedgerCounts.OfMapping>> mappings;
    private final Predicate<String> hasAllWindows;
    private final Consumer<String> log;
    private final LongSupplier nanoTime;

    /** By event type and name of the mapping; guarded by this. */
    private final Map<List<String>, Told> told = new HashMap<>();

    /**
     * Knowledge of a mapping.
     *
     * @param messages rejected messages at the last warning; without a warning, at the start
     * @param warned whether there was a warning
     */
    private record Told(long messages, boolean warned, long atNanos) {
        static final Told NOTHING = new Told(0, false, 0);
    }

    /**
     * Makes an alarm. Messages that were rejected before cause no warning.
     *
     * @param mappings supplies the present accounts of all mappings
     * @param hasAllWindows whether the summary with this name has as many open windows as it may have
     * @param log receives warnings
     * @param nanoTime a clock that never goes back, in ns
     */
    LimitAlarm(
            Supplier<List<LedgerCounts.OfMapping>> mappings,
            Predicate<String> hasAllWindows,
            Consumer<String> log,
            LongSupplier nanoTime) {
        this.mappings = mappings;
        this.hasAllWindows = hasAllWindows;
        this.log = log;
        this.nanoTime = nanoTime;
        for (LedgerCounts.OfMapping mapping : mappings.get()) {
            told.put(key(mapping), new Told(mapping.account().count(Fate.LIMIT), false, 0));
        }
    }

    /** Warns of mappings with newly rejected messages. To be called regularly, and after the last message. */
    synchronized void look() {
        List<LedgerCounts.OfMapping> all = mappings.get();
        told.keySet().retainAll(all.stream().map(LimitAlarm::key).collect(Collectors.toSet()));
        long now = nanoTime.getAsLong();
        for (LedgerCounts.OfMapping mapping : all) {
            Told last = told.getOrDefault(key(mapping), Told.NOTHING);
            long messages = mapping.account().count(Fate.LIMIT);
            if (messages > last.messages && (!last.warned || now - last.atNanos >= PAUSE.toNanos())) {
                told.put(key(mapping), new Told(messages, true, now));
                log.accept(text(mapping, messages - last.messages, hasAllWindows.test(mapping.summary())));
            }
        }
    }

    /** The warning that {@code messages} messages of a mapping were rejected. */
    public static String text(LedgerCounts.OfMapping mapping, long messages, boolean hasAllWindows) {
        String cause = hasAllWindows
                ? "%s has as many open windows as limits.open-windows allows; events of these windows are still taken;"
                        + " a higher limit, or a shorter \"close after\", takes those of other windows"
                : "%s takes no more keys (its limit in the definitions, limits.rows or limits.state), or a key or text"
                        + " is too long (limits.key-bytes, limits.text-bytes); existing rows still take updates";
        return String.format(
                Locale.ROOT,
                "%s: %,d messages were rejected (limit), because " + cause,
                mapping.name(),
                messages,
                mapping.summary());
    }

    private static List<String> key(LedgerCounts.OfMapping mapping) {
        return List.of(mapping.event(), mapping.name());
    }
}
