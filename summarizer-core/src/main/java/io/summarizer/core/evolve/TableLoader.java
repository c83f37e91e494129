package io.summarizer.core.evolve;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.MalformedException;
import io.summarizer.core.evolve.LayoutMatch.TableMatch;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.StoreLoader;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryStore;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Loads blocks of rows of one table into stores. Checks every value: whatever the columns contain, the loader either
 * adds all values or throws an exception. Not thread-safe; several loaders may share the stores if they share the
 * locks.
 */
final class TableLoader {
    /** The largest valid arrival stamp. Stamps are µs since the epoch; the largest stamp is in the year 38,504. */
    private static final long STAMP_MAX = 1L << 60;

    private final Table table;
    private final TableMatch match;
    private final int firstKey;
    private final int firstValue;
    private final ValueColumn[] values;
    /** For each of {@link #values}, its column in the target; negative if there is none. */
    private final int[] targets;

    private final KeyBuffer key;
    private final KeyLayout targetKey;
    private final LoadTarget target;
    private final WindowOfSection window;
    /** The loaders of the current window, by partition. */
    private final @Nullable StoreLoader[] loaders;

    private final Partitions partitions;

    /** The section for which {@link #loaders} were made. */
    private int section;

    private final ReentrantLock[] locks;
    private final @Nullable RowMap parents;
    private final RowMap map;
    private final boolean mapped;
    private final boolean appends;
    private List<Column> columns = List.of();
    /** For each column, the start of the next row's text or set. */
    private final int[] blobAt;

    private final int[] textAt;
    private byte[] registers = {};
    private long lastStamp;

    /**
     * @param partitions the partitions of the target
     * @param parents destinations of the parent rows, or null in a top-level summary
     * @param mapped whether other tables are nested in this one
     * @param window the window of the current section
     * @param appends whether all keys are different, and the rows are never looked up later
     */
    TableLoader(
            Table table,
            TableMatch match,
            LoadTarget target,
            Partitions partitions,
            ReentrantLock[] locks,
            @Nullable RowMap parents,
            RowMap map,
            boolean mapped,
            WindowOfSection window,
            boolean appends) {
        this.table = table;
        this.match = match;
        this.locks = locks;
        this.partitions = partitions;
        loaders = new StoreLoader[partitions.count()];
        this.parents = parents;
        this.map = map;
        this.mapped = mapped;
        this.target = target;
        this.window = window;
        this.appends = appends;
        SummaryLayout layout = table.layout();
        firstKey = table.isNested() ? 1 : 0;
        firstValue = firstKey + layout.keys().size();
        values = layout.values().toArray(ValueColumn[]::new);
        targets = match.values().stream().mapToInt(Integer::intValue).toArray();
        targetKey = new KeyLayout(match.target().keys());
        key = new KeyBuffer(targetKey);
        blobAt = new int[firstValue + layout.values().size()];
        textAt = new int[blobAt.length];
    }

    /** Returns the loader into a partition, for the window of the section. */
    private StoreLoader loader(int partition) {
        StoreLoader present = loaders[partition];
        if (present != null) {
            return present;
        }
        SummaryStore store = target.store(partition, window.start());
        for (int position : match.path()) {
            store = store.nested(position);
        }
        StoreLoader made = new StoreLoader(store);
        loaders[partition] = made;
        return made;
    }

    /** The greatest stamp so far. */
    long lastStamp() {
        return lastStamp;
    }

    /**
     * Adds all rows of a block.
     *
     * @throws RowRefusedException when a summary is full
     */
    void add(RowBlock block) throws MalformedException, RowRefusedException {
        int rows = block.rows();
        columns = block.columns;
        if (window.column >= 0 && section != window.sections()) {
            section = window.sections();
            Arrays.fill(loaders, null);
        }
        Arrays.fill(blobAt, 0);
        ReentrantLock held = null;
        try {
            for (int i = 0; i < rows; i++) {
                key(i);
                if (window.column >= 0 && parents == null) {
                    if (key.isNull(window.column)) {
                        throw new MalformedException("a row has no window");
                    }
                    window.see(key.number(window.column));
                }
                long hash = appends ? 0 : key.hash();
                // Each partition has an overflow row without a key. So any partition may take this row.
                int partition = match.target().isKeyless() ? partitions.first() : partitions.of(hash);
                int parent = 0;
                if (parents != null) {
                    int ordinal = parentOrdinal(i);
                    partition = parents.partition(ordinal);
                    parent = parents.row(ordinal);
                }
                if (held != locks[partition]) {
                    if (held != null) {
                        held.unlock();
                    }
                    held = locks[partition];
                    held.lock();
                }
                add(i, loader(partition), hash, parent, partition);
            }
        } finally {
            if (held != null) {
                held.unlock();
            }
        }
        for (int i = 0; i < columns.size(); i++) {
            if (blobAt[i] != columns.get(i).blobBytes()) {
                throw new MalformedException("texts or sets of column " + i + " do not add up");
            }
        }
    }

    private int parentOrdinal(int i) throws MalformedException {
        long ordinal = columns.get(0).numbers[i];
        if (parents == null || ordinal < 0 || ordinal >= parents.count()) {
            throw new MalformedException("a row is nested in row " + ordinal + ", which is not there");
        }
        return (int) ordinal;
    }

    private void add(int i, StoreLoader row, long hash, int parent, int partition)
            throws MalformedException, RowRefusedException {
        int id = appends ? row.append(key, parent) : row.enter(key, hash, parent);
        if (id < 0) {
            throw new RowRefusedException(table.path() + ": more rows than one partition of a summary can have");
        }
        if (mapped) {
            map.add(partition, id);
        }
        for (int value = 0; value < targets.length; value++) {
            value(i, values[value], firstValue + value, targets[value], row);
        }
    }

    /**
     * Makes the key of row {@code i}. Reads the texts of the key in their order in the file, and sets them in their
     * order in the definitions.
     */
    private void key(int i) throws MalformedException {
        List<SummaryLayout.KeyColumn> from = table.layout().keys();
        for (int column = 0; column < from.size(); column++) {
            Column numbers = columns.get(firstKey + column);
            if (from.get(column).type() == KeyType.STRING) {
                textAt[firstKey + column] = blob(firstKey + column, numbers.flags[i] != 0 ? 0 : numbers.numbers[i]);
            } else if (numbers.flags[i] == 0) {
                checkRange(from.get(column).type(), numbers.numbers[i]);
            }
        }
        key.reset();
        for (int column = 0; column < match.keys().size(); column++) {
            int source = firstKey + match.keys().get(column);
            Column numbers = columns.get(source);
            if (numbers.flags[i] != 0) {
                key.setNull(column);
            } else if (targetKey.type(column) == KeyType.STRING) {
                key.setString(column, numbers.blob.array(), textAt[source], (int) numbers.numbers[i]);
            } else {
                key.setLong(column, numbers.numbers[i]);
            }
        }
    }

    private static void checkRange(KeyType type, long value) throws MalformedException {
        boolean fits = switch (type) {
            case INT32 -> value == (int) value;
            case UINT32 -> value >>> 32 == 0;
            case BOOL -> value >>> 1 == 0;
            default -> true;
        };
        if (!fits) {
            throw new MalformedException("the key " + value + " is no " + type.keyword());
        }
    }

    private void value(int i, ValueColumn from, int index, int to, StoreLoader row) throws MalformedException {
        Column column = columns.get(index);
        if (column.highs.length == 0 && column.flags.length > 0 && column.flags[i] == 0) {
            return;
        }
        long number = column.numbers[i];
        switch (from.type()) {
            case SUMINT32, SUMINT64, SUMCURRENCY -> {
                if (to >= 0) {
                    row.addSum(to, number, column.flags[i] != 0 ? column.highs[i] : number >> 63);
                }
            }
            case COUNT, MININT64, MAXINT64, MINTIMESTAMP, MAXTIMESTAMP -> {
                if (to >= 0) {
                    row.addLong(to, number);
                }
            }
            case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> {
                double value = Double.longBitsToDouble(number);
                if (!Double.isFinite(value)) {
                    throw new MalformedException("the value " + value);
                }
                if (to >= 0) {
                    row.addDouble(to, value);
                }
            }
            case FIRSTINT64, LASTINT64 -> {
                if (to >= 0) {
                    row.addStamped(to, stamp(column.stamps[i]), number);
                }
            }
            case FIRSTSTRING, LASTSTRING -> {
                int at = blob(index, number);
                if (to >= 0) {
                    row.addText(to, stamp(column.stamps[i]), column.blob.array(), at, (int) number);
                }
            }
            case MULTISET64 -> set(number, from, index, to, row);
        }
    }

    private long stamp(long stamp) throws MalformedException {
        if (stamp < 0 || stamp > STAMP_MAX) {
            throw new MalformedException("the arrival stamp " + stamp);
        }
        lastStamp = Math.max(lastStamp, stamp);
        return stamp;
    }

    private void set(long number, ValueColumn from, int index, int to, StoreLoader row) throws MalformedException {
        byte[] bytes = columns.get(index).blob.array();
        if (number == -1) {
            int at = blob(index, PackedRegisters.bytes(from.log2m(), from.regwidth()));
            if (to < 0) {
                return;
            }
            ValueColumn target = match.target().values().get(to);
            if (registers.length != 1 << target.log2m()) {
                registers = new byte[1 << target.log2m()];
            }
            PackedRegisters.reduce(
                    bytes, at, from.log2m(), from.regwidth(), registers, target.log2m(), target.regwidth());
            row.addRegisters(to, registers);
            return;
        }
        if (number < 0 || number > Integer.MAX_VALUE / Integer.BYTES) {
            throw new MalformedException("a set of " + number);
        }
        int at = blob(index, number * Integer.BYTES);
        for (int j = 0; j < number; j++) {
            int token = Bytes.getInt(bytes, at + j * Integer.BYTES);
            if (!MultisetArena.isToken(token)) {
                throw new MalformedException("the token " + Integer.toHexString(token));
            }
            if (to >= 0) {
                row.addToken(to, token);
            }
        }
    }

    /** Skips the next {@code length} bytes of a column's texts or sets. Returns their start. */
    private int blob(int column, long length) throws MalformedException {
        if (length < 0 || length > columns.get(column).blobBytes() - blobAt[column]) {
            throw new MalformedException("texts or sets of column " + column + " do not add up");
        }
        int at = blobAt[column];
        blobAt[column] = (int) (at + length);
        return at;
    }
}
