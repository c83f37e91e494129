package io.summarizer.bench.state;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.time.CalendarUnit;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes records of updates like those of parser workers. A key is four int64, computed from the number of the row; it
 * may also have the start of a window, or a text.
 */
public final class Updates {
    /** Number of records in a batch from a parser worker. */
    static final int BATCH = 512;

    /** Maximum number of distinct users of a row. Row r has 1 + (r mod {@code MOST_USERS}) users. */
    static final int MOST_USERS = 3;

    /** Width of a window, in µs. */
    static final long HOUR = 3_600_000_000L;

    /** Column of the key that follows the four int64. */
    private static final int FIFTH = 4;

    /** Bytes of a text in a key. */
    private static final int TEXT_BYTES = 40;

    private final boolean wide;
    private final boolean multiset;
    private final @Nullable KeyType fifth;
    private final byte[] text = new byte[TEXT_BYTES];
    private final SummaryLayout layout;
    private final KeyBuffer key;

    /** Start of the window of the next records, if the summary has windows. */
    private long window;

    /**
     * @param fifth type of the key column that follows the four int64: a timestamp for windows, or a string
     */
    private Updates(boolean wide, boolean multiset, @Nullable KeyType fifth) {
        this.wide = wide;
        this.multiset = multiset;
        this.fifth = fifth;
        List<KeyColumn> keys = new ArrayList<>();
        for (String name : List.of("campaign_id", "inventory_id", "creative_id", "segment")) {
            keys.add(new KeyColumn(name, keys.size() + 1, KeyType.INT64));
        }
        boolean windowed = fifth == KeyType.TIMESTAMP;
        if (fifth != null) {
            keys.add(new KeyColumn(windowed ? "hour" : "page", FIFTH + 1, fifth));
        }
        List<ValueColumn> values = new ArrayList<>();
        if (wide) {
            for (int i = 1; i <= 7; i++) {
                add(values, "sum" + i, AggregateType.SUMINT64);
            }
        } else {
            add(values, "impressions", AggregateType.SUMINT32);
        }
        add(values, "media_cost", AggregateType.SUMCURRENCY);
        add(values, "data_cost", AggregateType.SUMCURRENCY);
        if (multiset) {
            values.add(new ValueColumn("users", values.size() + 1, AggregateType.MULTISET64, 11, 5));
        }
        SummaryWindow hours = windowed ? new SummaryWindow(FIFTH, 1, CalendarUnit.HOUR, ZoneOffset.UTC) : null;
        layout = new SummaryLayout("Campaigns", 0, keys, values, List.of(), SummaryLimit.DEFAULT, hours);
        key = new KeyBuffer(new KeyLayout(keys));
    }

    private static void add(List<ValueColumn> values, String name, AggregateType type) {
        values.add(new ValueColumn(name, values.size() + 1, type, 0, 0));
    }

    /** Makes updates for rows of seven sumint64, two sumcurrency and a multiset. */
    static Updates wide() {
        return wide(true);
    }

    /** Makes updates for rows of seven sumint64, two sumcurrency and perhaps a multiset. */
    static Updates wide(boolean multiset) {
        return new Updates(true, multiset, null);
    }

    /** Makes updates for rows of the reference workload: a sumint32, two sumcurrency and perhaps a multiset. */
    public static Updates reference(boolean multiset) {
        return new Updates(false, multiset, null);
    }

    /** Makes updates like {@link #reference}, but without a multiset and in windows of an hour. */
    static Updates windowed() {
        return new Updates(false, false, KeyType.TIMESTAMP);
    }

    /** Makes updates like {@link #reference}, but each key also has a text of 40 bytes. */
    public static Updates withTexts(boolean multiset) {
        return new Updates(false, multiset, KeyType.STRING);
    }

    /** Sets the window of the next records. */
    void window(long start) {
        window = start;
    }

    /** The layout of the rows. */
    public SummaryLayout layout() {
        return layout;
    }

    /** Sets the key of a row. */
    public static void fill(KeyBuffer key, int row) {
        key.reset();
        key.setLong(0, row % 200);
        key.setLong(1, row / 200 % 150);
        key.setLong(2, row % 1_000);
        key.setLong(3, row);
    }

    private void fillAll(int row) {
        fill(key, row);
        if (fifth == KeyType.TIMESTAMP) {
            key.setLong(FIFTH, window);
        } else if (fifth == KeyType.STRING) {
            Bytes.putInt(text, 0, row);
            key.setString(FIFTH, text, 0, TEXT_BYTES);
        }
    }

    /** Appends one record. */
    interface Append {
        /** Appends record {@code j} of batch {@code i}. */
        void to(UpdateBatch batch, int i, int j);
    }

    /** Full batches. */
    static UpdateBatch[] batches(int count, Append append) {
        UpdateBatch[] batches = new UpdateBatch[count];
        for (int i = 0; i < count; i++) {
            batches[i] = batch();
            for (int j = 0; j < BATCH; j++) {
                append.to(batches[i], i, j);
            }
        }
        return batches;
    }

    /** Makes full batches for random rows below {@code rows}. */
    UpdateBatch[] uniform(int count, int rows) {
        SplittableRandom random = new SplittableRandom(1);
        return batches(count, (batch, i, j) -> {
            int row = random.nextInt(rows);
            appendEvent(batch, row, i, user(row, j));
        });
    }

    /** Appends an update of every column of row {@code row}. */
    public void append(UpdateBatch batch, int row, long stamp, long user) {
        fillAll(row);
        batch.beginRow(0, key, key.hash(), stamp);
        int column = 0;
        if (wide) {
            for (; column < 7; column++) {
                batch.addLong(column, column + 1);
            }
        } else {
            batch.addLong(column++, 1);
        }
        batch.addLong(column++, 4_219);
        batch.addLong(column++, 312);
        if (multiset) {
            batch.addLong(column, user);
        }
        batch.endRow();
    }

    /** Appends the update of row {@code row} that one event makes: a sum, two amounts and a user. */
    void appendEvent(UpdateBatch batch, int row, long stamp, long user) {
        if (!wide) {
            append(batch, row, stamp, user);
            return;
        }
        fillAll(row);
        batch.beginRow(0, key, key.hash(), stamp);
        batch.addLong(0, 1);
        batch.addLong(7, 4_219);
        batch.addLong(8, 312);
        if (multiset) {
            batch.addLong(9, user);
        }
        batch.endRow();
    }

    /**
     * Makes rows 0 to {@code rows} - 1 in a scattered order, each with 1 to 3 distinct users. Passes batches of updates
     * to {@code owner}, which must not keep the batches.
     */
    void fill(int rows, Consumer<UpdateBatch> owner) {
        UpdateBatch batch = batch();
        for (int round = 0; round < MOST_USERS; round++) {
            for (long i = 0; i < rows; i++) {
                int row = (int) permuted(i, rows);
                if (row % MOST_USERS >= round) {
                    append(batch, row, i, user(row, round));
                    if (batch.records() == BATCH) {
                        owner.accept(batch);
                        batch.clear();
                    }
                }
            }
        }
        owner.accept(batch);
    }

    /**
     * Returns element {@code i} of a permutation of 0 to {@code rows} - 1. The permutation multiplies by a prime, which
     * must not divide {@code rows}.
     */
    private static long permuted(long i, long rows) {
        return i * 1_000_000_007L % rows;
    }

    /**
     * Returns the hash of one user of row {@code row}. The index of the user is {@code number} modulo the count of the
     * row's users.
     */
    static long user(int row, int number) {
        return scatter((long) row * MOST_USERS + number % (1 + row % MOST_USERS));
    }

    /** Makes an empty batch. */
    static UpdateBatch batch() {
        return new UpdateBatch(BATCH * 192);
    }

    /** A bijection on 64 bits that scatters neighbours: the finalizer of SplitMix64. */
    public static long scatter(long value) {
        long z = (value + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** Returns a number below {@code bound}, made from the scattered bits of {@code value}. */
    static int below(long value, int bound) {
        return (int) (((scatter(value) >>> 32) * bound) >>> 32);
    }
}
