package io.summarizer.core.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.export.CsvQuery.Grouping;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.snapshot.CutRevokedException;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.UpdateBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Groups of a summary are the rows that a summary with fewer keys would have made of the same updates. */
class RollupTest {
    private static final CsvCompiler TABLES = new TableCsvCompiler();
    private static final List<KeyType> KEYS =
            List.of(KeyType.STRING, KeyType.INT64, KeyType.STRING, KeyType.BOOL, KeyType.UINT32, KeyType.TIMESTAMP);

    /** The summary, one nested in it, and the table that has the keys of both and the values of the nested one. */
    private static final SummaryLayout NESTED = Rows.layout("n", KEYS.subList(0, 2), List.of(AggregateType.values()));

    private static final SummaryLayout TOP = Rows.layout("s", KEYS, List.of(AggregateType.values()), NESTED);

    @Test
    void groupsAreTheRowsOfASummaryWithFewerKeys() throws IOException, CsvQueryException {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            List<KeyColumn> by = some(TOP.keys(), random);
            SummaryLayout fewer = layout(by, TOP);
            SummaryStore[] stores = {Rows.store(TOP), Rows.store(TOP)};
            SummaryStore expected = Rows.store(fewer);
            List<Long> stamps = stamps(random);
            for (long stamp : stamps) {
                Object[] key = key(TOP, random);
                Consumer<UpdateBatch> ops = ops(TOP, random.nextLong());
                Rows.apply(stores[random.nextInt(2)], Rows.key(TOP, key), stamp, ops);
                Rows.apply(expected, Rows.key(fewer, projected(TOP.keys(), key, by)), stamp, ops);
            }
            assertThat(csv(view(stores), List.of(), by))
                    .as("seed %d, by %s", seed, by)
                    .isEqualTo(csv(view(expected), by));
        }
    }

    @Test
    void groupsOfANestedSummaryMayHaveKeysOfItsParents() throws IOException, CsvQueryException {
        for (long seed = 1; seed <= 20; seed++) {
            Random random = new Random(seed);
            List<KeyColumn> keys = new ArrayList<>(TOP.keys());
            keys.addAll(NESTED.keys());
            List<KeyColumn> by = some(keys, random);
            SummaryLayout fewer = layout(by, NESTED);
            SummaryStore[] stores = {Rows.store(TOP), Rows.store(TOP)};
            SummaryStore expected = Rows.store(fewer);
            for (long stamp : stamps(random)) {
                Object[] outer = key(TOP, random);
                Object[] inner = key(NESTED, random);
                Consumer<UpdateBatch> ops = ops(NESTED, random.nextLong());
                Rows.apply(stores[random.nextInt(2)], Rows.key(TOP, outer), stamp, batch -> {
                    KeyBuffer key = Rows.key(NESTED, inner);
                    batch.enter(0, key, key.hash());
                    ops.accept(batch);
                    batch.leave();
                });
                Object[] both = Arrays.copyOf(outer, outer.length + inner.length);
                System.arraycopy(inner, 0, both, outer.length, inner.length);
                Rows.apply(expected, Rows.key(fewer, projected(keys, both, by)), stamp, ops);
            }
            assertThat(csv(view(stores), List.of("n"), by))
                    .as("seed %d, by %s", seed, by)
                    .isEqualTo(csv(view(expected), by));
        }
    }

    @Test
    void aGroupOfNothingIsThereOnlyWithoutKeys() throws IOException, CsvQueryException {
        SummaryView nothing = view(Rows.store(TOP));
        assertThat(csv(nothing, List.of(), List.of()).split("\n")).hasSize(2);
        assertThat(csv(nothing, List.of(), TOP.keys().subList(0, 1)).split("\n"))
                .hasSize(1);
    }

    @Test
    void refusesTooManyGroupsBeforeTheFirstByteAndReturnsTheirMemory() throws CsvQueryException {
        SummaryStore store = Rows.store(TOP);
        for (long i = 0; i < 100_000; i++) {
            Rows.apply(store, Rows.key(TOP, "host" + i, i, "", true, 1L, i), 1, ops -> {});
        }
        ExportMemory memory = ExportMemory.forGroups(8 << 20);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CsvExporter exporter = exporter(view(store), List.of(), TOP.keys(), memory);
        assertThatThrownBy(() -> exporter.writeTo(out))
                .isInstanceOf(CsvQueryException.class)
                .hasMessage("keeping so many groups takes more than 4 MiB; group by fewer columns, choose rows by"
                        + " where=, or raise http.rollup-memory")
                .extracting(e -> ((CsvQueryException) e).reason(), InstanceOfAssertFactories.type(Enum.class))
                .isEqualTo(CsvQueryException.Reason.TOO_LARGE);
        assertThat(out.size()).isZero();
        assertThat(memory.taken()).isZero();
    }

    @Test
    void groupsInStepsInMemoryThatItReturns() throws IOException, CsvQueryException {
        SummaryStore store = Rows.store(TOP);
        for (long i = 0; i < 1_000; i++) {
            Rows.apply(store, Rows.key(TOP, "host" + i % 7, i, "", true, 1L, i), 1, ops -> {});
        }
        ExportMemory memory = ExportMemory.forGroups(64 << 20);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CsvExporter exporter = exporter(view(store), List.of(), TOP.keys().subList(0, 1), memory);
        try (CsvExport export = exporter.start(out::write)) {
            int steps = 0;
            while (!export.step(() -> true)) {
                assertThat(memory.taken()).isPositive();
                steps++;
            }
            assertThat(steps).as("pauses whenever it may").isGreaterThan(1_000 / 32);
        }
        assertThat(memory.taken()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8).split("\n")).hasSize(8);
    }

    @Test
    void twoExportsThatNeedAllTheMemoryDoNotGetIt() throws IOException, CsvQueryException {
        SummaryStore store = Rows.store(TOP);
        for (long i = 0; i < 3_000; i++) {
            Rows.apply(store, Rows.key(TOP, "host" + i, i, "", true, 1L, i), 1, ops -> {});
        }
        long one = 0;
        ExportMemory enough = ExportMemory.forGroups(64 << 20);
        try (CsvExport first =
                exporter(view(store), List.of(), TOP.keys(), enough).start((bytes, offset, length) -> {})) {
            while (!first.step(() -> true)) {
                one = Math.max(one, enough.taken());
            }
        }
        ExportMemory memory = new ExportMemory(ExportMemory.Work.GROUP, one, one * 3 / 2);
        CsvExporter exporter = exporter(view(store), List.of(), TOP.keys(), memory);
        try (CsvExport first = exporter.start((bytes, offset, length) -> {})) {
            while (memory.taken() < one) {
                assertThat(first.step(() -> true)).isFalse();
            }
            assertThatThrownBy(() -> exporter.writeTo((bytes, offset, length) -> {}))
                    .isInstanceOf(CsvQueryException.class)
                    .hasMessage("other pulls hold the memory for groups; try again")
                    .extracting(e -> ((CsvQueryException) e).reason(), InstanceOfAssertFactories.type(Enum.class))
                    .isEqualTo(CsvQueryException.Reason.BUSY);
            assertThat(memory.taken()).as("only the first export's").isEqualTo(one);
        }
        exporter.writeTo((bytes, offset, length) -> {});
        assertThat(memory.taken()).isZero();
    }

    @Test
    void aCutThatEndsWhileItsRowsAreGroupedEndsTheExport() throws IOException, CsvQueryException {
        SummaryStore store = Rows.store(TOP);
        for (long i = 0; i < 1_000; i++) {
            Rows.apply(store, Rows.key(TOP, "host" + i, i, "", true, 1L, i), 1, ops -> {});
        }
        CutLease lease = new CutMemory(1 << 20).lease(CutLease.Kind.READ);
        SummaryView view = new SummaryView(TOP, List.of(store.freeze(lease)), 0);
        ExportMemory memory = ExportMemory.forGroups(64 << 20);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (CsvExport export = exporter(view, List.of(), TOP.keys(), memory).start(out::write)) {
            assertThat(export.step(() -> true)).isFalse();
            lease.release();
            assertThatThrownBy(() -> export.step(() -> false)).isInstanceOf(CutRevokedException.class);
        }
        assertThat(out.size()).isZero();
        assertThat(memory.taken()).isZero();
    }

    private static List<KeyColumn> some(List<KeyColumn> keys, Random random) {
        List<KeyColumn> shuffled = new ArrayList<>(keys);
        Collections.shuffle(shuffled, random);
        return shuffled.subList(0, random.nextInt(keys.size() + 1));
    }

    private static SummaryLayout layout(List<KeyColumn> keys, SummaryLayout values) {
        return new SummaryLayout("fewer", 0, keys, values.values(), List.of());
    }

    private static Object[] projected(List<KeyColumn> columns, Object[] key, List<KeyColumn> by) {
        return by.stream().map(column -> key[columns.indexOf(column)]).toArray();
    }

    /** Different stamps, so that first and last values do not depend on the order of rows. */
    private static List<Long> stamps(Random random) {
        List<Long> stamps =
                new ArrayList<>(IntStream.range(1, 400).mapToObj(Long::valueOf).toList());
        Collections.shuffle(stamps, random);
        return stamps;
    }

    private static Object[] key(SummaryLayout layout, Random random) {
        return layout.keys().stream()
                .map(column -> random.nextInt(6) == 0
                        ? null
                        : switch (column.type()) {
                            case STRING ->
                                List.of("", "a", "b", "a\u0000", "long enough to matter")
                                        .get(random.nextInt(5));
                            case BOOL -> random.nextBoolean();
                            default -> (long) random.nextInt(4);
                        })
                .toArray();
    }

    /**
     * Observations for some columns. Sums of doubles are exact in any order, sums of integers need 128 bits, and a few
     * sets have registers.
     */
    private static Consumer<UpdateBatch> ops(SummaryLayout layout, long seed) {
        return batch -> {
            Random random = new Random(seed);
            for (int column = 0; column < layout.values().size(); column++) {
                AggregateType type = layout.values().get(column).type();
                boolean large = type == AggregateType.MULTISET64 && random.nextInt(50) == 0;
                for (int i = large ? 3_000 : random.nextInt(3); i > 0; i--) {
                    switch (type.operand()) {
                        case STRING -> Rows.addText(batch, column, "text" + random.nextInt(1_000));
                        case DOUBLE ->
                            batch.addLong(column, Double.doubleToRawLongBits(random.nextInt(1_000) / 8.0 - 50));
                        default -> batch.addLong(column, operand(type, random));
                    }
                }
            }
        };
    }

    private static long operand(AggregateType type, Random random) {
        return switch (type) {
            case SUMINT32 -> random.nextInt();
            case MINTIMESTAMP, MAXTIMESTAMP -> random.nextInt();
            default -> random.nextLong();
        };
    }

    private static SummaryView view(SummaryStore... partitions) {
        return new SummaryView(
                partitions[0].freeze().layout(),
                Arrays.stream(partitions).map(SummaryStore::freeze).toList(),
                0);
    }

    private static CsvExporter exporter(SummaryView view, List<String> path, List<KeyColumn> by, ExportMemory memory)
            throws CsvQueryException {
        return CsvExporter.of(view, path, query(by, true), TABLES, ExportMemory.forSorting(), memory);
    }

    /** All columns and sets, sorted by the keys. */
    private static CsvQuery query(List<KeyColumn> by, boolean grouped) {
        List<String> names = by.stream().map(KeyColumn::name).toList();
        return new CsvQuery(
                List.of(),
                "",
                names.stream().map(name -> new CsvQuery.Order(name, false)).toList(),
                Long.MAX_VALUE,
                CsvProfile.RFC4180,
                Distinct.BOTH,
                grouped ? new Grouping(names, "") : null,
                ExportFormat.CSV);
    }

    private static String csv(SummaryView view, List<String> path, List<KeyColumn> by)
            throws IOException, CsvQueryException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        exporter(view, path, by, ExportMemory.forGroups(64 << 20)).writeTo(out);
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String csv(SummaryView view, List<KeyColumn> by) throws IOException, CsvQueryException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CsvExporter.of(view, List.of(), query(by, false), TABLES).writeTo(out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
