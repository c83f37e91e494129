package io.summarizer.dsl.reload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.TopicMessages;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.ReloadRefusedException;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class LiveReloadTest {
    private static final int EACH = 20;

    /** Room for a few batches only, so that workers and owners wait for each other while rows are copied. */
    private static PipelineOptions options(int workers, int owners) {
        return PipelineOptions.queued(
                new PipelineOptions.Stage(QueueKind.LBQ, 4, workers, WaitPolicy.BLOCKING),
                new PipelineOptions.Stage(QueueKind.LBQ, 2, owners, WaitPolicy.BLOCKING));
    }

    /** Every mode, and summaries outside the first pipeline. */
    private static PipelineOptions shape(int number, PipelineOptions options) {
        PipelineOptions.Named only = options.pipelines().get(0);
        return switch (number) {
            case 0 -> options;
            case 1 -> options.withMode(PipelineMode.INLINE, 2);
            case 2 -> options.withMode(PipelineMode.LOCKED, 1);
            default ->
                options.withPipeline(new PipelineOptions.Named(
                        "hits", List.of(TopicPattern.of("hit.#")), only.parse(), only.summarize()));
        };
    }

    private static Plan plan(String summ) {
        CheckResult result = DefinitionsCompiler.check(Map.of("a.summ", summ, "hit.proto", Drafts.PROTO));
        return PlanCompiler.compile(
                result.definitions().orElseThrow(() -> new AssertionError(result.render() + "\n" + summ)));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldCountAsIfThereHadBeenNoReload(long seed) throws Exception {
        Random random = new Random(seed);
        Drafts drafts = new Drafts(random);
        Plan first = plan(drafts.text());
        AtomicBoolean done = new AtomicBoolean();
        List<String> actual;
        int sent;
        PipelineOptions options = shape((int) (seed % 4), options(1 + random.nextInt(3), 1 + random.nextInt(3)));
        try (Pipeline pipeline = Pipeline.start(first, options, RejectSink.NONE)) {
            CompletableFuture<Integer> producer = CompletableFuture.supplyAsync(() -> produce(pipeline, done));
            try {
                for (int reload = 0; reload < 6; reload++) {
                    drafts.change();
                    Plan next = plan(drafts.text());
                    if (random.nextInt(3) == 0) {
                        Plan refused = plan(drafts.refused());
                        Plan before = pipeline.plan();
                        assertThatThrownBy(() -> pipeline.reload(refused)).isInstanceOf(ReloadRefusedException.class);
                        assertThat(pipeline.plan()).isSameAs(before);
                    }
                    Cut old = pipeline.cut();
                    List<String> oldRows = rows(old.summaries(), drafts, false);
                    pipeline.reload(next);
                    assertThat(rows(old.summaries(), drafts, false))
                            .as("seed=%s", seed)
                            .isEqualTo(oldRows);
                    old.release();
                    checkFieldsOfOneAge(pipeline, seed);
                }
            } finally {
                done.set(true);
            }
            sent = producer.get();
            pipeline.drain();
            actual = rows(pipeline, drafts);
            assertThat(pipeline.ledger().processed()).isEqualTo((long) sent * EACH);
            assertThat(pipeline.gauges().failures()).isZero();
        }
        try (Pipeline uninterrupted = Pipeline.start(first, options(1, 1), RejectSink.NONE)) {
            for (int batch = 0; batch < sent; batch++) {
                uninterrupted.put(batch(uninterrupted, batch));
            }
            uninterrupted.drain();
            assertThat(actual).as("seed=%s, batches=%s", seed, sent).isEqualTo(rows(uninterrupted, drafts));
        }
    }

    /** Within one cut the count of each row equals the sum of its nested counts, whatever was copied in between. */
    private static void checkFieldsOfOneAge(Pipeline pipeline, long seed) throws InterruptedException {
        Cut cut = pipeline.cut();
        for (SummaryView summary : cut.summaries()) {
            long outer = 0;
            long inner = 0;
            for (StoreView partition : summary.partitions()) {
                outer += sum(partition, valueNumbered(summary.layout(), 1));
                StoreView nested = partition.nested(0);
                inner += sum(nested, valueNumbered(nested.layout(), 1));
            }
            assertThat(inner).as("seed=%s, %s", seed, summary.layout().name()).isEqualTo(outer);
            assertThat(summary.updates()).as("seed=%s", seed).isEqualTo(outer);
        }
        cut.release();
    }

    private static long sum(StoreView view, int column) {
        long sum = 0;
        RowCursor row = view.cursor();
        while (row.next()) {
            sum += row.longValue(column);
        }
        return sum;
    }

    private static int valueNumbered(SummaryLayout layout, int number) {
        for (int i = 0; i < layout.values().size(); i++) {
            if (layout.values().get(i).number() == number) {
                return i;
            }
        }
        throw new AssertionError("no field " + number + " in " + layout);
    }

    @Test
    void shouldStartNewFieldsEmptyAndKeepWhatRenamedAndWidenedOnesHold() throws Exception {
        String head = "import \"hit.proto\"; event Hit on \"hit.#\" as csv;";
        Plan before = plan(head + """
                summary A { key { int32 k = 1; } value { sumint32 a = 1; sumint32 b = 2; laststring c = 3; } }
                map Hit into A { key { k = small; } a += 1; b += amount; c += text; }
                summary Gone { key { int32 k = 1; } value { count n = 1; } }
                map Hit into Gone { key { k = small; } n += 1; }
                summary B { key { int32 k = 1; } value { count n = 1; } }
                map Hit into B { key { k = small; } n += 1; }
                """);
        Plan after = plan(head + """
                summary B { key { int32 kk = 1; } value { count nn = 1; } }
                map Hit into B { key { kk = small; } nn += 2; }
                summary New { key { int32 k = 1; } value { count n = 1; } }
                map Hit into New { key { k = small; } n += 1; }
                summary A { key { int64 k = 1; } value { count fresh = 9; sumint64 bb = 2; sumint32 a = 1; } }
                map Hit into A { key { k = small; } a += 1; bb += amount; fresh += 1; }
                """);
        try (Pipeline pipeline = Pipeline.start(before, options(2, 2), RejectSink.NONE)) {
            pipeline.put(hits(pipeline, "1,7,3000000000,x", "2,7,5,y", "3,8,1,z"));
            pipeline.drain();
            Cut old = pipeline.cut();
            Pipeline.Reload reload = pipeline.reload(after);
            assertThat(reload.match().changes())
                    .map(Object::toString)
                    .containsExactly(
                            "A: key column 1 (k) becomes int64 of int32 and keeps its data",
                            "A: field 2 (bb) becomes sumint64 of sumint32 and keeps its data",
                            "A: field 2 is renamed from b to bb and keeps its data",
                            "A: field 3 (c) is not defined any more; its values are left out",
                            "A: field 9 (fresh) is new and starts empty",
                            "summary Gone is not defined any more; its rows are left out",
                            "B: key column 1 is renamed from k to kk and keeps its data",
                            "B: field 1 is renamed from n to nn and keeps its data",
                            "summary New is new and starts empty");
            pipeline.put(hits(pipeline, "4,7,1,x"));
            pipeline.drain();
            Cut cut = pipeline.cut();
            assertThat(dump(cut))
                    .containsExactly(
                            "A 7: fresh=1 bb=3000000006 a=3",
                            "A 8: fresh=0 bb=1 a=1",
                            "B 7: nn=3",
                            "B 8: nn=1",
                            "New 7: n=1");
            assertThat(cut.summaries()).map(SummaryView::updates).containsExactly(4L, 1L, 4L);
            assertThat(dump(old))
                    .containsExactly(
                            "A 7: a=2 b=3000000005 c=y",
                            "A 8: a=1 b=1 c=z",
                            "B 7: n=2",
                            "B 8: n=1",
                            "Gone 7: n=2",
                            "Gone 8: n=1");
            assertThat(pipeline.gauges().updates("A")).isEqualTo(4);
            assertThat(pipeline.gauges().updates("B")).isEqualTo(4);
            assertThat(pipeline.gauges().updates("New")).isEqualTo(1);
            assertThat(pipeline.gauges().updates("Gone")).isZero();
            assertThat(pipeline.gauges().rows("A", List.of())).isEqualTo(2);
            assertThat(pipeline.gauges().rows("Gone", List.of())).isZero();
            old.release();
            cut.release();
            assertThat(pipeline.gauges().cutMemory().heldBytes()).isZero();
            assertThat(pipeline.gauges().cutMemory().held()).isZero();
        }
    }

    @Test
    void shouldRefuseDefinitionsThatShareNoSummary() throws Exception {
        String head = "import \"hit.proto\"; event Hit on \"hit.#\" as csv;";
        Plan before = plan(head + "summary A { key { int32 k = 1; } value { count n = 1; } }"
                + "map Hit into A { key { k = small; } n += 1; }");
        Plan after = plan(head + "summary B { key { int32 k = 1; } value { count n = 1; } }");
        try (Pipeline pipeline = Pipeline.start(before, options(1, 1), RejectSink.NONE)) {
            pipeline.put(hits(pipeline, "1,7,5,x"));
            pipeline.drain();
            pipeline.cut().release(); // the row is applied
            assertThatThrownBy(() -> pipeline.reload(after))
                    .isInstanceOf(ReloadRefusedException.class)
                    .hasMessage("none of the summaries in the service is defined: there is A; defined is B");
            assertThat(pipeline.plan()).isSameAs(before);
        }
    }

    @Test
    void shouldDropSummariesWithoutRowsWhateverIsDefinedInstead() throws Exception {
        String head = "import \"hit.proto\"; event Hit on \"hit.#\" as csv;";
        Plan before = plan(head + "summary A { key { int32 k = 1; } value { count n = 1; } }");
        Plan after = plan(head + "summary B { key { int32 k = 1; } value { count n = 1; } }"
                + "map Hit into B { key { k = small; } n += 1; }");
        try (Pipeline pipeline = Pipeline.start(before, options(1, 1), RejectSink.NONE)) {
            pipeline.reload(after);
            pipeline.put(hits(pipeline, "1,7,5,x"));
            pipeline.drain();
            Cut cut = pipeline.cut();
            assertThat(dump(cut)).containsExactly("B 7: n=1");
            cut.release();
        }
    }

    @Test
    void shouldRefuseToHaveCutsHoldMoreAndMoreOfWhatReloadsTookOut() throws Exception {
        String head = "import \"hit.proto\"; event Hit on \"hit.#\" as csv;";
        String map = " map Hit into A { key { k = small; } n += 1; }";
        Plan one = plan(head + "summary A { key { int32 k = 1; } value { count n = 1; } }" + map);
        Plan two = plan(head + "summary A { key { int32 k = 1; } value { count n = 1; count m = 2; } }" + map);
        PipelineOptions small = options(1, 1).withMaxRows(1_000).withCutBytesMax(8 * 1024);
        try (Pipeline pipeline = Pipeline.start(one, small, RejectSink.NONE)) {
            for (int batch = 0; batch < 10; batch++) {
                pipeline.put(batch(pipeline, batch));
            }
            pipeline.drain();
            Cut first = pipeline.cut();
            List<String> rows = dump(first);
            pipeline.reload(two); // a state of any size, because cuts hold nothing else
            Cut second = pipeline.cut();
            assertThatThrownBy(() -> pipeline.reload(one))
                    .isInstanceOf(ReloadRefusedException.class)
                    .hasMessageContaining("(cuts.memory)");
            assertThat(pipeline.plan()).isSameAs(two);
            assertThat(dump(first)).isEqualTo(rows);
            first.release();
            pipeline.reload(one);
            second.release();
            assertThat(dump(pipeline.cut())).isEqualTo(rows);
            assertThat(pipeline.gauges().cutMemory().retiredBytes()).isZero();
        }
    }

    private static int produce(Pipeline pipeline, AtomicBoolean done) {
        try {
            int batch = 0;
            while (!done.get()) {
                pipeline.put(batch(pipeline, batch++));
            }
            return batch;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The events of the batch with this number, the same ones each time. */
    private static MessageBatch batch(Pipeline pipeline, int number) {
        String[] hits = new String[EACH];
        for (int i = 0; i < EACH; i++) {
            int id = number * EACH + i;
            int mixed = (id * 0x9e3779b9) >>> 8;
            hits[i] = id + "," + (mixed % 23 - 3) + "," + (mixed % 11) + ",w" + mixed % 5;
        }
        return hits(pipeline, hits);
    }

    private static MessageBatch hits(Pipeline pipeline, String... hits) {
        MessageBatch batch = pipeline.acquire();
        for (String hit : hits) {
            TopicMessages.append(batch, "hit", hit);
        }
        return batch;
    }

    private static List<String> rows(Pipeline pipeline, Drafts drafts) throws InterruptedException {
        Cut cut = pipeline.cut();
        List<String> rows = rows(cut.summaries(), drafts, true);
        cut.release();
        return rows;
    }

    /** All rows of original summaries, with their original columns, by number, as text. */
    private static List<String> rows(List<SummaryView> views, Drafts drafts, boolean originalOnly) {
        List<String> rows = new ArrayList<>();
        for (SummaryView view : views) {
            for (Drafts.Summary draft : drafts.summaries()) {
                if (draft.name.equals(view.layout().name()) && (draft.original || !originalOnly)) {
                    Set<Integer> outer = originalOnly ? originals(draft.fields) : Set.of();
                    Set<Integer> inner = originalOnly ? originals(draft.inner) : Set.of();
                    for (StoreView partition : view.partitions()) {
                        table(draft.name, partition, partition.layout(), outer, rows);
                        StoreView nested = partition.nested(0);
                        RowCursor parent = partition.cursor();
                        RowCursor row = nested.cursor();
                        while (row.next()) {
                            parent.seek(row.parent());
                            rows.add(draft.name + "/ " + key(parent, partition.layout()) + " "
                                    + line(row, nested.layout(), inner));
                        }
                    }
                }
            }
        }
        rows.sort(null);
        return rows;
    }

    private static Set<Integer> originals(Collection<Drafts.Field> fields) {
        return fields.stream()
                // Sets reduced on the way estimate differently from those that never were.
                .filter(field -> field.original && !field.type.equals(Drafts.SMALL_SET))
                .map(field -> field.number)
                .collect(Collectors.toCollection(HashSet::new));
    }

    private static void table(
            String name, StoreView view, SummaryLayout layout, Set<Integer> numbers, List<String> rows) {
        RowCursor row = view.cursor();
        while (row.next()) {
            rows.add(name + " " + line(row, layout, numbers));
        }
    }

    private static String line(RowCursor row, SummaryLayout layout, Set<Integer> numbers) {
        TreeMap<Integer, String> values = new TreeMap<>();
        for (int i = 0; i < layout.values().size(); i++) {
            if (numbers.contains(layout.values().get(i).number())) {
                values.put(layout.values().get(i).number(), value(row, layout, i));
            }
        }
        return key(row, layout) + " " + values;
    }

    private static String key(RowCursor row, SummaryLayout layout) {
        TreeMap<Integer, String> keys = new TreeMap<>();
        for (int i = 0; i < layout.keys().size(); i++) {
            String text;
            if (row.isKeyNull(i)) {
                text = "null";
            } else if (layout.keys().get(i).type() == KeyType.STRING) {
                row.readKeyText(i);
                text = text(row);
            } else {
                text = Long.toString(row.keyLong(i));
            }
            keys.put(layout.keys().get(i).number(), text);
        }
        return keys.values().stream().collect(Collectors.joining(","));
    }

    private static String value(RowCursor row, SummaryLayout layout, int column) {
        if (row.isEmpty(column)) {
            return "empty";
        }
        AggregateType type = layout.values().get(column).type();
        if (type.operand() == AggregateType.Operand.STRING) {
            row.readText(column);
            return text(row);
        }
        return Long.toString(row.longValue(column));
    }

    private static String text(RowCursor row) {
        return new String(row.text(), row.textOffset(), row.textLength(), UTF_8);
    }

    private static List<String> dump(Cut cut) {
        List<String> rows = new ArrayList<>();
        for (SummaryView view : cut.summaries()) {
            for (StoreView partition : view.partitions()) {
                SummaryLayout layout = partition.layout();
                RowCursor row = partition.cursor();
                while (row.next()) {
                    StringBuilder line = new StringBuilder(layout.name() + " " + key(row, layout) + ":");
                    for (int i = 0; i < layout.values().size(); i++) {
                        line.append(' ')
                                .append(layout.values().get(i).name())
                                .append('=')
                                .append(value(row, layout, i));
                    }
                    rows.add(line.toString());
                }
            }
        }
        rows.sort(null);
        return rows;
    }
}
