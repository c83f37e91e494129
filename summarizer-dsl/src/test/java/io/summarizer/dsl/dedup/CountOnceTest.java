package io.summarizer.dsl.dedup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.dedup.SeenIdsView;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.TopicMessages;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.WindowOptions;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.CutPart;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class CountOnceTest {
    private static final long SECOND = 1_000_000;
    private static final long START = 1_795_132_800_000_000L;

    private static final String PROTO = """
            syntax = "proto3";
            message Hit { string id = 1; int32 small = 2; int64 amount = 3; repeated int32 parts = 4; }
            """;

    private static final String HEAD = "import \"hit.proto\"; event Hit on \"hit\" as json dedup by id within 100s;\n";

    private static final String SUMMARIES = """
            summary A { key { int32 k = 1; } value { count n = 1; sumint64 s = 2; } }
            summary P { key { int32 part = 1; } value { count n = 1; } }
            map Hit into A where small >= 0 { key { k = small; } n += 1; s += amount; }
            map Hit into A { key { k = amount % 5; } n += 1; }
            map Hit into P { for p in parts { key { part = p; } n += 1; } }
            """;

    private static PipelineOptions options(int workers, int owners) {
        return PipelineOptions.queued(
                new PipelineOptions.Stage(QueueKind.LBQ, 4, workers, WaitPolicy.BLOCKING),
                new PipelineOptions.Stage(QueueKind.LBQ, 2, owners, WaitPolicy.BLOCKING));
    }

    private static PipelineOptions shape(int number) {
        return switch (number) {
            case 0 -> options(1, 1);
            case 1 -> options(3, 2);
            case 2 -> options(1, 1).withMode(PipelineMode.INLINE, 2);
            default -> options(1, 1).withMode(PipelineMode.LOCKED, 1);
        };
    }

    private static Plan plan(String summ) {
        CheckResult result = DefinitionsCompiler.check(Map.of("a.summ", summ, "hit.proto", PROTO));
        return PlanCompiler.compile(
                result.definitions().orElseThrow(() -> new AssertionError(result.render() + "\n" + summ)));
    }

    private static Pipeline start(String summ) {
        return Pipeline.start(plan(summ), options(2, 2), RejectSink.NONE);
    }

    /** An event, whose content its number determines. */
    private record Hit(int number, boolean hasId) {
        int small() {
            return number * 7 % 23 - 3;
        }

        long amount() {
            return number * 31L % 1000;
        }

        List<Integer> parts() {
            List<Integer> parts = new ArrayList<>();
            for (int i = number % 4; i > 0; i--) {
                parts.add(number * i % 6);
            }
            return parts;
        }

        String json() {
            return "{" + (hasId ? "\"id\":\"h" + number + "\"," : "") + "\"small\":" + small() + ",\"amount\":"
                    + amount() + ",\"parts\":" + parts() + "}";
        }
    }

    private static void put(Pipeline pipeline, long stamp, String... hits) throws InterruptedException {
        MessageBatch batch = pipeline.acquire();
        batch.firstStamp(stamp);
        for (String hit : hits) {
            TopicMessages.append(batch, "hit", hit);
        }
        pipeline.put(batch);
    }

    private static String hit(String id, int small) {
        return "{\"id\":\"" + id + "\",\"small\":" + small + ",\"amount\":10,\"parts\":[1]}";
    }

    /** The expected contents of the summaries. */
    private static final class Model {
        final Map<String, Long> cells = new TreeMap<>();
        long updatesOfA;
        long updatesOfP;
        long duplicates;

        void count(Hit hit, boolean again) {
            boolean isNew = !again || !hit.hasId();
            if (isNew) {
                if (hit.small() >= 0) {
                    add("A " + hit.small() + " n", 1);
                    add("A " + hit.small() + " s", hit.amount());
                }
                add("A " + hit.amount() % 5 + " n", 1);
                add("A " + hit.amount() % 5 + " s", 0);
                hit.parts().forEach(part -> add("P " + part + " n", 1));
            }
            int intoA = hit.small() >= 0 ? 2 : 1;
            updatesOfA += isNew ? intoA : 0;
            updatesOfP += isNew || hit.parts().isEmpty() ? 1 : 0; // without a row there is nothing to tell it by
            duplicates += isNew ? 0 : intoA + (hit.parts().isEmpty() ? 0 : 1);
        }

        private void add(String cell, long more) {
            cells.merge(cell, more, Long::sum);
        }
    }

    private static Map<String, Long> cells(Cut cut) {
        Map<String, Long> cells = new TreeMap<>();
        for (SummaryView view : cut.summaries()) {
            for (StoreView partition : view.partitions()) {
                RowCursor row = partition.cursor();
                while (row.next()) {
                    for (int i = 0; i < view.layout().values().size(); i++) {
                        String name = view.layout().name() + " " + row.keyLong(0) + " "
                                + view.layout().values().get(i).name();
                        cells.put(name, row.longValue(i));
                    }
                }
            }
        }
        return cells;
    }

    private static Map<String, Long> cells(Pipeline pipeline) throws InterruptedException {
        pipeline.drain();
        Cut cut = pipeline.cut();
        Map<String, Long> cells = cells(cut);
        cut.release();
        return cells;
    }

    /**
     * Rounds further apart than the window, in each of which every event comes several times in any order; the first,
     * by any worker, counts.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldCountWhatComesSeveralTimesOnce(int shape) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Model model = new Model();
        try (Pipeline pipeline = Pipeline.start(plan(HEAD + SUMMARIES), shape(shape), RejectSink.NONE)) {
            for (int round = 0; round < 4; round++) {
                List<Hit> hits = new ArrayList<>();
                for (int i = 0; i < 600; i++) {
                    Hit hit = new Hit(random.nextInt(2000), random.nextInt(20) != 0);
                    boolean sent = hits.contains(hit);
                    for (int times = random.nextInt(3); times >= 0; times--) {
                        hits.add(hit);
                        model.count(hit, sent);
                        sent = true;
                    }
                }
                Collections.shuffle(hits, random);
                long stamp = START + round * 120L * SECOND;
                for (int from = 0; from < hits.size(); from += 50) {
                    List<Hit> batch = hits.subList(from, Math.min(hits.size(), from + 50));
                    put(pipeline, stamp, batch.stream().map(Hit::json).toArray(String[]::new));
                    stamp += 50 + random.nextInt(1000);
                }
                pipeline.drain(); // so that no worker is a round behind
            }
            Cut cut = pipeline.cut();
            assertThat(cells(cut)).as("seed %d", seed).isEqualTo(model.cells);
            assertThat(cut.summaries())
                    .as("seed %d", seed)
                    .map(SummaryView::updates)
                    .containsExactly(model.updatesOfA, model.updatesOfP);
            cut.release();
            assertThat(pipeline.gauges().duplicates("A") + pipeline.gauges().duplicates("P"))
                    .as("seed %d", seed)
                    .isEqualTo(model.duplicates);
            assertThat(pipeline.gauges().updates("A")).isEqualTo(model.updatesOfA);
            assertThat(pipeline.gauges().eventsWithoutId()).isPositive();
            assertThat(pipeline.gauges().failures()).isZero();
            assertThat(pipeline.gauges().seenIds().held()).isPositive();
            assertThat(pipeline.gauges().seenIds().bytes()).isPositive();
            assertThat(pipeline.gauges().seenIds().evicted()).isZero();
        }
    }

    @Test
    void shouldKeepIdsWhenASummaryIsEmptied() throws Exception {
        try (Pipeline pipeline = start(HEAD + SUMMARIES)) {
            put(pipeline, START, hit("x", 1), hit("y", 1));
            pipeline.drain();
            Cut last = pipeline.reset("A").orElseThrow();
            assertThat(cells(last)).containsEntry("A 1 n", 2L);
            last.release();
            put(pipeline, START + SECOND, hit("x", 1), hit("z", 1));
            Map<String, Long> cells = cells(pipeline);
            assertThat(cells).containsEntry("A 1 n", 1L).containsEntry("P 1 n", 3L);
            Cut cut = pipeline.cut();
            assertThat(cut.summaries()).map(SummaryView::updates).containsExactly(2L, 3L);
            cut.release();
        }
    }

    @Test
    void shouldKnowAfterARestartWhatACheckpointHas() throws Exception {
        SavedIds saved;
        try (Pipeline pipeline = start(HEAD + SUMMARIES)) {
            put(pipeline, START, hit("x", 1), hit("y", 2));
            pipeline.drain();
            Cut cut = pipeline.cut(CutLease.Kind.CHECKPOINT);
            put(pipeline, START + SECOND, hit("z", 3));
            pipeline.drain();
            CutPart part = cut.parts().stream()
                    .filter(any -> any.name().equals(SeenIdsView.PART))
                    .findFirst()
                    .orElseThrow();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            part.writeTo(bytes);
            cut.release();
            saved = SavedIds.readFrom(new ByteArrayInputStream(bytes.toByteArray()));
            Cut other = pipeline.cut();
            assertThat(other.parts()).noneMatch(any -> any.name().equals(SeenIdsView.PART));
            other.release();
        }
        Plan plan = plan(HEAD + SUMMARIES);
        try (Pipeline pipeline = Pipeline.start(plan, options(1, 3), RejectSink.NONE, plan.newSummaries(1000), saved)) {
            put(pipeline, START + 2 * SECOND, hit("x", 1), hit("y", 2), hit("z", 3));
            assertThat(cells(pipeline))
                    .isEqualTo(Map.of("A 3 n", 1L, "A 3 s", 10L, "A 0 n", 1L, "A 0 s", 0L, "P 1 n", 1L));
            put(pipeline, START + 200 * SECOND, hit("x", 1));
            assertThat(cells(pipeline)).containsEntry("A 1 n", 1L);
        }
    }

    @Test
    void shouldKeepIdsAcrossReloadsForAsLongAsTheExpressionIsTheSame() throws Exception {
        try (Pipeline pipeline = start(HEAD + SUMMARIES)) {
            put(pipeline, START, hit("x", 1), hit("y", 1));
            pipeline.drain();
            String more = """
                    summary B { key { int32 k = 1; } value { count n = 1; } }
                    map Hit into B { key { k = small; } n += 1; }
                    """;
            pipeline.reload(plan(HEAD.replace("100s", "1h") + more + SUMMARIES));
            put(pipeline, START + 600 * SECOND, hit("x", 1));
            assertThat(cells(pipeline))
                    .as("known where it counted, new where it did not")
                    .containsEntry("A 1 n", 2L)
                    .containsEntry("B 1 n", 1L);
            pipeline.reload(plan(HEAD.replace("by id", "by lower(id)") + more + SUMMARIES));
            put(pipeline, START + 601 * SECOND, hit("x", 1), hit("X", 1));
            assertThat(cells(pipeline)).containsEntry("A 1 n", 3L).containsEntry("B 1 n", 2L);
            pipeline.reload(plan(HEAD.replace(" dedup by id within 100s", "") + more + SUMMARIES));
            put(pipeline, START + 602 * SECOND, hit("x", 1), hit("x", 1));
            assertThat(cells(pipeline)).containsEntry("A 1 n", 5L).containsEntry("B 1 n", 4L);
            assertThat(pipeline.gauges().seenIds().held()).isZero();
        }
    }

    /** An event that a bound kept out of a row counts in this row when it is sent again, and in no other row. */
    @Test
    void shouldCountWhenSentAgainWhatTheLimitRefused() throws Exception {
        String limited = SUMMARIES.replace("summary A { key", "summary A { limit keys = 2; key");
        PipelineOptions ordered = options(1, 1).withMode(PipelineMode.LOCKED, 1); // x comes before y
        try (Pipeline pipeline = Pipeline.start(plan(HEAD + limited), ordered, RejectSink.NONE)) {
            put(pipeline, START, hit("x", 1));
            pipeline.drain();
            put(pipeline, START + SECOND, hit("y", 2), hit("y", 2));
            assertThat(cells(pipeline))
                    .isEqualTo(Map.of("A 1 n", 1L, "A 1 s", 10L, "A 0 n", 2L, "A 0 s", 0L, "P 1 n", 2L));
            pipeline.reload(plan(HEAD + SUMMARIES));
            put(pipeline, START + 2 * SECOND, hit("y", 2), hit("y", 2), hit("x", 1));
            assertThat(cells(pipeline))
                    .isEqualTo(Map.of(
                            "A 1 n", 1L, "A 1 s", 10L, "A 2 n", 1L, "A 2 s", 10L, "A 0 n", 2L, "A 0 s", 0L, "P 1 n",
                            2L));
        }
    }

    /** The same for an event whose window could not be opened. */
    @Test
    void shouldCountWhenSentAgainWhatHadNoWindow() throws Exception {
        String windowed = """
                summary W { window at every 1m close after 1m; key { timestamp at = 1; } value { count n = 1; } }
                map Hit into W { key { at = timestamp(amount); } n += 1; }
                """;
        PipelineOptions one = options(1, 1)
                .withMode(PipelineMode.LOCKED, 1)
                .withWindows(new WindowOptions(1, 3_600 * SECOND, 60 * SECOND));
        try (Pipeline pipeline = Pipeline.start(plan(HEAD + windowed), one, RejectSink.NONE)) {
            String minute = "{\"id\":\"x\",\"amount\":" + START / 1_000 + "}";
            String next = "{\"id\":\"y\",\"amount\":" + (START / 1_000 + 60_000) + "}";
            put(pipeline, START, minute);
            pipeline.drain();
            put(pipeline, START + SECOND, next);
            pipeline.drain();
            assertThat(pipeline.windows().get(0).inMemory()).containsExactly(START);
            assertThat(pipeline.closeWindows("W", START + 60 * SECOND)).isPresent();
            pipeline.dropWindows("W", START + 1);
            put(pipeline, START + 2 * SECOND, next, next);
            pipeline.drain();
            Cut cut = pipeline.cut();
            assertThat(pipeline.windows().get(0).inMemory()).containsExactly(START + 60 * SECOND);
            assertThat(cut.summaries().get(0).updates()).isEqualTo(2L);
            cut.release();
        }
    }

    /** A wider key has another hash, so its rows move to other partitions. */
    @Test
    void shouldKnowIdsUnderAWiderKey() throws Exception {
        String wide = SUMMARIES.replace("summary A { key { int32 k", "summary A { key { int64 k");
        try (Pipeline pipeline = start(HEAD + SUMMARIES)) {
            String[] hits = new String[200];
            for (int i = 0; i < hits.length; i++) {
                hits[i] = hit("h" + i, i);
            }
            put(pipeline, START, hits);
            Map<String, Long> before = cells(pipeline);
            pipeline.reload(plan(HEAD + wide));
            put(pipeline, START + SECOND, hits);
            assertThat(cells(pipeline)).isEqualTo(before);
            pipeline.reload(plan(HEAD + wide));
            put(pipeline, START + 2 * SECOND, hits);
            assertThat(cells(pipeline)).isEqualTo(before);
            put(pipeline, START + 150 * SECOND, hits);
            assertThat(cells(pipeline)).containsEntry("A 7 n", 2L);
        }
    }

    @Test
    void shouldTakeTheIdFromTheStructuredData() throws Exception {
        String head = HEAD.replace("by id", "by syslog.sd[\"ev@32473\"].id");
        try (Pipeline pipeline = start(head + SUMMARIES)) {
            for (String id : List.of("a", "b", "a", "a", "c")) {
                MessageBatch batch = pipeline.acquire();
                String data = "[ev@32473 id=\"" + id + "\"]";
                byte[] text = ("hit" + data + hit("x", 1)).getBytes(UTF_8);
                batch.ensureCapacity(text.length);
                System.arraycopy(text, 0, batch.bytes(), 0, text.length);
                batch.limit(text.length);
                int message = batch.append(0, text.length);
                batch.slice(message, MessageBatch.TOPIC, 0, 3);
                batch.slice(message, MessageBatch.STRUCTURED_DATA, 3, data.length());
                batch.slice(message, MessageBatch.PAYLOAD, 3 + data.length(), text.length - 3 - data.length());
                pipeline.put(batch);
            }
            assertThat(cells(pipeline)).containsEntry("A 1 n", 3L);
        }
    }

    @Test
    void shouldGoOnWithinItsBound() throws Exception {
        Plan plan = plan(HEAD + SUMMARIES);
        try (Pipeline pipeline = Pipeline.start(plan, options(1, 2).withDedupIds(100), RejectSink.NONE)) {
            for (int batch = 0; batch < 100; batch++) {
                String[] hits = new String[500];
                for (int i = 0; i < hits.length; i++) {
                    hits[i] = hit("h" + (batch * 500 + i), 1);
                }
                put(pipeline, START + batch * 1000L, hits);
            }
            assertThat(cells(pipeline)).as("no new event is dropped").containsEntry("A 1 n", 50_000L);
            pipeline.drain();
            assertThat(pipeline.gauges().seenIds().evicted()).isPositive();
            assertThat(pipeline.gauges().seenIds().held()).isLessThan(10_000);
        }
    }
}
