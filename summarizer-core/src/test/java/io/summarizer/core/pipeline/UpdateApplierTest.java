package io.summarizer.core.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.dedup.DedupRule;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIds;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.ModelSummary;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryPartition;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.TableRowCode;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.time.CalendarUnit;
import java.lang.ref.WeakReference;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpdateApplierTest {
    private static final int ROWS_MAX = 40;

    private final List<Long> refused = new ArrayList<>();

    /** Runs of any length, with keys of equal hash, two summaries, more keys than rows allowed. */
    @Test
    void shouldApplyEachRecordToTheRowOfItsKeyWhateverIsBeforeIt() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<SummaryLayout> layouts = List.of(layout("A"), layout("B"));
        Summaries summaries =
                new Summaries(layouts, layouts.stream().map(TableRowCode::of).toList(), ROWS_MAX);
        UpdateApplier stores = UpdateApplier.ofAll(summaries, new UpdateApplier.Listener() {
            @Override
            public void refused(byte[] bytes, int record) {
                refused.add(Bytes.getLong(bytes, record + UpdateBatch.STAMP_OFFSET));
            }

            @Override
            public void failed(byte[] bytes, int record, RuntimeException fault) {
                throw fault;
            }
        });
        List<Map<String, Long>> expected = List.of(new HashMap<>(), new HashMap<>());
        List<Long> expectedRefusals = new ArrayList<>();
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout("A").keys()));
        UpdateBatch batch = new UpdateBatch(1 << 16);
        long stamp = 0;
        for (int round = 0; round < 200; round++) {
            batch.clear();
            for (int run = random.nextInt(20); run >= 0; run--) {
                int number = random.nextInt(60);
                String name = number % 3 + "key" + number;
                int summary = random.nextInt(2);
                for (int repeat = random.nextInt(5); repeat >= 0; repeat--) {
                    byte[] text = ("key" + number).getBytes(UTF_8);
                    key.reset();
                    key.setLong(0, number % 3);
                    key.setString(1, text, 0, text.length);
                    batch.beginRow(summary, key, number % 7 * 0x9E3779B97F4A7C15L, ++stamp);
                    batch.addLong(0, stamp);
                    batch.endRow();
                    Map<String, Long> rows = expected.get(summary);
                    if (rows.containsKey(name) || rows.size() < ROWS_MAX) {
                        rows.merge(name, stamp, Long::sum);
                    } else {
                        expectedRefusals.add(stamp);
                    }
                }
            }
            stores.apply(batch);
        }
        assertThat(refused)
                .as("seed %d", seed)
                .containsExactlyInAnyOrderElementsOf(expectedRefusals)
                .isNotEmpty();
        assertThat(List.of(rows(stores, 0), rows(stores, 1)))
                .as("seed %d", seed)
                .isEqualTo(expected);
    }

    /**
     * Records with and without guards in any order: an event's records count unless one with its id did, within the
     * window.
     */
    @Test
    void shouldApplyGuardedRecordsOfNewEventsOnly() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<SummaryLayout> layouts = List.of(layout("A"), layout("B"));
        Summaries summaries =
                new Summaries(layouts, layouts.stream().map(TableRowCode::of).toList(), 1000);
        long window = 50;
        List<DedupRule> rules = List.of(new DedupRule("E", "B", "id", window), new DedupRule("F", "A", "id", window));
        SeenIds seen = SeenIds.of(rules, SavedIds.none(), 10_000_000, 1000, 16, ByteBudget.unbounded());
        List<String> duplicates = new ArrayList<>();
        UpdateApplier stores = UpdateApplier.ofAll(summaries, seen, new UpdateApplier.Listener() {
            @Override
            public void duplicate(byte[] bytes, int record) {
                duplicates.add(UpdateBatch.summary(bytes, record) + "/" + UpdateBatch.mapping(bytes, record));
            }

            @Override
            public void refused(byte[] bytes, int record) {
                throw new AssertionError("there is room");
            }

            @Override
            public void failed(byte[] bytes, int record, RuntimeException fault) {
                throw fault;
            }
        });
        List<Map<String, Long>> expected = List.of(new HashMap<>(), new HashMap<>());
        List<String> expectedDuplicates = new ArrayList<>();
        Map<String, Long> counted = new HashMap<>();
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout("A").keys()));
        UpdateBatch batch = new UpdateBatch(64);
        long stamp = 1;
        for (int round = 0; round < 300; round++) {
            batch.clear();
            int records = 0;
            for (int event = random.nextInt(40); event >= 0; event--) {
                stamp += 1 + random.nextInt(3);
                int table = random.nextInt(3) - 1;
                int summary = table < 0 ? random.nextInt(2) : 1 - table;
                int id = random.nextInt(40);
                boolean first = true;
                for (int record = random.nextInt(3); record >= 0; record--) {
                    int number = random.nextInt(4);
                    byte[] text = ("key" + number).getBytes(UTF_8);
                    key.reset();
                    key.setLong(0, number);
                    key.setString(1, text, 0, text.length);
                    if (table >= 0) {
                        batch.guard(table, first, stamp);
                    }
                    batch.beginRow(summary, 7, key, number * 0x9E3779B97F4A7C15L, stamp);
                    if (table >= 0) {
                        batch.identify(id, number);
                    }
                    batch.addLong(0, stamp);
                    batch.endRow();
                    records++;
                    String identity = table + " " + id + " " + number;
                    Long before = counted.get(identity);
                    boolean isNew = table < 0 || before == null || before == stamp || stamp - before > window;
                    if (isNew) {
                        counted.put(identity, stamp);
                        expected.get(summary).merge(number + "key" + number, stamp, Long::sum);
                    } else if (first) {
                        expectedDuplicates.add(summary + "/7");
                    }
                    first = false;
                }
            }
            assertThat(batch.records()).isEqualTo(records);
            stores.apply(batch);
        }
        assertThat(duplicates).as("seed %d", seed).isEqualTo(expectedDuplicates).isNotEmpty();
        assertThat(List.of(rows(stores, 0), rows(stores, 1)))
                .as("seed %d", seed)
                .isEqualTo(expected);
    }

    /**
     * Records that no plan makes, in runs and alone: each is reported, and its neighbours are applied. The second time,
     * the rows exist, so they are prefetched.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellOfEachRecordWithAColumnThatTheSummaryDoesNotHave(boolean nesting) {
        SummaryLayout inner = layout("inner");
        SummaryLayout layout = nesting ? layout("A", inner) : layout("A");
        List<Long> failed = new ArrayList<>();
        UpdateApplier stores = UpdateApplier.ofAll(
                new Summaries(List.of(layout), List.of(TableRowCode.of(layout)), ROWS_MAX),
                new UpdateApplier.Listener() {
                    @Override
                    public void refused(byte[] bytes, int record) {
                        throw new AssertionError("there is room");
                    }

                    @Override
                    public void failed(byte[] bytes, int record, RuntimeException fault) {
                        failed.add(Bytes.getLong(bytes, record + UpdateBatch.STAMP_OFFSET));
                    }
                });
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        UpdateBatch batch = new UpdateBatch(64);
        int[] columns = {0, 0, -1, -1, 99, 0, 99, 99, 0, 0};
        for (int stamp = 0; stamp < columns.length; stamp++) {
            key.reset();
            key.setLong(0, columns[stamp] == 0 ? 1 : 2 + stamp / 2);
            key.setString(1, new byte[0], 0, 0);
            batch.beginRow(0, key, key.hash(), stamp);
            if (nesting && stamp % 2 == 0) {
                batch.enter(0, key, key.hash());
                batch.addLong(columns[stamp], 1);
                batch.leave();
                batch.addLong(0, 1);
            } else {
                batch.addLong(columns[stamp], 1);
            }
            batch.endRow();
        }
        stores.apply(batch);
        assertThat(failed).containsExactly(2L, 3L, 4L, 6L, 7L);
        stores.apply(batch);
        assertThat(failed).containsExactly(2L, 3L, 4L, 6L, 7L, 2L, 3L, 4L, 6L, 7L);
        assertThat(rows(stores, 0)).containsEntry("1", 10L);
    }

    /** Summaries without sets, with one and with several of every kind in one group: prefetching changes nothing. */
    @Test
    void shouldTouchSetsOfAnyKindWithoutEffect() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        // 4 registers of 3 bits are smaller than any list; those of log2m 14 are allocated in pages.
        List<SummaryLayout> layouts = List.of(
                withSets("A", new int[][] {}),
                withSets("B", new int[][] {{4, 3}, {11, 5}, {14, 5}}),
                withSets("C", new int[][] {{11, 5}}));
        List<RowCode.Tree> codes = layouts.stream().map(TableRowCode::of).toList();
        Summaries summaries = new Summaries(layouts, codes, 1000);
        Summaries expected = new Summaries(layouts, codes, 1000);
        UpdateApplier stores = UpdateApplier.ofAll(summaries, new Strict());
        KeyBuffer key = new KeyBuffer(new KeyLayout(layouts.get(0).keys()));
        UpdateBatch batch = new UpdateBatch(1 << 16);
        for (int round = 0; round < 150; round++) {
            batch.clear();
            for (int record = 0; record < 200; record++) {
                int summary = random.nextInt(3);
                int number = random.nextInt(1 + round);
                key.reset();
                key.setLong(0, number);
                batch.beginRow(summary, key, key.hash(), round);
                addTo(batch, layouts.get(summary), number, random);
                batch.endRow();
            }
            stores.apply(batch);
            for (int at = 0; at < batch.limit(); at += Bytes.getInt(batch.bytes(), at)) {
                long hash = Bytes.getLong(batch.bytes(), at + UpdateBatch.HASH_OFFSET);
                expected.store(UpdateBatch.summary(batch.bytes(), at), Partitions.ALL.of(hash))
                        .apply(batch.bytes(), at);
            }
        }
        assertThat(dump(summaries)).as("seed %d", seed).isEqualTo(dump(expected));
    }

    /** Windows in random order have the rows that one store without windows has. */
    @Test
    void shouldUpdateManyWindowsLikeOneStore() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        List<KeyColumn> keys =
                List.of(new KeyColumn("k", 1, KeyType.INT64), new KeyColumn("hour", 2, KeyType.TIMESTAMP));
        SummaryLayout nested = withSets("N", new int[][] {{11, 5}, {4, 3}});
        SummaryLayout sets = withSets("A", new int[][] {{11, 5}, {6, 5}, {11, 5}});
        SummaryLayout flat = new SummaryLayout("A", 0, keys, sets.values(), List.of(nested));
        SummaryLayout windowed = new SummaryLayout(
                "A",
                0,
                keys,
                sets.values(),
                List.of(nested),
                SummaryLimit.DEFAULT,
                new SummaryWindow(1, 1, CalendarUnit.HOUR, ZoneOffset.UTC));
        Summaries windows = new Summaries(List.of(windowed), List.of(TableRowCode.of(windowed)), 100_000);
        Summaries expected = new Summaries(List.of(flat), List.of(TableRowCode.of(flat)), 100_000);
        UpdateApplier stores = UpdateApplier.ofAll(windows, new Strict());
        KeyBuffer key = new KeyBuffer(new KeyLayout(keys));
        KeyBuffer inner = new KeyBuffer(new KeyLayout(nested.keys()));
        UpdateBatch batch = new UpdateBatch(1 << 16);
        for (int round = 0; round < 150; round++) {
            batch.clear();
            for (int record = 0; record < 200; record++) {
                int number = random.nextInt(20);
                key.reset();
                key.setLong(0, number);
                key.setLong(1, random.nextInt(1 + round % 60) * CalendarUnit.HOUR.micros());
                batch.beginRow(0, key, key.hash(), round);
                addTo(batch, sets, number, random);
                for (int block = random.nextInt(3); block > 0; block--) {
                    inner.reset();
                    inner.setLong(0, block);
                    batch.enter(0, inner, inner.hash());
                    addTo(batch, nested, number, random);
                    batch.leave();
                }
                batch.endRow();
            }
            stores.apply(batch);
            for (int at = 0; at < batch.limit(); at += Bytes.getInt(batch.bytes(), at)) {
                long hash = Bytes.getLong(batch.bytes(), at + UpdateBatch.HASH_OFFSET);
                expected.store(0, Partitions.ALL.of(hash)).apply(batch.bytes(), at);
            }
        }
        assertThat(windows.partition(0, 0).stores()).as("seed %d", seed).hasSizeGreaterThan(10);
        assertThat(dump(windows)).as("seed %d", seed).isEqualTo(dump(expected));
    }

    /**
     * After a reset, the index still has the ids of removed rows, because a closed window waits for its file. The next
     * updates have the same keys as the removed rows, so these rows are prefetched. Meanwhile new rows get new chunks.
     */
    @Test
    void shouldUpdateTheKeysOfRowsThatAResetRemoved() {
        SummaryLayout layout = new SummaryLayout(
                "W",
                0,
                List.of(new KeyColumn("k", 1, KeyType.INT64), new KeyColumn("hour", 2, KeyType.TIMESTAMP)),
                List.of(new ValueColumn("n", 1, AggregateType.SUMINT64, 0, 0)),
                List.of(),
                SummaryLimit.DEFAULT,
                new SummaryWindow(1, 1, CalendarUnit.HOUR, ZoneOffset.UTC));
        Summaries windows = new Summaries(List.of(layout), List.of(TableRowCode.of(layout)), 100_000);
        UpdateApplier stores = UpdateApplier.ofAll(windows, new Strict());
        int keys = 2_000;
        stores.apply(hours(layout, IntStream.range(0, keys), 0, 3));
        for (int round = 0; round < 3; round++) {
            for (SummaryPartition partition : stores.partitions().row(0)) {
                partition.closeBefore(CalendarUnit.HOUR.micros());
                partition.takeOpen(0).forEach(partition::retire);
                assertThat(partition.stores()).hasSize(1);
            }
            boolean ascending = round % 2 == 1; // the rows that were made last come first
            stores.apply(hours(layout, IntStream.range(0, keys).map(key -> ascending ? key : keys - 1 - key), 1, 3));
            assertThat(dump(windows)).hasSize(3 * keys).allMatch(line -> line.endsWith("|1|"));
        }
    }

    /** For each key, a record for each hour. */
    private static UpdateBatch hours(SummaryLayout layout, IntStream keys, int from, int until) {
        UpdateBatch batch = new UpdateBatch(1 << 12);
        keys.forEach(number -> {
            for (int hour = from; hour < until; hour++) {
                KeyBuffer key = Rows.key(layout, number, hour * CalendarUnit.HOUR.micros());
                batch.beginRow(0, key, key.hash(), 1);
                batch.addLong(0, 1);
                batch.endRow();
            }
        });
        return batch;
    }

    /** Few keys have many values: all states from one value to registers. */
    private static void addTo(UpdateBatch batch, SummaryLayout layout, int number, Random random) {
        batch.addLong(0, number);
        for (int set = 1; set < layout.values().size(); set++) {
            batch.addLong(set, new Random(random.nextInt(number == 0 ? 5000 : 1 + number % 9)).nextLong());
        }
    }

    private static List<String> dump(Summaries summaries) {
        List<String> lines = new ArrayList<>();
        for (SummaryView view : summaries.freeze(1, 1).summaries()) {
            view.partitions().forEach(partition -> lines.addAll(ModelSummary.dumpAll(partition)));
        }
        return ModelSummary.sorted(lines);
    }

    private static SummaryLayout withSets(String name, int[][] sets) {
        List<ValueColumn> values = new ArrayList<>();
        values.add(new ValueColumn("n", 1, AggregateType.SUMINT64, 0, 0));
        for (int[] set : sets) {
            values.add(
                    new ValueColumn("s" + values.size(), values.size() + 1, AggregateType.MULTISET64, set[0], set[1]));
        }
        return new SummaryLayout(name, 0, List.of(new KeyColumn("k", 1, KeyType.INT64)), values, List.of());
    }

    /** Expects no calls. */
    private static final class Strict implements UpdateApplier.Listener {
        @Override
        public void refused(byte[] bytes, int record) {
            throw new AssertionError("there is room");
        }

        @Override
        public void failed(byte[] bytes, int record, RuntimeException fault) {
            throw fault;
        }
    }

    @Test
    void shouldKeepNoStoreThatWasGivenUp() throws InterruptedException {
        SummaryLayout layout = withSets("A", new int[][] {});
        List<RowCode.Tree> codes = List.of(TableRowCode.of(layout));
        UpdateApplier stores = UpdateApplier.ofAll(new Summaries(List.of(layout), codes, 1000), new Strict());
        UpdateBatch batch = new UpdateBatch(1 << 12);
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        for (int number = 0; number < 100; number++) {
            key.reset();
            key.setLong(0, number);
            batch.beginRow(0, key, key.hash(), 1);
            batch.endRow();
        }
        stores.apply(batch);
        List<WeakReference<SummaryStore>> before = stores.partitions().row(0).stream()
                .map(SummaryPartition::single)
                .map(WeakReference::new)
                .toList();
        Summaries others = new Summaries(List.of(layout), codes, 1000);
        stores.replace(others.partitions(), stores.ids());
        for (int tries = 0; tries < 200 && before.stream().anyMatch(store -> !store.refersTo(null)); tries++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(before).allMatch(store -> store.refersTo(null));
        assertThat(stores.partitions()).isSameAs(others.partitions());
    }

    private static SummaryStore single(UpdateApplier stores, int summary, int partition) {
        SummaryPartition found = Objects.requireNonNull(stores.partitions().get(summary, partition));
        return Objects.requireNonNull(found.single());
    }

    private static Map<String, Long> rows(UpdateApplier stores, int summary) {
        Map<String, Long> found = new HashMap<>();
        for (int partition = 0; partition < 16; partition++) {
            SummaryStore store = single(stores, summary, partition);
            RowCursor rows = store.freeze().cursor();
            while (rows.next()) {
                rows.readKeyText(1);
                found.put(
                        rows.keyLong(0) + new String(rows.text(), rows.textOffset(), rows.textLength(), UTF_8),
                        rows.longValue(0));
            }
        }
        return found;
    }

    private static SummaryLayout layout(String name, SummaryLayout... nested) {
        return new SummaryLayout(
                name,
                0,
                List.of(
                        new SummaryLayout.KeyColumn("n", 1, KeyType.INT64),
                        new SummaryLayout.KeyColumn("t", 2, KeyType.STRING)),
                List.of(new SummaryLayout.ValueColumn("s", 1, AggregateType.SUMINT64, 0, 0)),
                List.of(nested));
    }
}
