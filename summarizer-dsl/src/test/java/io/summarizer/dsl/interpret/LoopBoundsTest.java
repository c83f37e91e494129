package io.summarizer.dsl.interpret;

import static io.summarizer.dsl.interpret.Model.add;
import static io.summarizer.dsl.interpret.Model.definitions;
import static io.summarizer.dsl.interpret.Model.enter;
import static io.summarizer.dsl.interpret.Model.event;
import static io.summarizer.dsl.interpret.Model.key;
import static io.summarizer.dsl.interpret.Model.keyBlock;
import static io.summarizer.dsl.interpret.Model.list;
import static io.summarizer.dsl.interpret.Model.loop;
import static io.summarizer.dsl.interpret.Model.mapping;
import static io.summarizer.dsl.interpret.Model.message;
import static io.summarizer.dsl.interpret.Model.path;
import static io.summarizer.dsl.interpret.Model.scalar;
import static io.summarizer.dsl.interpret.Model.summary;
import static io.summarizer.dsl.interpret.Model.value;
import static io.summarizer.dsl.interpret.Model.variable;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.decode.EventSchema.Format;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.generate.RowSources;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.EventField.Kind;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.MessageType;
import io.summarizer.dsl.model.Statement;
import io.summarizer.dsl.runtime.OpenRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bounds on one message with long lists. */
class LoopBoundsTest {
    private static final MessageType PART = message("Part", scalar("id", 1, Kind.INT64), list("tags", 2, Kind.INT64));
    private static final MessageType EVENT = message(
            "E",
            scalar("id", 1, Kind.INT64),
            list("a", 2, Kind.INT64),
            list("b", 3, Kind.INT64),
            list("parts", 4, PART),
            scalar("text", 5, Kind.STRING));

    private static final SummaryLayout INNER = summary(
            "inner",
            List.of(key("k", 1, KeyType.INT64)),
            List.of(value("n", 1, AggregateType.COUNT), value("last", 2, AggregateType.LASTINT64)));
    private static final SummaryLayout MIDDLE = summary(
            "middle",
            List.of(key("k", 1, KeyType.INT64)),
            List.of(value("n", 1, AggregateType.COUNT), value("first", 2, AggregateType.FIRSTSTRING)),
            INNER);
    private static final SummaryLayout OUTER = summary(
            "S",
            List.of(key("k", 1, KeyType.INT64)),
            List.of(
                    value("n", 1, AggregateType.SUMINT64),
                    value("first", 2, AggregateType.FIRSTINT64),
                    value("last", 3, AggregateType.LASTINT64),
                    value("text", 4, AggregateType.LASTSTRING)),
            MIDDLE);

    private static final Expression X = variable(0, Expression.Type.INT);
    private static final Expression Y = variable(1, Expression.Type.INT);

    private static Definitions of(Mapping... mappings) {
        return definitions(event("e", EVENT, Format.JSON), OUTER, mappings);
    }

    private static Mapping into(Statement... body) {
        return mapping(0, 0, null, body);
    }

    private static Statement.For everyPair(Statement... body) {
        return loop(0, path(EVENT, "a"), null, loop(1, path(EVENT, "b"), null, body));
    }

    private static String numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).collect(Collectors.joining(",", "[", "]"));
    }

    private static String payload(int a, int b) {
        return "{\"id\":7,\"a\":" + numbers(a) + ",\"b\":" + numbers(b) + "}";
    }

    @Test
    void rejectsAnEventThatWouldTakeTooManyStepsBeforeAnythingIsWritten() {
        Program program = new Program(of(
                into(keyBlock(path(EVENT, "id")), add(0, Model.number(1))),
                into(keyBlock(path(EVENT, "id")), everyPair(enter(0, Y, add(0, Model.number(1)))))));
        assertThat(program.reject(payload(16_000, 16_000)))
                .isEqualTo("its lists would take more than 1,000,000 steps of `for`");
        // 999 steps of the outer loop, 999 * 1000 of the inner one
        assertThat(program.run(payload(999, 1000))).isNotEmpty();
        assertThat(program.counts().applied).containsExactly(1, 1);
        assertThat(program.reject(payload(1000, 1000))).isNotNull();
        assertThat(program.run(payload(1_000_000 / 8, 0)))
                .as("one long list is no trouble")
                .hasSize(2);
    }

    @Test
    void countsStepsOfActiveMappingsOnly() {
        Program program = new Program(of(
                into(keyBlock(path(EVENT, "id")), add(0, Model.number(1))),
                into(keyBlock(path(EVENT, "id")), everyPair(enter(0, Y, add(0, Model.number(1)))))));
        assertThat(program.active(true, false).run(payload(2000, 2000))).containsExactly("S[7] n=1");
        assertThat(program.active(true, true).reject(payload(2000, 2000))).isNotNull();
    }

    @Test
    void countsListsWithinElementsOneByOne() {
        Statement.For tags =
                loop(1, path(0, PART, "tags"), null, loop(2, path(EVENT, "a"), null, add(0, Model.number(1))));
        Program program = new Program(of(into(keyBlock(path(EVENT, "id")), loop(0, path(EVENT, "parts"), null, tags))));
        String parts = IntStream.range(0, 20)
                .mapToObj(i -> "{\"tags\":" + numbers(i == 3 ? 2000 : 1) + "}")
                .collect(Collectors.joining(",", "[", "]"));
        // 20 parts, 2019 tags, 2019 * 494 = 997,386 elements
        assertThat(program.run("{\"id\":1,\"parts\":" + parts + ",\"a\":" + numbers(494) + "}"))
                .isNotEmpty();
        assertThat(program.reject("{\"id\":1,\"parts\":" + parts + ",\"a\":" + numbers(496) + "}"))
                .isNotNull();
    }

    @Test
    void doesNotWrapWhenManyLoopsMultiply() {
        Statement body = add(0, Model.number(1));
        for (int id = 7; id >= 0; id--) {
            body = loop(id, path(EVENT, "a"), null, body);
        }
        Program program = new Program(of(into(keyBlock(path(EVENT, "id")), body)));
        assertThat(program.reject(payload(65_536, 0))).isNotNull();
        assertThat(program.run(payload(2, 0))).hasSize(1);
    }

    @Test
    void continuesALargeRecordInAnotherOneWithTheSameOutcome() {
        Statement[] body = {
            keyBlock(path(EVENT, "id")),
            loop(
                    0,
                    path(EVENT, "a"),
                    null,
                    add(0, X),
                    add(1, X),
                    add(2, X),
                    add(3, path(EVENT, "text")),
                    enter(
                            0,
                            X,
                            add(0, Model.number(1)),
                            add(1, path(EVENT, "text")),
                            loop(1, path(EVENT, "b"), null, enter(0, Y, add(0, Model.number(1)), add(1, X))))),
            add(0, Model.number(1))
        };
        int a = 300;
        int b = 100;
        Plan plan = PlanCompiler.compile(of(into(body)), PlanCompiler.Options.DEFAULT);
        SummaryStore store = new SummaryStore(OUTER, RowSources.compile(OUTER), RowLimit.of(OUTER, 1_000_000));
        UpdateBatch batch = new UpdateBatch(1024);
        List<Integer> records = new ArrayList<>();
        String text = "t".repeat(500);
        String payload = payload(a, b).replace("}", ",\"text\":\"" + text + "\"}");
        MessageBatch messages = new MessageBatch(1 << 16);
        messages.firstStamp(77);
        byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
        assertThat(plan.newProgram(0).process(Messages.add(messages, "e", bytes), new boolean[] {true}, (s, h) -> {
                    apply(batch, store, records);
                    return batch;
                }))
                .isNull();
        apply(batch, store, records);

        assertThat(records).hasSizeGreaterThan(10);
        assertThat(records).allMatch(length -> length < OpenRows.RECORD_BYTES + 2048);
        StoreView view = store.freeze();
        assertThat(view.rows()).isEqualTo(1);
        RowCursor row = view.cursor();
        assertThat(row.next()).isTrue();
        assertThat(row.longValue(0)).isEqualTo(a * (a - 1) / 2 + 1);
        assertThat(row.longValue(1)).isZero();
        assertThat(row.longValue(2)).isEqualTo(a - 1);
        assertThat(view.nested(0).rows()).isEqualTo(a);
        assertThat(view.nested(0).nested(0).rows()).isEqualTo((long) a * b);
        RowCursor middle = view.nested(0).cursor();
        while (middle.next()) {
            assertThat(middle.longValue(0)).isEqualTo(1);
        }
        RowCursor inner = view.nested(0).nested(0).cursor();
        long last = 0;
        while (inner.next()) {
            assertThat(inner.longValue(0)).isEqualTo(1);
            last += inner.longValue(1);
        }
        assertThat(last).isEqualTo((long) b * a * (a - 1) / 2);
    }

    /** Runs a mapping with a loop that evaluates {@code where} 2,000 times; returns its program. */
    private static Program repeat(String where, int updates) {
        CheckResult checked = DefinitionsCompiler.check(Map.of("e.proto", """
                syntax = "proto3";
                message E { string note = 1; string other = 2; repeated string tags = 3; }
                """, "s.summ", """
                import "e.proto";
                event E on "#" as json;
                summary S { key { int64 k = 1; } value { count n = 1; } }
                map E into S { key { k = 1; } for t in tags { n += 1 where WHERE; } }
                """.replace("WHERE", where)));
        Program program = new Program(checked.definitions().orElseThrow(() -> new AssertionError(checked.render())));
        String text = "a".repeat(100_000);
        String tags = String.join(",", Collections.nCopies(2_000, "\"t\""));
        String records = String.join(
                "", program.run("{\"note\":\"" + text + "\",\"other\":\"" + text + "\",\"tags\":[" + tags + "]}"));
        assertThat(records.split(" n=1", -1)).hasSize(updates + 1);
        return program;
    }

    /** Without a bound for each event, a long text and a long list occupy a worker for minutes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "len(lower(note)) > 0",
                "upper(note) > t",
                "len(note) > 0",
                "hash64(note) != 0",
                "hash64(t, note) != 0",
                "concat(note, t) != t",
                "not has(int64(note))",
                "not has(double(note))",
                "not has(timestamp(note))",
                "note == other",
                "note in (t, other)",
                "substr(note, 90000) != t",
                "substr(note, 90000, 5) != t"
            })
    void boundsTheBytesThatLoopsRead(String where) {
        Program program = repeat(where + " or t == \"t\"", 2_000);
        assertThat(program.counts().loopBytes).isNegative();
        assertThat(program.counts().nulls.total()).isPositive();
        assertThat(program.run("{\"note\":\"a\",\"tags\":[\"t\"]}"))
                .as("the next event")
                .hasSize(1);
        assertThat(program.counts().loopBytes).isPositive();
    }

    @Test
    void givesNullBeyondTheBytesThatLoopsRead() {
        // payload: 208,033 bytes; (40,000,000 + 16 * 208,033) / 100,000 = 433.3
        assertThat(repeat("len(note) > 0", 433).counts().applied).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "has(note)",
                "note != \"\"",
                "note >= \"a\"",
                "note != t",
                "substr(note, 1, 3) == \"aaa\"",
                "not (note in (\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\", \"9\", \"10\", \"11\", \"12\", \"13\", \"14\", \"15\", \"16\", \"17\"))",
                "lower(upper(t)) == \"t\""
            })
    void chargesOnlyTheBytesThatAreRead(String where) {
        assertThat(repeat(where, 2_000).counts().loopBytes).isPositive();
    }

    @Test
    void boundsTheStepsOfAllMatchesOfAnEvent() {
        Program program = repeat("has(extract(note, \"(\\\\w+\\\\s?)+!$\", 0)) or t != \"\"", 2_000);
        assertThat(program.counts().extractsAbandoned()).isPositive();
        assertThat(program.counts().extractSteps).isNegative();
    }

    private static void apply(UpdateBatch batch, SummaryStore store, List<Integer> records) {
        for (int at = 0; at < batch.limit(); at += Bytes.getInt(batch.bytes(), at)) {
            assertThat(store.apply(batch.bytes(), at)).isTrue();
            records.add(Bytes.getInt(batch.bytes(), at));
        }
        batch.clear();
    }
}
