package io.summarizer.core.store;

import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Shorthand for tests: layouts in one line, keys from plain objects. */
public final class Rows {
    private Rows() {}

    /** A summary keyed by {@code k0, k1, ...} with values {@code v0, v1, ...}. */
    public static SummaryLayout layout(
            String name, List<KeyType> keys, List<AggregateType> values, SummaryLayout... nested) {
        List<KeyColumn> keyColumns = new ArrayList<>();
        for (KeyType key : keys) {
            keyColumns.add(new KeyColumn(name + "_k" + keyColumns.size(), keyColumns.size() + 1, key));
        }
        List<ValueColumn> valueColumns = new ArrayList<>();
        for (AggregateType value : values) {
            boolean set = value == AggregateType.MULTISET64;
            valueColumns.add(new ValueColumn(
                    name + "_v" + valueColumns.size(), valueColumns.size() + 1, value, set ? 11 : 0, set ? 5 : 0));
        }
        return new SummaryLayout(name, 0, keyColumns, valueColumns, List.of(nested));
    }

    /** An encoded key; each column is null, a Long, a Boolean or a String. */
    public static KeyBuffer key(SummaryLayout layout, @Nullable Object... columns) {
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        key.reset();
        for (int i = 0; i < columns.length; i++) {
            @Nullable Object column = columns[i];
            if (column == null) {
                key.setNull(i);
            } else if (column instanceof String text) {
                byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                key.setString(i, utf8, 0, utf8.length);
            } else if (column instanceof Boolean bool) {
                key.setLong(i, bool ? 1 : 0);
            } else {
                key.setLong(i, ((Number) column).longValue());
            }
        }
        return key;
    }

    /** A sum of integers. */
    public static BigInteger sum(RowCursor row, int column) {
        BigInteger low = new BigInteger(Long.toUnsignedString(row.sum(column)));
        return BigInteger.valueOf(row.high()).shiftLeft(64).add(low);
    }

    /** Adds a text to a column. */
    public static void addText(UpdateBatch batch, int column, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        batch.addString(column, utf8, 0, utf8.length);
    }

    /** Applies one record: the row with this key, and the additions of {@code ops}. */
    public static void apply(SummaryStore store, KeyBuffer key, long stamp, Consumer<UpdateBatch> ops) {
        UpdateBatch batch = new UpdateBatch(256);
        batch.beginRow(0, key, key.hash(), stamp);
        ops.accept(batch);
        batch.endRow();
        store.apply(batch.bytes(), 0);
    }

    /** A store without a bound on rows. */
    public static SummaryStore store(SummaryLayout layout) {
        return new SummaryStore(layout, TableRowCode.of(layout), RowLimit.of(layout, Long.MAX_VALUE));
    }

    /** The last text that a cursor read. */
    public static String text(RowCursor cursor) {
        return new String(cursor.text(), cursor.textOffset(), cursor.textLength(), StandardCharsets.UTF_8);
    }
}
