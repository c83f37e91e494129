package io.summarizer.core.store;

import io.summarizer.core.store.SummaryLayout.KeyColumn;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The meaning of a summary, by brute force: every row keeps every observation, and an aggregate is computed from all of
 * them on request. Also makes random layouts, keys and updates, and feeds them to a store and to itself.
 */
public final class ModelSummary {
    private static final AggregateType[] AGGREGATES = AggregateType.values();
    private static final KeyType[] KEYS = KeyType.values();

    private final SummaryLayout layout;
    private final List<ModelSummary> nested = new ArrayList<>();
    private final Map<List<@Nullable Object>, Row> rows = new LinkedHashMap<>();
    private final List<List<@Nullable Object>> keyPool = new ArrayList<>();
    private int applied;

    /** An empty summary of this layout, with {@code keys} random keys to choose from at each level. */
    public ModelSummary(SummaryLayout layout, int keys, Random random) {
        this.layout = layout;
        for (int i = 0; i < keys; i++) {
            List<@Nullable Object> key = new ArrayList<>();
            for (KeyColumn column : layout.keys()) {
                key.add(randomKey(column.type(), random));
            }
            keyPool.add(key);
        }
        for (SummaryLayout below : layout.nested()) {
            nested.add(new ModelSummary(below, Math.min(keys, 6), random));
        }
    }

    /** A row: its parent, its key and all its observations. */
    private static final class Row {
        final @Nullable Row parent;
        final List<@Nullable Object> key;
        final List<List<Observation>> observations = new ArrayList<>();

        Row(@Nullable Row parent, List<@Nullable Object> key, int columns) {
            this.parent = parent;
            this.key = key;
            for (int i = 0; i < columns; i++) {
                observations.add(new ArrayList<>());
            }
        }
    }

    private record Observation(long stamp, int order, Object value) {}

    /** Two partitions with this number of random updates, which the model gets, too. */
    public SummaryStore[] stores(int updates, Random random) {
        RowLimit limit = RowLimit.of(layout, Long.MAX_VALUE);
        SummaryStore[] stores = {
            new SummaryStore(layout, TableRowCode.of(layout), limit),
            new SummaryStore(layout, TableRowCode.of(layout), limit)
        };
        UpdateBatch batch = new UpdateBatch(1);
        for (int i = 0; i < updates; i++) {
            batch.clear();
            long hash = update(batch, random);
            stores[(int) (hash >>> 63)].apply(batch.bytes(), 0);
        }
        return stores;
    }

    /** A layout with at most {@code depth} levels of nested summaries. */
    public static SummaryLayout randomLayout(String name, int depth, Random random) {
        List<KeyType> keys = new ArrayList<>();
        int keyCount = random.nextInt(8) == 0 ? 9 + random.nextInt(3) : 1 + random.nextInt(4);
        for (int i = 0; i < keyCount; i++) {
            keys.add(KEYS[random.nextInt(KEYS.length)]);
        }
        List<AggregateType> values = new ArrayList<>();
        int valueCount = random.nextInt(12);
        for (int i = 0; i < valueCount; i++) {
            values.add(AGGREGATES[random.nextInt(AGGREGATES.length)]);
        }
        SummaryLayout[] nested = new SummaryLayout[depth == 0 ? 0 : random.nextInt(3)];
        for (int i = 0; i < nested.length; i++) {
            nested[i] = randomLayout(name + i, depth - 1, random);
        }
        return Rows.layout(name, keys, values, nested);
    }

    /** Makes up a record, applies it to the model, and appends it to the batch; returns the key's hash. */
    public long update(UpdateBatch batch, Random random) {
        List<@Nullable Object> key = keyPool.get(random.nextInt(keyPool.size()));
        KeyBuffer buffer = Rows.key(layout, key.toArray());
        long stamp = 1_000L + random.nextInt(500);
        batch.beginRow(0, buffer, buffer.hash(), stamp);
        fill(row(null, key), stamp, batch, random);
        batch.endRow();
        return buffer.hash();
    }

    private void fill(Row row, long stamp, UpdateBatch batch, Random random) {
        for (int op = random.nextInt(8); op > 0; op--) {
            if (!nested.isEmpty() && random.nextInt(3) == 0) {
                int position = random.nextInt(nested.size());
                ModelSummary below = nested.get(position);
                List<@Nullable Object> key = below.keyPool.get(random.nextInt(below.keyPool.size()));
                KeyBuffer buffer = Rows.key(below.layout, key.toArray());
                batch.enter(position, buffer, buffer.hash());
                below.fill(below.row(row, key), stamp, batch, random);
                batch.leave();
            } else if (!layout.values().isEmpty()) {
                observe(row, random.nextInt(layout.values().size()), stamp, batch, random);
            }
        }
    }

    private void observe(Row row, int column, long stamp, UpdateBatch batch, Random random) {
        AggregateType type = layout.values().get(column).type();
        Object value;
        switch (type.operand()) {
            case LONG -> {
                long operand = switch (type) {
                    case MULTISET64 -> new Random(random.nextInt(60)).nextLong();
                    case SUMINT32, SUMINT64, SUMCURRENCY ->
                        random.nextInt(8) == 0 ? extreme(random) : random.nextLong() >> random.nextInt(64);
                    default -> random.nextInt(4) == 0 ? extreme(random) : random.nextLong();
                };
                batch.addLong(column, operand);
                value = operand;
            }
            case DOUBLE -> {
                double operand = random.nextInt(8) == 0
                        ? List.of(0.0, -0.0, Double.MIN_VALUE, 1e300).get(random.nextInt(4))
                        : (random.nextDouble() - 0.3) * Math.pow(10, random.nextInt(6));
                batch.addLong(column, Double.doubleToRawLongBits(operand));
                value = operand;
            }
            case STRING -> {
                String operand = randomText(random);
                Rows.addText(batch, column, operand);
                value = operand;
            }
            default -> throw new AssertionError(type);
        }
        row.observations.get(column).add(new Observation(stamp, applied++, value));
    }

    private Row row(@Nullable Row parent, List<@Nullable Object> key) {
        List<@Nullable Object> identity = new ArrayList<>(key);
        identity.add(parent);
        return rows.computeIfAbsent(
                identity, k -> new Row(parent, key, layout.values().size()));
    }

    /** Number of rows. */
    long rows() {
        return rows.size();
    }

    /** The model of the nested summary with this position. */
    public ModelSummary nested(int position) {
        return nested.get(position);
    }

    /** Every row as text: all parents' keys, its key, its values. */
    public List<String> dump() {
        List<String> lines = new ArrayList<>();
        for (Row row : rows.values()) {
            StringBuilder line = new StringBuilder();
            appendKeys(row, line);
            for (int i = 0; i < layout.values().size(); i++) {
                line.append(value(layout.values().get(i).type(), row.observations.get(i)))
                        .append('|');
            }
            lines.add(line.toString());
        }
        return lines;
    }

    private static void appendKeys(Row row, StringBuilder line) {
        if (row.parent != null) {
            appendKeys(row.parent, line);
        }
        for (Object column : row.key) {
            line.append(column).append('|');
        }
    }

    private static @Nullable Object value(AggregateType type, List<Observation> seen) {
        if (seen.isEmpty()) {
            return switch (type) {
                case SUMINT32, SUMINT64, SUMCURRENCY -> BigInteger.ZERO;
                case COUNT, MULTISET64 -> 0L;
                case SUMFLOAT, SUMDOUBLE -> rounded(0);
                default -> null;
            };
        }
        Comparator<Observation> byStamp = Comparator.comparingLong(Observation::stamp);
        return switch (type) {
            case SUMINT32, SUMINT64, SUMCURRENCY ->
                seen.stream().map(o -> BigInteger.valueOf((Long) o.value)).reduce(BigInteger.ZERO, BigInteger::add);
            case COUNT -> (long) seen.size();
            case MULTISET64 ->
                (long) new HashSet<>(seen.stream().map(Observation::value).toList()).size();
            case SUMFLOAT, SUMDOUBLE ->
                rounded(seen.stream().mapToDouble(o -> (Double) o.value).sum());
            case MININT64, MINTIMESTAMP ->
                seen.stream().mapToLong(o -> (Long) o.value).min().getAsLong();
            case MAXINT64, MAXTIMESTAMP ->
                seen.stream().mapToLong(o -> (Long) o.value).max().getAsLong();
            case MINDOUBLE ->
                seen.stream().map(o -> (Double) o.value).min(Double::compare).orElseThrow();
            case MAXDOUBLE ->
                seen.stream().map(o -> (Double) o.value).max(Double::compare).orElseThrow();
            case FIRSTSTRING, FIRSTINT64 ->
                seen.stream().min(byStamp.thenComparingInt(Observation::order)).orElseThrow().value;
            case LASTSTRING, LASTINT64 ->
                seen.stream().max(byStamp.thenComparingInt(Observation::order)).orElseThrow().value;
        };
    }

    /** Rounds sums of doubles, which agree to 1e-9; no value here is near enough to a rounding boundary to matter. */
    public static String rounded(double sum) {
        return String.format("%.7e", sum);
    }

    /** The lines sorted, because rows have no order. */
    public static List<String> sorted(List<String> lines) {
        return lines.stream().sorted().toList();
    }

    /** Every row of a view as text, in the format of {@link #dump}. */
    public static List<String> dump(StoreView top, List<Integer> path) {
        RowCursor[] cursors = new RowCursor[path.size() + 1];
        StoreView[] views = new StoreView[cursors.length];
        views[0] = top;
        cursors[0] = top.cursor();
        for (int i = 0; i < path.size(); i++) {
            views[i + 1] = views[i].nested(path.get(i));
            cursors[i + 1] = views[i + 1].cursor();
        }
        RowCursor row = cursors[path.size()];
        List<String> lines = new ArrayList<>();
        while (row.next()) {
            for (int i = path.size(); i > 0; i--) {
                cursors[i - 1].seek(cursors[i].parent());
            }
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < cursors.length; i++) {
                appendKeys(views[i].layout(), cursors[i], line);
            }
            appendValues(views[path.size()].layout(), row, line);
            lines.add(line.toString());
        }
        return lines;
    }

    private static void appendKeys(SummaryLayout layout, RowCursor row, StringBuilder line) {
        for (int i = 0; i < layout.keys().size(); i++) {
            if (row.isKeyNull(i)) {
                line.append("null|");
                continue;
            }
            switch (layout.keys().get(i).type()) {
                case STRING -> {
                    row.readKeyText(i);
                    line.append(Rows.text(row));
                }
                case BOOL -> line.append(row.keyLong(i) == 1);
                default -> line.append(row.keyLong(i));
            }
            line.append('|');
        }
    }

    private static void appendValues(SummaryLayout layout, RowCursor row, StringBuilder line) {
        for (int i = 0; i < layout.values().size(); i++) {
            if (row.isEmpty(i)) {
                line.append("null|");
                continue;
            }
            switch (layout.values().get(i).type()) {
                case SUMFLOAT, SUMDOUBLE -> line.append(rounded(row.doubleValue(i)));
                case MINDOUBLE, MAXDOUBLE -> line.append(row.doubleValue(i));
                case FIRSTSTRING, LASTSTRING -> {
                    row.readText(i);
                    line.append(Rows.text(row));
                }
                case SUMINT32, SUMINT64, SUMCURRENCY -> line.append(Rows.sum(row, i));
                default -> line.append(row.longValue(i));
            }
            line.append('|');
        }
    }

    private static @Nullable Object randomKey(KeyType type, Random random) {
        if (random.nextInt(10) == 0) {
            return null;
        }
        return switch (type) {
            case INT64, UINT64, TIMESTAMP ->
                random.nextInt(4) == 0 ? extreme(random) : (Object) (long) random.nextInt(3);
            case INT32 -> (long) (random.nextInt(4) == 0 ? (int) extreme(random) : random.nextInt(3));
            case UINT32 -> (random.nextInt(4) == 0 ? extreme(random) : random.nextInt(3)) & 0xffff_ffffL;
            case BOOL -> random.nextBoolean();
            case STRING -> randomText(random);
        };
    }

    private static long extreme(Random random) {
        long[] values = {Long.MIN_VALUE, Long.MAX_VALUE, -1, 0, 1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1L << 53};
        return values[random.nextInt(values.length)];
    }

    private static String randomText(Random random) {
        int length = random.nextInt(50) == 0 ? random.nextInt(40_000) : random.nextInt(30);
        char[] text = new char[length];
        char[] alphabet = "ab\",\n\r é漢'\\\0\u001f\u2028".toCharArray();
        Arrays.setAll(new int[length], i -> text[i] = alphabet[random.nextInt(alphabet.length)]);
        String made = new String(text);
        assert made.getBytes(StandardCharsets.UTF_8).length >= length;
        return made;
    }

    /** All rows of a view, nested ones included. */
    public static List<String> dumpAll(StoreView view) {
        List<String> lines = new ArrayList<>();
        dumpAll(view, view.layout(), List.of(), lines);
        return lines;
    }

    private static void dumpAll(StoreView view, SummaryLayout layout, List<Integer> path, List<String> lines) {
        lines.addAll(dump(view, path));
        for (int i = 0; i < layout.nested().size(); i++) {
            List<Integer> below = new ArrayList<>(path);
            below.add(i);
            dumpAll(view, layout.nested().get(i), below, lines);
        }
    }
}
