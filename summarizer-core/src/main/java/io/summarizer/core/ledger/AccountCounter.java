package io.summarizer.core.ledger;

import io.summarizer.core.bytes.Opaque;

/**
 * Counts the fates of the messages of one listener, event type or mapping. Parser workers and owners decide fates. Each
 * worker and each owner adds to its own row, without atomics. The sum of all rows is exact while all of these threads
 * stand still, and approximate otherwise.
 *
 * <p>A worker may have counted a message as applied before an owner fails to apply it in full. The owner then
 * {@linkplain #move moves} the message to another fate. The owner subtracts and adds in its own row, so numbers in this
 * row may be negative.
 */
public final class AccountCounter {
    /**
     * Number of unused longs before and after the numbers of a row. They prevent two threads from writing to the same
     * pair of cache lines.
     */
    private static final int PAD = 12;

    /**
     * Position of the number of received messages in a row. A row has this number only if the threads that decide fates
     * also count received messages.
     */
    static final int RECEIVED = PAD + Fate.all().size();

    private static final int ROW = RECEIVED + 1 + PAD;

    private final String name;
    private final long[][] rows;

    /** The counts of earlier processes, and of programs that are no longer used. Guarded by the coordinator. */
    private final long[] base = new long[ROW];

    AccountCounter(String name, int threads) {
        this(name, new long[threads][ROW]);
    }

    private AccountCounter(String name, long[][] rows) {
        this.name = name;
        this.rows = rows;
    }

    /**
     * A new counter that shares the rows of this counter. The base of the new counter begins as a copy of this
     * counter's base.
     */
    AccountCounter successor() {
        AccountCounter next = new AccountCounter(name, rows);
        next.add(base);
        return next;
    }

    /** Position of the number of messages with {@code fate} in a row. */
    public static int slot(Fate fate) {
        return PAD + fate.ordinal();
    }

    /** Sums to which rows are added. */
    static long[] newSums() {
        return new long[ROW];
    }

    /** Moves one message from the fate {@code from} to the fate {@code to}. */
    static void move(long[] row, Fate from, Fate to) {
        Opaque.add(row, slot(from), -1);
        Opaque.add(row, slot(to), 1);
    }

    String name() {
        return name;
    }

    /** The row of a thread. Only this thread adds to the row, by {@link Opaque}. */
    long[] row(int thread) {
        return rows[thread];
    }

    /** Adds to the base. */
    void add(long[] sums) {
        addAll(sums, base);
    }

    /** Adds an account to the base. */
    void add(Account account) {
        base[RECEIVED] += account.received();
        for (Fate fate : Fate.all()) {
            base[slot(fate)] += account.count(fate);
        }
    }

    /** Adds messages with {@code fate} to the base. */
    void add(Fate fate, long messages) {
        base[slot(fate)] += messages;
    }

    /** Approximate number of messages with {@code fate} since the process began, from the rows of all threads. */
    long here(Fate fate) {
        long sum = 0;
        for (long[] row : rows) {
            sum += Opaque.get(row, slot(fate));
        }
        return sum;
    }

    /** Messages with {@code fate} in the base. */
    long elsewhere(Fate fate) {
        return base[slot(fate)];
    }

    /** Adds the base, and the rows of {@code count} threads, to {@code sums}. */
    void addTo(long[] sums, int count) {
        addAll(base, sums);
        for (int thread = 0; thread < count; thread++) {
            addRow(thread, sums);
        }
    }

    /** Adds the row of a thread to {@code sums}. */
    void addRow(int thread, long[] sums) {
        addAll(rows[thread], sums);
    }

    /** Approximate current sums of the base and all rows. */
    long[] sums() {
        long[] sums = newSums();
        addTo(sums, rows.length);
        return sums;
    }

    /** Adds {@code more} to {@code sums}. */
    static void addAll(long[] more, long[] sums) {
        for (int i = PAD; i <= RECEIVED; i++) {
            sums[i] += Opaque.get(more, i);
        }
    }

    /** Messages with a fate. */
    static long decided(long[] sums) {
        long decided = 0;
        for (int i = PAD; i < RECEIVED; i++) {
            decided += sums[i];
        }
        return decided;
    }

    /** The account of {@code sums}. */
    static Account account(String name, long received, long[] sums) {
        long[] fates = new long[Fate.all().size()];
        System.arraycopy(sums, PAD, fates, 0, fates.length);
        return new Account(name, received, fates);
    }
}
