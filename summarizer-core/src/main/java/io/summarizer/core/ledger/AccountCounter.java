package io.summarizer.core.ledger;

import io.summarizer.core.bytes.Opaque;

/**
 * Counts the fates of the messages of one listener, event type or mapping. Each thread that decides fates, a parser
 * worker or an owner, adds to its own row, without atomics; the sum is exact while these threads stand still, and
 * approximate otherwise.
 *
 * <p>An owner that does not fully apply what a worker counted as applied {@linkplain #move moves} it in its own row,
 * where numbers may be negative.
 */
public final class AccountCounter {
    /** Longs before and after the numbers of a row, so that no two threads write to one pair of cache lines. */
    private static final int PAD = 12;

    /** Place in a row of received messages, if the deciding threads count those, too. */
    static final int RECEIVED = PAD + Fate.all().size();

    private static final int ROW = RECEIVED + 1 + PAD;

    private final String name;
    private final long[][] rows;

    /** Counts from before the process began, and of programs that are no longer used. Guarded by the coordinator. */
    private final long[] base = new long[ROW];

    AccountCounter(String name, int threads) {
        this(name, new long[threads][ROW]);
    }

    private AccountCounter(String name, long[][] rows) {
        this.name = name;
        this.rows = rows;
    }

    /** A counter that shares the rows of this one, and begins with its base. */
    AccountCounter successor() {
        AccountCounter next = new AccountCounter(name, rows);
        next.add(base);
        return next;
    }

    /** Place in a row of messages with {@code fate}. */
    public static int slot(Fate fate) {
        return PAD + fate.ordinal();
    }

    /** Sums to which rows are added. */
    static long[] newSums() {
        return new long[ROW];
    }

    /** Counts one message less in {@code from} and one more in {@code to}. */
    static void move(long[] row, Fate from, Fate to) {
        Opaque.add(row, slot(from), -1);
        Opaque.add(row, slot(to), 1);
    }

    String name() {
        return name;
    }

    /** The row of a thread, which adds to it by {@link Opaque}. */
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

    /** Messages with {@code fate} in the rows of all threads, since the process began; approximate. */
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

    /** Adds the base and the rows of {@code count} threads to {@code sums}. */
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

    /** The base and all rows, about current. */
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
