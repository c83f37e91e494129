package io.summarizer.core.evolve;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * One column of the rows of a {@link RowBlock}. A column has several parts, depending on its type. State files have
 * these parts in the order of the fields below. Not thread-safe.
 */
public final class Column {
    private static final byte[] NO_FLAGS = {};
    private static final long[] NO_NUMBERS = {};

    /**
     * A flag for each row, 0 or 1. In a key column, 1 means null. In a column of integer or currency sums, 1 means that
     * the sum is wider than 64 bits. In any other value column, 1 means that the row has a value. Empty for types
     * without flags.
     */
    public final byte[] flags;
    /** For each row, the arrival stamp of a first or last value, or 0 when there is no value. Empty for other types. */
    public final long[] stamps;
    /**
     * One number for each row: the value, the bits of a double, the length of a text, or the number of tokens of a set
     * (-1 for a set of registers). It is 0 when there is no value.
     */
    public final long[] numbers;

    /**
     * For each row, the upper 64 bits of a sum that is wider than 64 bits, or 0 for a narrower sum. Empty for types
     * other than integer and currency sums.
     */
    public final long[] highs;

    /** Whether the column has texts or sets. */
    public final boolean hasBlob;

    /**
     * The texts of all rows in order, without gaps. In a column of sets, the tokens and registers instead. Readable up
     * to the buffer's limit.
     */
    public final BlockBuffer blob = new BlockBuffer();

    private Column(int rows, boolean flags, boolean stamps, boolean highs, boolean blob) {
        this.flags = flags ? new byte[rows] : NO_FLAGS;
        this.stamps = stamps ? new long[rows] : NO_NUMBERS;
        numbers = new long[rows];
        this.highs = highs ? new long[rows] : NO_NUMBERS;
        hasBlob = blob;
    }

    /** All columns of a table, for blocks of at most {@code rows}. */
    static List<Column> of(Table table, int rows) {
        List<Column> columns = new ArrayList<>();
        if (table.isNested()) {
            columns.add(new Column(rows, false, false, false, false));
        }
        for (KeyColumn key : table.layout().keys()) {
            columns.add(new Column(rows, true, false, false, key.type() == KeyType.STRING));
        }
        for (ValueColumn value : table.layout().values()) {
            columns.add(of(value.type(), rows));
        }
        return columns;
    }

    private static Column of(AggregateType type, int rows) {
        return switch (type) {
            case SUMINT32, SUMINT64, SUMCURRENCY -> new Column(rows, true, false, true, false);
            case SUMFLOAT, SUMDOUBLE, COUNT -> new Column(rows, false, false, false, false);
            case MININT64, MAXINT64, MINDOUBLE, MAXDOUBLE, MINTIMESTAMP, MAXTIMESTAMP ->
                new Column(rows, true, false, false, false);
            case FIRSTINT64, LASTINT64 -> new Column(rows, true, true, false, false);
            case FIRSTSTRING, LASTSTRING -> new Column(rows, true, true, false, true);
            case MULTISET64 -> new Column(rows, false, false, false, true);
        };
    }

    /** Bytes of texts and sets. */
    int blobBytes() {
        return hasBlob ? blob.limit() : 0;
    }
}
