package io.summarizer.core.ledger;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fates of all messages that this pipeline received. They are counted by listener, by event type and by mapping. A
 * cut has the exact numbers at its point of the stream. {@link #now} returns approximate present numbers. Any thread.
 *
 * <p>Received messages are counted once per batch, in a {@link LongAdder} of the listener. Fates are counted by the
 * threads that decide them, each in its own rows.
 */
public final class Ledger {
    /** Maximum number of listeners; listeners with a higher number are counted together with the last one. */
    static final int LISTENERS_MAX = 256;
    /** Name of the account of lost messages whose listener is unknown. */
    private static final String JOURNAL = "journal";

    /** Number of parser workers. Threads that decide fates are numbered: first the workers, then the owners. */
    private final int workers;

    private final int threads;
    private final Supplier<Books> books;

    /** Listeners by number; each is added at its first use. Replaced under the monitor. */
    private volatile @Nullable Listener[] listeners = {};

    /** Listeners of an earlier process that have no number now. Guarded by the monitor. */
    private final List<Listener> former = new ArrayList<>();

    /** The messages of one listener, and their fates. */
    static final class Listener {
        final LongAdder received = new LongAdder();
        final AccountCounter decided;

        Listener(String name, int threads) {
            decided = new AccountCounter(name, threads);
        }
    }

    /**
     * An empty ledger.
     *
     * @param workers number of workers; their thread numbers are 0 to workers - 1, and the thread numbers of owners
     *     follow
     * @param books the books in force
     */
    public Ledger(int workers, int owners, Supplier<Books> books) {
        this.workers = workers;
        threads = workers + owners;
        this.books = books;
    }

    /**
     * Gives the listener with this number a name. The listener continues the counts that an earlier process saved under
     * this name. Call this method before the listener hands over messages.
     */
    public synchronized void name(int number, String name) {
        @Nullable Listener[] grown = Arrays.copyOf(listeners, Math.max(listeners.length, number + 1));
        if (number >= LISTENERS_MAX || grown[number] != null) {
            throw new IllegalStateException("listener " + number + " (" + name + ") cannot get a name any more");
        }
        grown[number] = former(name);
        listeners = grown;
    }

    /**
     * The fates of all messages so far. The numbers are read one after the other while threads work, so accounts may
     * not balance.
     */
    public LedgerCounts now() {
        Snapshot snapshot = snapshot();
        for (int owner = workers; owner < threads; owner++) {
            snapshot.add(owner);
        }
        return snapshot.counts();
    }

    /**
     * Counts received messages. Called once for each batch that was taken. At the time of this call, some messages of
     * the batch may already have a fate.
     */
    public void received(int listener, int messages) {
        listener(listener).received.add(messages);
    }

    /**
     * Counts messages as received and lost. The journal took these messages, but they can no longer be read.
     *
     * @param listener number of the listener that took the messages, negative when unknown
     */
    public synchronized void lost(int listener, long messages) {
        Listener of = listener < 0 ? named(JOURNAL) : listener(listener);
        of.received.add(messages);
        of.decided.add(Fate.LOST, messages);
    }

    /** Number of messages that a damaged journal lost, including messages of earlier processes. */
    public long lost() {
        return listeners().stream()
                .mapToLong(listener -> listener.decided.elsewhere(Fate.LOST))
                .sum();
    }

    /** Number of messages, with any fate, that were processed since the pipeline started. */
    public long processed() {
        return listeners().stream()
                .mapToLong(listener ->
                        Fate.all().stream().mapToLong(listener.decided::here).sum())
                .sum();
    }

    /** Number of messages, since the pipeline started, with a topic that no event type takes. */
    public long unmatched() {
        return here(Fate.UNMATCHED);
    }

    /**
     * Number of messages refused since the pipeline started. If the fate is {@linkplain Fate#isOfUpdates() of updates},
     * a message is counted once for each mapping that did not apply the message in full.
     *
     * @param fate a rejection
     */
    public long rejected(Fate fate) {
        return fate.isOfUpdates() ? books.get().rejected(fate) : here(fate);
    }

    private long here(Fate fate) {
        return listeners().stream()
                .mapToLong(listener -> listener.decided.here(fate))
                .sum();
    }

    /** The row in which a worker or owner counts the fates of a listener's messages. */
    public long[] row(int listener, int thread) {
        return listener(listener).decided.row(thread);
    }

    /**
     * Records that an update record did not reach the rows in full. Several threads may find such records of one
     * message. Each mapping then counts the message only once, and so do the accounts of the event type and of the
     * listener. If another process counted the message (see {@link Verdicts#ofUpdates}), the accounts of the event type
     * and of the listener do not change.
     *
     * @param books the books of the definitions for which the record was made
     * @param thread number of the thread that finds the record
     * @return the previous fate of the message for the mapping, if {@code fate} is worse and replaces it; null if the
     *     previous fate stays
     */
    public @Nullable Fate find(Books books, Verdicts verdicts, int thread, long stamp, int mapping, Fate fate) {
        Fate message = verdicts.countsMessages() ? verdicts.find(stamp, Verdicts.MESSAGE, fate) : null;
        if (message != null) {
            AccountCounter.move(books.events[books.eventOf[mapping]].row(thread), message, fate);
            AccountCounter.move(row(verdicts.listener, thread), message, fate);
        }
        Fate before = verdicts.find(stamp, mapping, fate);
        if (before != null) {
            AccountCounter.move(books.mappings[mapping].row(thread), before, fate);
        }
        return before;
    }

    /** The thread number of owner {@code owner}. */
    public int thread(int owner) {
        return workers + owner;
    }

    private Listener listener(int number) {
        int known = Math.min(number, LISTENERS_MAX - 1);
        @Nullable Listener[] listeners = this.listeners;
        Listener listener = known < listeners.length ? listeners[known] : null;
        return listener != null ? listener : add(known);
    }

    private synchronized Listener add(int number) {
        @Nullable Listener[] grown = Arrays.copyOf(listeners, Math.max(listeners.length, number + 1));
        Listener listener = grown[number];
        if (listener == null) {
            listener = former("listener-" + number);
            grown[number] = listener;
            listeners = grown;
        }
        return listener;
    }

    /**
     * Makes a listener. If an earlier process had a listener of this name, continues the counts of that listener.
     * Called under the monitor.
     */
    private Listener former(String name) {
        for (Listener listener : former) {
            if (listener.decided.name().equals(name)) {
                former.remove(listener);
                return listener;
            }
        }
        return new Listener(name, threads);
    }

    /**
     * Continues the counts of the earlier process that saved the pipeline's first state. Leaves out messages that were
     * in flight, because they will be received again, or never. Call this method before listeners hand over messages.
     */
    public synchronized void restore(LedgerCounts counts) {
        for (Account account : counts.listeners()) {
            Listener listener = named(account.name());
            listener.decided.add(account.settled());
            listener.received.add(account.decided());
        }
        books.get().restore(counts);
    }

    /** The listener of this name. If no present listener has the name, adds a listener without a number. */
    private synchronized Listener named(String name) {
        for (Listener listener : listeners) {
            if (listener != null && listener.decided.name().equals(name)) {
                return listener;
            }
        }
        Listener listener = new Listener(name, threads);
        former.add(listener);
        return listener;
    }

    private synchronized List<Listener> listeners() {
        List<Listener> all = new ArrayList<>();
        for (Listener listener : listeners) {
            if (listener != null) {
                all.add(listener);
            }
        }
        all.addAll(former);
        return all;
    }

    /**
     * Takes a snapshot of the counts at one point of the stream. The snapshot becomes exact when the owners have added
     * their counts. Call this method while the gate is closed.
     */
    public synchronized Snapshot snapshot() {
        return new Snapshot(books.get());
    }

    /**
     * The sums of all accounts at one point of the stream. A new snapshot includes only the counts of workers. Then
     * each owner adds its own counts.
     */
    public final class Snapshot {
        private final Books books;
        private final List<Listener> listeners = listeners();
        private final List<AccountCounter> counters;
        /** The sums of each counter: first the counters of listeners, then the counters of the books. */
        private final List<long[]> sums = new ArrayList<>();

        private final long[] received;
        private final List<NullValues> nulls;

        /** Makes a snapshot, under the ledger's monitor. */
        private Snapshot(Books books) {
            this.books = books;
            nulls = books.nulls();
            counters = new ArrayList<>();
            listeners.forEach(listener -> counters.add(listener.decided));
            counters.addAll(books.counters());
            for (AccountCounter counter : counters) {
                long[] sum = AccountCounter.newSums();
                counter.addTo(sum, workers);
                sums.add(sum);
            }
            List<long[]> counted = books.counted();
            for (int mapping = 0; mapping < counted.size(); mapping++) {
                AccountCounter.addAll(counted.get(mapping), sums.get(listeners.size() + books.events.length + mapping));
            }
            // The numbers of received messages are read last, so that they include each message that has a fate.
            received = listeners.stream()
                    .mapToLong(listener -> listener.received.sum())
                    .toArray();
        }

        /**
         * Adds the counts of owner {@code thread}. Call this method on the thread of this owner, or while the owner
         * stands still.
         */
        public synchronized void add(int thread) {
            for (int i = 0; i < sums.size(); i++) {
                counters.get(i).addRow(thread, sums.get(i));
            }
        }

        /** All accounts. Call this method after every owner has added its rows. */
        public synchronized LedgerCounts counts() {
            List<Account> ofListeners = new ArrayList<>();
            for (int i = 0; i < listeners.size(); i++) {
                long[] sum = sums.get(i);
                // The messages of a batch may have fates before the thread that handed the batch over counts them as
                // received.
                long came = Math.max(received[i], AccountCounter.decided(sum));
                ofListeners.add(AccountCounter.account(counters.get(i).name(), came, sum));
            }
            return books.counts(sums.subList(listeners.size(), sums.size()), ofListeners, nulls);
        }
    }
}
