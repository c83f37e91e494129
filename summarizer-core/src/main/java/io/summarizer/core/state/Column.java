package io.summarizer.core.state;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * One column of the rows of a block, unpacked: filled from rows and written, or read and brought into rows. What a column
 * has follows from its type alone; parts are written in the order of the fields below. One thread.
 */
final class Column {
    private static final byte[] NO_FLAGS = {};
    private static final long[] NO_NUMBERS = {};

    /**
     * Of a key, 1 where it is null; of an integer or currency sum, 1 where it is wider than 64 bits; of another value, 1 where
     * it saw something. Empty for types that have none of these.
     */
    final byte[] flags;
    /** Arrival stamps of first and last values, 0 where there are none. */
    final long[] stamps;
    /** The value, a double's bits, a text's length, or a set's number of tokens, -1 for registers; 0 where there is none. */
    final long[] numbers;

    /** Of sums wider than 64 bits the upper 64, 0 of the others. Empty for all other types. */
    final long[] highs;

    private final boolean hasBlob;
    /** Texts, or tokens and registers of sets, row after row without gaps. */
    final StateBuffer blob = new StateBuffer();

    private Column(int rows, boolean flags, boolean stamps, boolean highs, boolean blob) {
        this.flags = flags ? new byte[rows] : NO_FLAGS;
        this.stamps = stamps ? new long[rows] : NO_NUMBERS;
        numbers = new long[rows];
        this.highs = highs ? new long[rows] : NO_NUMBERS;
        hasBlob = blob;
    }

    /**
     * All columns of a table, for blocks of at most {@code rows}: of a nested one, the parents' ordinals; keys; values.
     *
     * @param version of the format
     */
    static List<Column> of(int version, SummaryLayout layout, boolean nested, int rows) {
        List<Column> columns = new ArrayList<>();
        if (nested) {
            columns.add(new Column(rows, false, false, false, false));
        }
        for (KeyColumn key : layout.keys()) {
            columns.add(new Column(rows, true, false, false, key.type() == KeyType.STRING));
        }
        for (ValueColumn value : layout.values()) {
            columns.add(of(version, value.type(), rows));
        }
        return columns;
    }

    /** How many columns {@link #of} makes. */
    static int count(SummaryLayout layout, boolean nested) {
        return (nested ? 1 : 0) + layout.keys().size() + layout.values().size();
    }

    private static Column of(int version, AggregateType type, int rows) {
        return switch (type) {
            case SUMINT32, SUMINT64, SUMCURRENCY -> new Column(rows, version > 1, false, version > 1, false);
            case SUMFLOAT, SUMDOUBLE, COUNT -> new Column(rows, false, false, false, false);
            case MININT64, MAXINT64, MINDOUBLE, MAXDOUBLE, MINTIMESTAMP, MAXTIMESTAMP ->
                new Column(rows, true, false, false, false);
            case FIRSTINT64, LASTINT64 -> new Column(rows, true, true, false, false);
            case FIRSTSTRING, LASTSTRING -> new Column(rows, true, true, false, true);
            case MULTISET64 -> new Column(rows, false, false, false, true);
        };
    }

    /** Bytes of texts and sets that were read. */
    int blobBytes() {
        return hasBlob ? blob.limit() : 0;
    }

    /** Whether any of the rows has a sum wider than 64 bits. */
    private boolean isWide(int rows) {
        for (int i = 0; i < rows && highs.length > 0; i++) {
            if (flags[i] != 0) {
                return true;
            }
        }
        return false;
    }

    void write(StateBuffer out, int rows) {
        if (flags.length > 0) {
            out.putFlags(flags, rows);
        }
        if (stamps.length > 0) {
            out.putLongs(stamps, rows);
        }
        out.putLongs(numbers, rows);
        if (isWide(rows)) {
            out.putLongs(highs, rows);
        }
        if (hasBlob) {
            out.putInt(blob.position());
            out.putBytes(blob.array(), 0, blob.position());
            blob.clear();
        }
    }

    void read(StateBuffer in, int rows) throws MalformedException {
        if (flags.length > 0) {
            in.getFlags(flags, rows);
        }
        if (stamps.length > 0) {
            in.getLongs(stamps, rows);
        }
        in.getLongs(numbers, rows);
        if (isWide(rows)) {
            in.getLongs(highs, rows);
        }
        if (hasBlob) {
            int length = in.getCount(1);
            blob.fill(length);
            System.arraycopy(in.array(), in.skip(length), blob.array(), 0, length);
        }
    }
}
