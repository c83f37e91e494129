package io.summarizer.bench.chaos;

import static io.summarizer.bench.chaos.ChaosException.require;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * A record of the events that were sent and acknowledged, to compare with the rows of the service. The summary {@code
 * Seen} has a row for each event since the last reset of {@code Seen}; the row says how often the event was counted.
 * For the events before that reset, the book has sums, which must equal the totals of the service. One thread.
 */
final class Book {
    private static final int NAMED_MAX = 10;

    private final boolean knowsTransmissions;
    private final NavigableSet<Long> reportedLost = new TreeSet<>();
    private final long[] onceEvents = new long[Numbered.KEYS];
    private final long[] onceAmounts = new long[Numbered.KEYS];
    private final long[] plainEvents = new long[Numbered.KEYS];
    private final long[] plainAmounts = new long[Numbered.KEYS];

    /**
     * Events whose number is below this one are settled: all of them were in the rows before the summary {@code Seen}
     * was reset.
     */
    private long settled;

    private long journalLost;
    private long plainAgain;

    /**
     * Makes an empty book.
     *
     * @param knowsTransmissions whether the sender knows how often it sent each event
     */
    Book(boolean knowsTransmissions) {
        this.knowsTransmissions = knowsTransmissions;
    }

    /** Number of the first event that is not settled. */
    long settled() {
        return settled;
    }

    /**
     * Number of times that events without {@code dedup} were counted again: when such an event is sent again, the
     * service counts it again.
     */
    long plainAgain() {
        return plainAgain;
    }

    /** Number of events that the service reported lost after its journal was damaged. */
    long reportedLost() {
        return reportedLost.size();
    }

    /** Returns the number of rows that {@code Seen} must have once it has all events that were sent. */
    long rows(long sent) {
        return sent - settled - reportedLost.tailSet(settled).size();
    }

    /**
     * Records the events that the service reported lost.
     *
     * @param numbers numbers of the lost events
     * @param journalled number of lost journalled messages, including the messages of the lost events
     */
    void lost(Set<Long> numbers, long journalled) {
        reportedLost.addAll(numbers);
        journalLost += journalled;
    }

    /**
     * Checks that every event in the rows of {@code Seen} was sent, and was counted at most as often as it was sent. An
     * event with an id must have been counted once. Collects the acknowledged events that are missing.
     *
     * @param sender the sender; {@code acknowledged} was read from it before the rows were pulled, and {@code sent}
     *     afterwards
     */
    Seen check(String csv, long acknowledged, long sent, Sender sender) {
        Rows rows = Rows.parse(csv);
        int number = rows.column("n");
        int times = rows.column("times");
        int[] counted = new int[(int) (sent - settled)];
        long late = 0;
        for (long[] row : rows.rows()) {
            long n = row[number];
            long t = row[times];
            require(n < sent, "event " + n + " was counted and never sent: sent=" + sent);
            require(Numbered.isPlain(n) || t == 1, "event " + n + " has an id and was counted " + t + " times");
            if (n < settled) {
                require(
                        Numbered.isPlain(n) && !knowsTransmissions,
                        "event " + n + " was counted before and is counted again: settled=" + settled);
                late += t;
            } else {
                require(!reportedLost.contains(n), "event " + n + " was reported lost and is there");
                require(
                        t <= sender.transmissions(n),
                        "event " + n + " was sent " + sender.transmissions(n) + " times and counted " + t + " times");
                counted[(int) (n - settled)] = (int) t;
            }
        }
        Set<Long> missing = new HashSet<>();
        for (long n = settled; n < acknowledged; n++) {
            if (counted[(int) (n - settled)] == 0 && !reportedLost.contains(n)) {
                missing.add(n);
            }
        }
        return new Seen(settled, counted, late, missing);
    }

    /** The rows of {@code Seen}. */
    static final class Seen {
        private final long first;
        private final int[] times;
        private final long late;
        private final Set<Long> missing;

        /**
         * The result of a check.
         *
         * @param first number of the first event that is not settled
         * @param times for each event from {@code first} on, the number of times that the event was counted
         * @param late number of times that settled events without an id were counted again
         * @param missing acknowledged events that are not in the rows
         */
        private Seen(long first, int[] times, long late, Set<Long> missing) {
            this.first = first;
            this.times = times;
            this.late = late;
            this.missing = missing;
        }

        /** Acknowledged events that the rows do not have. */
        Set<Long> missing() {
            return missing;
        }

        /** Whether the rows have an event, or the event is settled. */
        boolean has(long number) {
            return number < first || (number < first + times.length && times[(int) (number - first)] > 0);
        }

        /** Requires that no event is missing. */
        void complete() {
            require(
                    missing.isEmpty(),
                    "acknowledged and lost: " + missing.size() + " events, "
                            + missing.stream().sorted().limit(NAMED_MAX).toList());
        }

        private long events(long first, boolean plain) {
            long events = 0;
            for (int i = 0; i < times.length; i++) {
                events += Numbered.isPlain(first + i) == plain ? times[i] : 0;
            }
            return events;
        }
    }

    /** Adds the rows of {@code Seen} to the sums. Called when {@code Seen} is reset. */
    void settle(Seen seen, String csv) {
        int[] times = seen.times;
        for (int i = 0; i < times.length; i++) {
            add(settled + i, times[i]);
        }
        Rows rows = Rows.parse(csv);
        for (long[] row : rows.rows()) {
            long n = row[rows.column("n")];
            if (n < settled) {
                add(n, (int) row[rows.column("times")]);
                plainAgain++;
            }
        }
        settled += times.length;
    }

    /** Adds all events below a number to the sums, each once. */
    void counted(long events) {
        for (long n = settled; n < events; n++) {
            add(n, 1);
        }
        settled = Math.max(settled, events);
    }

    private void add(long number, int times) {
        int key = Numbered.key(number);
        if (Numbered.isPlain(number)) {
            plainEvents[key] += times;
            plainAmounts[key] += times * Numbered.amount(number);
            plainAgain += Math.max(0, times - 1);
        } else {
            onceEvents[key] += times;
            onceAmounts[key] += times * Numbered.amount(number);
        }
    }

    /** Checks that the totals of the service equal the sums of settled events. */
    void checkTotals(String onceCsv, String plainCsv) {
        checkTotals("OnceTotals", onceCsv, onceEvents, onceAmounts);
        checkTotals("PlainTotals", plainCsv, plainEvents, plainAmounts);
    }

    private static void checkTotals(String name, String csv, long[] events, long[] amounts) {
        Rows rows = Rows.parse(csv);
        int key = rows.column("k");
        int eventColumn = rows.column("events");
        int amountColumn = rows.column("amount");
        long[] found = new long[Numbered.KEYS];
        for (long[] row : rows.rows()) {
            int k = (int) row[key];
            require(
                    row[eventColumn] == events[k] && row[amountColumn] == amounts[k],
                    name + " of " + k + ": events=" + row[eventColumn] + " amount=" + row[amountColumn] + " instead of "
                            + events[k] + " and " + amounts[k]);
            found[k] = row[eventColumn];
        }
        for (int k = 0; k < Numbered.KEYS; k++) {
            require(found[k] == events[k], name + " has no row of " + k);
        }
    }

    /**
     * Checks the ledger while no message is in flight. The ledger has to balance, and to agree with the journal and
     * with the rows of each event type.
     *
     * @param journalled sequence after the last message of the journal
     */
    void checkLedger(LedgerCounts ledger, Seen seen, long journalled) {
        ledger.accounts().forEach(account -> {
            require(account.inFlight() == 0, "in flight though nothing is: " + account);
            for (Fate fate : Fate.all()) {
                require(account.count(fate) >= 0, fate.label() + " is negative: " + account);
            }
        });
        Account total = ledger.total();
        long ofEvents = ledger.events().stream().mapToLong(Account::received).sum()
                + ledger.former().received();
        long others = Fate.all().stream()
                .mapToLong(fate -> total.count(fate)
                        - ledger.events().stream()
                                .mapToLong(event -> event.count(fate))
                                .sum()
                        - ledger.former().count(fate))
                .sum();
        require(total.received() == ofEvents + others, "listeners and event types do not agree:\n" + ledger);
        Account relp = account(ledger.listeners(), "relp");
        require(
                relp.received() == journalled && relp.count(Fate.LOST) == journalLost,
                "the journal has " + journalled + " messages, " + journalLost + " lost ones among them, the ledger "
                        + relp);
        Account once = account(ledger.events(), "Once");
        Account plain = account(ledger.events(), "Plain");
        long onceCounted = Arrays.stream(onceEvents).sum() + seen.events(settled, false);
        long plainCounted = Arrays.stream(plainEvents).sum() + seen.events(settled, true) + seen.late;
        require(
                once.count(Fate.APPLIED) == onceCounted && once.rejected() == 0 && once.count(Fate.FILTERED) == 0,
                "the rows have " + onceCounted + " events with an id, the ledger " + once);
        require(
                plain.count(Fate.APPLIED) == plainCounted && plain.decided() == plainCounted,
                "the rows have " + plainCounted + " events without an id, the ledger " + plain);
        ledger.mappings().forEach(mapping -> {
            long counted = mapping.event().equals("Once") ? onceCounted : plainCounted;
            require(
                    mapping.account().count(Fate.APPLIED) == counted,
                    "the rows have " + counted + " events, the ledger " + mapping.account());
        });
    }

    private static Account account(List<Account> accounts, String name) {
        return accounts.stream()
                .filter(account -> account.name().equals(name))
                .findFirst()
                .orElseGet(() -> LedgerCounts.none(name));
    }
}
