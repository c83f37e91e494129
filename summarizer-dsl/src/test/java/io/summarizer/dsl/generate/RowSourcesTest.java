package io.summarizer.dsl.generate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.pipeline.UpdateApplier;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.ModelSummary;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.TableRowCode;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.codegen.GeneratedClasses;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.codegen.SourceCompiler;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores with generated code against stores with the table-driven code that defines it. */
class RowSourcesTest {
    /** Enough summaries that some have the same lowest bits in their number. */
    private static final int SUMMARIES = 18;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void generatedCodeDoesToRowsWhatTheTableSays(long seed) {
        Random random = new Random(seed);
        SummaryLayout layout = ModelSummary.randomLayout("s", 3, random);
        ModelSummary model = new ModelSummary(layout, 1 + random.nextInt(100), random);
        RowSources sources = RowSources.of(layout, new Names());
        SummaryStore generated = new SummaryStore(
                layout, sources.instance(SourceCompiler.compile(sources.sources())), RowLimit.of(layout, 1_000_000));
        SummaryStore expected = new SummaryStore(layout, TableRowCode.of(layout), RowLimit.of(layout, 1_000_000));
        UpdateBatch batch = new UpdateBatch(1);
        for (int i = 0; i < 500; i++) {
            batch.clear();
            model.update(batch, random);
            generated.apply(batch.bytes(), 0);
            expected.apply(batch.bytes(), 0);
        }
        assertThat(ModelSummary.dumpAll(generated.freeze()))
                .as(() -> "seed " + seed + ", " + layout + "\n" + text(sources))
                .isEqualTo(ModelSummary.dumpAll(expected.freeze()))
                .isNotEmpty();
        assertThat(generated.tables().updates()).isEqualTo(expected.tables().updates());
        assertThat(generated.saturationsInAll()).isEqualTo(expected.saturationsInAll());
    }

    /**
     * Sums at their bounds, columns twice in a record, texts, nested rows, records of another shape in between: runs
     * equal single records.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void runsComeToTheSameAsTheirRecordsOneByOne(long seed) {
        Random random = new Random(seed);
        List<SummaryLayout> layouts = new ArrayList<>();
        for (int i = 0; i < SUMMARIES; i++) {
            layouts.add(ModelSummary.randomLayout("s" + i, i % 2, random));
        }
        Summaries summaries =
                new Summaries(layouts, layouts.stream().map(RowSources::compile).toList(), 1_000_000);
        UpdateApplier owned = UpdateApplier.ofAll(summaries, new UpdateApplier.Listener() {
            @Override
            public void refused(byte[] bytes, int record) {
                throw new AssertionError("there is room");
            }

            @Override
            public void failed(byte[] bytes, int record, RuntimeException fault) {
                throw fault;
            }
        });
        List<SummaryStore> expected = layouts.stream()
                .map(layout -> new SummaryStore(layout, TableRowCode.of(layout), RowLimit.of(layout, 1_000_000)))
                .toList();
        List<KeyBuffer> keys = layouts.stream()
                .map(layout -> new KeyBuffer(new KeyLayout(layout.keys())))
                .toList();
        UpdateBatch batch = new UpdateBatch(1);
        for (int i = 0; i < 100; i++) {
            batch.clear();
            for (int runs = random.nextInt(40); runs >= 0; runs--) {
                int summary = random.nextInt(3) == 0 ? random.nextInt(SUMMARIES) : random.nextInt(2) * 16;
                int[] columns = random.ints(
                                random.nextInt(6),
                                0,
                                Math.max(1, layouts.get(summary).values().size()))
                        .toArray();
                int key = random.nextInt(5);
                for (int records = random.nextInt(random.nextInt(30) + 1); records >= 0; records--) {
                    boolean other = random.nextInt(20) == 0;
                    append(
                            batch,
                            other ? (summary + 16) % SUMMARIES : summary,
                            layouts,
                            keys,
                            key,
                            other ? new int[0] : columns,
                            random);
                }
            }
            byte[] bytes = batch.bytes();
            for (int at = 0; at < batch.limit(); at += Bytes.getInt(bytes, at)) {
                expected.get(UpdateBatch.summary(bytes, at)).apply(bytes, at);
            }
            owned.apply(batch);
        }
        for (int i = 0; i < SUMMARIES; i++) {
            SummaryStore all = expected.get(i);
            List<SummaryStore> parts = new ArrayList<>();
            for (int partition = 0; partition < Partitions.COUNT; partition++) {
                parts.add(summaries.store(i, partition));
            }
            assertThat(parts.stream()
                            .flatMap(part -> ModelSummary.dumpAll(part.freeze()).stream())
                            .sorted())
                    .as("seed %d, %s", seed, layouts.get(i))
                    .containsExactlyElementsOf(ModelSummary.sorted(ModelSummary.dumpAll(all.freeze())));
            assertThat(parts.stream().mapToLong(part -> part.tables().updates()).sum())
                    .isEqualTo(all.tables().updates());
            assertThat(parts.stream().mapToLong(SummaryStore::saturationsInAll).sum())
                    .as("seed %d, %s", seed, layouts.get(i))
                    .isEqualTo(all.saturationsInAll());
        }
    }

    private static void append(
            UpdateBatch batch,
            int summary,
            List<SummaryLayout> layouts,
            List<KeyBuffer> keys,
            int number,
            int[] columns,
            Random random) {
        SummaryLayout layout = layouts.get(summary);
        KeyBuffer key = keys.get(summary);
        fill(key, layout, number);
        long stamp = random.nextInt(1_000);
        batch.beginRow(summary, key, key.hash(), stamp);
        for (int column : layout.values().isEmpty() ? new int[0] : columns) {
            observe(batch, layout, column, random);
        }
        if (!layout.nested().isEmpty() && random.nextInt(20) == 0) {
            SummaryLayout below = layout.nested().get(0);
            KeyBuffer nested = new KeyBuffer(new KeyLayout(below.keys()));
            fill(nested, below, number);
            batch.enter(0, nested, nested.hash());
            if (!below.values().isEmpty()) {
                observe(batch, below, 0, random);
            }
            batch.leave();
        }
        batch.endRow();
    }

    private static void fill(KeyBuffer key, SummaryLayout layout, int number) {
        key.reset();
        for (int i = 0; i < layout.keys().size(); i++) {
            if (layout.keys().get(i).type() == KeyType.STRING) {
                byte[] text = ("key" + number).getBytes(UTF_8);
                key.setString(i, text, 0, text.length);
            } else if (layout.keys().get(i).type() == KeyType.BOOL) {
                key.setLong(i, number >> i & 1);
            } else {
                key.setLong(i, number);
            }
        }
    }

    private static void observe(UpdateBatch batch, SummaryLayout layout, int column, Random random) {
        switch (layout.values().get(column).type().operand()) {
            case LONG -> {
                long[] bounds = {0, Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE};
                batch.addLong(
                        column,
                        random.nextInt(50) == 0 ? bounds[random.nextInt(4)] : random.nextLong() >> random.nextInt(64));
            }
            case DOUBLE ->
                batch.addLong(
                        column,
                        Double.doubleToRawLongBits(
                                random.nextInt(50) == 0
                                        ? Math.copySign(Double.MAX_VALUE, random.nextInt(3) - 1)
                                        : random.nextGaussian()));
            case STRING -> {
                byte[] text = ("text" + random.nextInt()).getBytes(UTF_8);
                batch.addString(column, text, 0, text.length);
            }
        }
    }

    private static String text(RowSources sources) {
        return sources.sources().stream().map(GeneratedSource::text).collect(Collectors.joining("\n"));
    }

    @Test
    void keysOfEveryWidthAreToldApartByEachOfTheirBytes() {
        for (int columns = 1; columns <= 12; columns++) {
            List<KeyColumn> keys = new ArrayList<>();
            for (int i = 0; i < columns; i++) {
                keys.add(new KeyColumn("k" + i, i + 1, i % 3 == 2 ? KeyType.INT32 : KeyType.BOOL));
            }
            SummaryLayout layout = new SummaryLayout("s", 0, keys, List.of(), List.of());
            var code = RowSources.compile(layout).rows();
            int length = new KeyLayout(keys).fixedBytes();
            byte[] row = new byte[length + 5];
            byte[] key = new byte[length + 3];
            new Random(columns).nextBytes(key);
            System.arraycopy(key, 3, row, 5, length);
            assertThat(code.hasKey(row, 5, key, 3)).isTrue();
            for (int at = 0; at < length; at++) {
                row[5 + at] ^= 1;
                assertThat(code.hasKey(row, 5, key, 3))
                        .as("byte %d of %d", at, length)
                        .isFalse();
                row[5 + at] ^= 1;
            }
        }
    }

    @Test
    void takesAThousandColumnsInMethodsThatAreNotTooLongToCompile() {
        List<ValueColumn> values = new ArrayList<>();
        AggregateType[] types = AggregateType.values();
        for (int i = 0; i < 1_000; i++) {
            AggregateType type = types[i % types.length];
            boolean set = type == AggregateType.MULTISET64;
            values.add(new ValueColumn("v" + i, i + 1, type, set ? 11 : 0, set ? 5 : 0));
        }
        SummaryLayout layout =
                new SummaryLayout("Wide", 0, List.of(new KeyColumn("k", 1, KeyType.INT64)), values, List.of());
        RowSources sources = RowSources.of(layout, new Names());
        GeneratedClasses classes = SourceCompiler.compile(sources.sources());
        SummaryStore store = new SummaryStore(layout, sources.instance(classes), RowLimit.of(layout, 10));
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        key.reset();
        key.setLong(0, 7);
        UpdateBatch batch = new UpdateBatch(1);
        batch.beginRow(0, key, key.hash(), 1);
        for (int i = 0; i < 1_000; i += types.length) {
            batch.addLong(i, i + 1);
        }
        batch.endRow();
        store.apply(batch.bytes(), 0);
        var cursor = store.freeze().cursor();
        assertThat(cursor.next()).isTrue();
        for (int i = 0; i < 1_000; i += types.length) {
            assertThat(cursor.longValue(i)).isEqualTo(i + 1);
        }
        assertThat(MethodSizes.largest(classes)).isLessThan(8_000);
    }

    @Test
    void refusesAColumnThatTheSummaryDoesNotHave() {
        SummaryLayout layout = new SummaryLayout(
                "s",
                0,
                List.of(new KeyColumn("k", 1, KeyType.INT64)),
                List.of(new ValueColumn("v", 1, AggregateType.SUMINT64, 0, 0)),
                List.of());
        SummaryStore store = new SummaryStore(layout, RowSources.compile(layout), RowLimit.of(layout, 10));
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        key.reset();
        UpdateBatch batch = new UpdateBatch(1);
        batch.beginRow(0, key, key.hash(), 1);
        batch.addLong(1, 1);
        batch.endRow();
        assertThatThrownBy(() -> store.apply(batch.bytes(), 0)).hasMessage("column=1 is not one of this summary");
        Bytes.putShort(batch.bytes(), batch.limit() - 10, (short) UpdateBatch.ENTER);
        assertThatThrownBy(() -> store.apply(batch.bytes(), 0)).hasMessage("column=16384 is not one of this summary");
    }
}
