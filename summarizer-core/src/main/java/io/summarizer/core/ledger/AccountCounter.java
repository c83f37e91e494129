package io.summarizer.core.ledger;

/**
 * Counts what becomes of the messages of one listener, event type or mapping. Each thread that decides, parser worker or owner,
 * adds to a row of its own, without atomics; the sum is exact where those threads stand still, and about as of now elsewhere.
 *
 * <p>An owner that finds something wrong with what a worker counted as applied {@linkplain #move moves} it in its own row, where
 * numbers may be negative.
 */
public final class AccountCounter {
    /** Longs before and behind the numbers of a row, so that no two threads write to one pair of cache lines. */
    private static final int PAD = 12;

    /** Place in a row of the messages that came, where the deciding threads count those, too. */
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

    /** One that goes on with the rows of this one, and begins with what this one has beside them. */
    AccountCounter successor() {
        AccountCounter next = new AccountCounter(name, rows);
        next.add(base);
        return next;
    }

    /** Place in a row of those that came to {@code fate}. */
    public static int slot(Fate fate) {
        return PAD + fate.ordinal();
    }

    /** Sums to add rows to. */
    static long[] newSums() {
        return new long[ROW];
    }

    /** Has one message less in {@code from} and one more in {@code to}. */
    static void move(long[] row, Fate from, Fate to) {
        row[slot(from)]--;
        row[slot(to)]++;
    }

    String name() {
        return name;
    }

    /** The row that a thread adds to. */
    long[] row(int thread) {
        return rows[thread];
    }

    /** Adds to what was counted elsewhere. */
    void add(long[] sums) {
        addAll(sums, base);
    }

    /** Adds to what was counted elsewhere. */
    void add(Account account) {
        base[RECEIVED] += account.received();
        for (Fate fate : Fate.all()) {
            base[slot(fate)] += account.count(fate);
        }
    }

    /** Adds messages that came to {@code fate} elsewhere. */
    void add(Fate fate, long messages) {
        base[slot(fate)] += messages;
    }

    /** Messages that came to {@code fate} here, by all threads, since the process began; about as of now. */
    long here(Fate fate) {
        long sum = 0;
        for (long[] row : rows) {
            sum += row[slot(fate)];
        }
        return sum;
    }

    /** Messages that came to {@code fate} elsewhere. */
    long elsewhere(Fate fate) {
        return base[slot(fate)];
    }

    /** Adds what was counted elsewhere and the rows of {@code count} threads to {@code sums}. */
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

    /** All that was counted, about as of now. */
    long[] sums() {
        long[] sums = newSums();
        addTo(sums, rows.length);
        return sums;
    }

    /** Adds numbers to others. */
    static void addAll(long[] more, long[] sums) {
        for (int i = PAD; i <= RECEIVED; i++) {
            sums[i] += more[i];
        }
    }

    /** Messages that came to a fate. */
    static long decided(long[] sums) {
        long decided = 0;
        for (int i = PAD; i < RECEIVED; i++) {
            decided += sums[i];
        }
        return decided;
    }

    /** The account that {@code sums} come to. */
    static Account account(String name, long received, long[] sums) {
        long[] fates = new long[Fate.all().size()];
        System.arraycopy(sums, PAD, fates, 0, fates.length);
        return new Account(name, received, fates);
    }
}
