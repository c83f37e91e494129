package io.summarizer.dsl.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.ledger.NullValues;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.Cut;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Evaluations that give null because something in them failed are counted, by expression. */
@Timeout(60)
class NullCountsTest {
    private static final String PROTO = """
            syntax = "proto3";
            message Sale { string amount = 1; int64 a = 2; int64 b = 3; string at = 4; repeated string parts = 5; }
            """;

    private static final String SUMM = """
            import "events.proto";
            event Sale on "sale" as json;
            summary S {
                key { timestamp day = 1; int32 small = 2; }
                value { sumcurrency cost = 1; sumdouble rate = 2; sumint64 sum = 3; count n = 4; sumint64 parts = 5; }
            }
            map Sale into S where int64(amount) != 7 or true {
                key {
                    day = timestamp(at);
                    small = a;
                }
                cost += amount;
                rate += a / b;
                sum += a * b;
                n += coalesce(int64(amount), 0);
                for p in parts { parts += int64(p) where p != "skip"; }
            }
            """;

    private static Plan plan(String summ) {
        CheckResult result = DefinitionsCompiler.check(Map.of("a.summ", summ, "events.proto", PROTO));
        return PlanCompiler.compile(
                result.definitions().orElseThrow(() -> new AssertionError(result.render() + "\n" + summ)));
    }

    private static void put(Pipeline pipeline, String... payloads) throws InterruptedException {
        for (String payload : payloads) {
            MessageBatch batch = pipeline.acquire();
            byte[] text = ("sale" + payload).getBytes(UTF_8);
            batch.ensureCapacity(text.length);
            System.arraycopy(text, 0, batch.bytes(), 0, text.length);
            batch.limit(text.length);
            int number = batch.append(0, text.length);
            batch.slice(number, MessageBatch.TOPIC, 0, 4);
            batch.slice(number, MessageBatch.PAYLOAD, 4, text.length - 4);
            pipeline.put(batch);
        }
        pipeline.drain();
    }

    private static LedgerCounts counts(Pipeline pipeline) throws InterruptedException {
        Cut cut = pipeline.cut();
        cut.release();
        return LedgerCounts.of(cut);
    }

    private static NullValues values(LedgerCounts counts, String expression) {
        return counts.nulls().stream()
                .filter(values -> values.expression().equals(expression))
                .findFirst()
                .orElseThrow(() -> new AssertionError(expression + " is not in " + counts.nulls()));
    }

    private static String told(LedgerCounts counts, String expression) {
        NullValues values = values(counts, expression);
        return values.total() + " of " + values.evaluated() + ": " + values.reasons() + " " + values.sample();
    }

    @Test
    void shouldCountByExpressionAndReasonWithPlaceAndSample() throws Exception {
        try (Pipeline pipeline = Pipeline.start(plan(SUMM), PipelineOptions.DEFAULT, RejectSink.NONE)) {
            put(
                    pipeline,
                    "{\"amount\":\"12,50\",\"a\":1,\"b\":0,\"at\":\"garbage\",\"parts\":[\"1\",\"x\",\"skip\"]}",
                    "{\"amount\":\"3\",\"a\":9223372036854775807,\"b\":2,\"at\":\"2026-11-20\",\"parts\":[\"y\"]}",
                    "{\"a\":1,\"b\":1}");
            LedgerCounts counts = counts(pipeline);
            assertThat(told(counts, "cost += amount")).isEqualTo("1 of 3: 1 unreadable 12,50");
            assertThat(told(counts, "where (int64(amount) != 7) or true")).isEqualTo("1 of 3: 1 unreadable 12,50");
            assertThat(told(counts, "key day = timestamp(at)")).isEqualTo("1 of 3: 1 unreadable garbage");
            assertThat(told(counts, "key small = a")).isEqualTo("1 of 3: 1 range ");
            assertThat(told(counts, "rate += a / b")).isEqualTo("1 of 3: 1 division ");
            assertThat(told(counts, "sum += a * b")).isEqualTo("1 of 3: 1 range ");
            assertThat(told(counts, "n += coalesce(int64(amount), 0)")).isEqualTo("1 of 3: 1 unreadable 12,50");
            assertThat(told(counts, "parts += int64(p)")).isEqualTo("2 of 3: 2 unreadable x");
            assertThat(values(counts, "rate += a / b").at()).isEqualTo("a.summ:13");
            assertThat(values(counts, "key small = a").at()).isEqualTo("a.summ:10");
            assertThat(values(counts, "cost += amount").isAlways()).isFalse();
        }
    }

    @Test
    void shouldKnowWhenEachValueWasNull() throws Exception {
        try (Pipeline pipeline = Pipeline.start(plan(SUMM), PipelineOptions.DEFAULT, RejectSink.NONE)) {
            put(pipeline, "{\"amount\":\"1,5\",\"parts\":[\"x\"]}", "{\"amount\":\"2,5\",\"parts\":[\"y\"]}");
            LedgerCounts counts = counts(pipeline);
            assertThat(values(counts, "cost += amount").isAlways()).isTrue();
            assertThat(values(counts, "parts += int64(p)").isAlways()).isTrue();
            assertThat(values(counts, "rate += a / b").isAlways())
                    .as("absent is no failure")
                    .isFalse();
        }
    }

    @Test
    void shouldGoOnOverReloadsAndStarts() throws Exception {
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        try (Pipeline pipeline = Pipeline.start(plan(SUMM), PipelineOptions.DEFAULT, RejectSink.NONE)) {
            put(pipeline, "{\"amount\":\"first\"}");
            // Statements move, and one changes: its count begins.
            pipeline.reload(plan(SUMM.replace("sum += a * b;", "\n sum += a + b;")));
            put(pipeline, "{\"amount\":\"second\",\"a\":9223372036854775807,\"b\":1}", "{\"amount\":\"1\"}");
            LedgerCounts counts = counts(pipeline);
            assertThat(told(counts, "cost += amount")).isEqualTo("2 of 3: 2 unreadable first");
            assertThat(told(counts, "sum += a + b")).isEqualTo("1 of 2: 1 range ");
            assertThat(counts.nulls()).noneMatch(values -> values.expression().equals("sum += a * b"));
            counts.writeTo(saved);
        }
        LedgerCounts before = LedgerCounts.read(saved.toByteArray());
        try (Pipeline pipeline = Pipeline.start(plan(SUMM), PipelineOptions.DEFAULT, RejectSink.NONE)) {
            pipeline.ledger().restore(before);
            put(pipeline, "{\"amount\":\"third\"}");
            assertThat(told(counts(pipeline), "cost += amount")).isEqualTo("3 of 4: 3 unreadable first");
            assertThat(pipeline.ledger().now().nulls())
                    .isEqualTo(counts(pipeline).nulls());
        }
    }

    /** An equal expression placed before another one must not take over its count. */
    @Test
    void shouldCountEqualExpressionsOfAMappingTogether() throws Exception {
        String loop = "for p in parts { parts += int64(p) where p != \"skip\"; }";
        String rare = "for p in parts where p == \"rare\" { parts += int64(p); }";
        String payload = "{\"amount\":\"1\",\"parts\":[\"x\",\"y\",\"2\"]}";
        try (Pipeline pipeline = Pipeline.start(plan(SUMM), PipelineOptions.DEFAULT, RejectSink.NONE)) {
            put(pipeline, payload);
            assertThat(told(counts(pipeline), "parts += int64(p)")).isEqualTo("2 of 3: 2 unreadable x");
            for (String both : List.of(rare + loop, loop + rare)) {
                pipeline.reload(plan(SUMM.replace(loop, both)));
                put(pipeline, payload);
            }
            LedgerCounts counts = counts(pipeline);
            assertThat(told(counts, "parts += int64(p)")).isEqualTo("6 of 9: 6 unreadable x");
            assertThat(counts.nulls().stream()
                            .filter(values -> values.expression().startsWith("parts +=")))
                    .hasSize(1);
        }
    }

    @Test
    void shouldNameTheWorstFirstAndNoneWithoutNulls() {
        List<Long> none = List.of(0L, 0L, 0L, 0L);
        NullValues fine = new NullValues("E", "E->S", "x += a / b", "a.summ:1", 9, none, "");
        NullValues few = new NullValues("E", "E->S", "y += a / b", "a.summ:2", 9, List.of(0L, 1L, 2L, 0L), "");
        NullValues many = new NullValues("E", "E->S", "z += int64(t)", "a.summ:3", 9, List.of(9L, 0L, 0L, 0L), "t");
        assertThat(NullValues.worst(List.of(fine, few, many), 10)).containsExactly(many, few);
        assertThat(NullValues.worst(List.of(fine, few, many), 1)).containsExactly(many);
        assertThat(few.reasons()).isEqualTo("1 range, 2 division");
        assertThat(many.isAlways()).isTrue();
        assertThat(many.count(NullReason.UNREADABLE)).isEqualTo(9);
    }
}
