package io.summarizer.dsl.overflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.message.TopicMessages;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.export.CsvQueryCompiler;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Oversized keys and texts: refusals, remaining parts, and counts. */
@Timeout(60)
class LongValuesTest {
    private static final String LONG = "x".repeat(2000);
    private static final String PROTO =
            "syntax = \"proto3\"; message Hit { string user = 1; string page = 2; string note = 3; int64 id = 4; }"
                    + " message Bag { string user = 1; repeated string tags = 2; }";

    private static String definitions(String limit, String nestedLimit, String dedup) {
        return """
            import "hit.proto";
            event Hit on "hit" as csv DEDUP;
            summary Users {
                LIMIT
                key { string user = 1; }
                value {
                    count hits = 1;
                    laststring note = 2;
                    summary Page { NESTED key { string page = 1; } value { count hits = 1; } }
                    repeated Page pages = 3;
                }
            }
            summary All { key { int64 one = 1; } value { count hits = 1; } }
            map Hit into Users { key { user; } hits += 1; note += note; pages[page = page] { hits += 1; } }
            map Hit into All { key { one = 1; } hits += 1; }
            """.replace("LIMIT", limit).replace("NESTED", nestedLimit).replace("DEDUP", dedup);
    }

    /** A pipeline, the messages that it keeps with their reasons, and the messages sent to it. */
    private static final class Service implements AutoCloseable {
        private final ConcurrentLinkedQueue<String> kept = new ConcurrentLinkedQueue<>();
        private final Pipeline pipeline;

        Service(String definitions) {
            CheckResult result = DefinitionsCompiler.check(Map.of("a.summ", definitions, "hit.proto", PROTO));
            Plan plan =
                    PlanCompiler.compile(result.definitions().orElseThrow(() -> new AssertionError(result.render())));
            RejectSink sink = new RejectSink() {
                @Override
                public void reject(IMessage message, RejectReason reason, String detail) {
                    kept.add(reason + " " + detail);
                }

                @Override
                public void unmatched(IMessage message) {}
            };
            pipeline = Pipeline.start(plan, PipelineOptions.DEFAULT.withValues(new ValueLimits(1024, 1024)), sink);
        }

        void send(String... payloads) throws InterruptedException {
            MessageBatch batch = pipeline.acquire();
            for (String payload : payloads) {
                TopicMessages.append(batch, "hit", payload);
            }
            pipeline.put(batch);
            pipeline.drain();
        }

        /** The rows of a summary, or of a nested one, sorted. */
        List<String> csv(String name, String... fields) throws Exception {
            Cut cut = pipeline.cut();
            try {
                SummaryView view = cut.summary(name).orElseThrow();
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of(view.layout()));
                CsvExporter.of(view, List.of(fields), CsvQuery.ALL, compiler).writeTo(out);
                return out.toString(UTF_8).lines().skip(1).sorted().toList();
            } finally {
                cut.release();
            }
        }

        /** Messages that counted as refused, and events that a mapping into {@code Users} was refused. */
        List<Long> refused() throws Exception {
            LedgerCounts counts = LedgerAssert.assertSettled(pipeline);
            return List.of(counts.total().count(Fate.LIMIT), pipeline.ledger().rejected(Fate.LIMIT));
        }

        @Override
        public void close() {
            pipeline.close();
        }
    }

    @Test
    void aKeyThatIsTooLongIsRefusedAndItsMessageKeptWhileOtherMappingsApply() throws Exception {
        try (Service service = new Service(definitions("", "", ""))) {
            service.send("ann,p,n,1", LONG + ",p,n,2", LONG + "y,p,n,3");
            assertThat(service.csv("Users")).containsExactly("ann,1,n");
            assertThat(service.csv("All")).containsExactly("1,3");
            assertThat(service.kept)
                    .containsExactly(
                            "LIMIT the key of Users is longer than limits.key-bytes=1024",
                            "LIMIT the key of Users is longer than limits.key-bytes=1024");
            assertThat(service.refused()).containsExactly(2L, 2L);
        }
    }

    @Test
    void aNestedKeyThatIsTooLongLeavesTheRowAbove() throws Exception {
        try (Service service = new Service(definitions("", "", ""))) {
            service.send("ann,p,n,1", "ann," + LONG + ",n,2");
            assertThat(service.csv("Users")).containsExactly("ann,2,n");
            assertThat(service.csv("Users", "pages")).containsExactly("ann,p,1");
            assertThat(service.kept)
                    .containsExactly("LIMIT the key of Users.pages is longer than limits.key-bytes=1024");
            assertThat(service.refused()).containsExactly(1L, 1L);
        }
    }

    @Test
    void theFirstRefusalOfAMessageIsNamed() throws Exception {
        try (Service service = new Service(definitions("", "", ""))) {
            service.send("ann," + LONG + "," + LONG + ",1", "ann,p," + LONG + ",2", LONG + "," + LONG + ",n,3");
            assertThat(service.kept)
                    .containsExactly(
                            "LIMIT the text of Users.note is longer than limits.text-bytes=1024",
                            "LIMIT the text of Users.note is longer than limits.text-bytes=1024",
                            "LIMIT the key of Users is longer than limits.key-bytes=1024");
        }
    }

    @Test
    void aTextThatIsTooLongLeavesTheOneBefore() throws Exception {
        try (Service service = new Service(definitions("", "", ""))) {
            service.send("ann,p,before,1", "ann,p," + LONG + ",2", "ann,p," + "z".repeat(1024) + ",3");
            assertThat(service.csv("Users")).containsExactly("ann,3," + "z".repeat(1024));
            assertThat(service.kept)
                    .containsExactly("LIMIT the text of Users.note is longer than limits.text-bytes=1024");
            assertThat(service.refused()).containsExactly(1L, 1L);
        }
    }

    @Test
    void keysThatAreTooLongGoIntoTheOverflowWhereThereIsOne() throws Exception {
        try (Service service = new Service(definitions("limit keys = 10 overflow = other;", "", ""))) {
            service.send("ann,p,n,1", LONG + ",p,m,2", LONG + "y,p,o,3", "ann," + LONG + ",q,4");
            assertThat(service.csv("Users")).containsExactly("ann,2,q");
            assertThat(service.csv("Users.overflow")).containsExactly(",2,o");
            assertThat(service.kept)
                    .as("of a nested summary that has no overflow")
                    .containsExactly("LIMIT the key of Users.pages is longer than limits.key-bytes=1024");
            assertThat(service.refused()).containsExactly(1L, 1L);
        }
    }

    @Test
    void aTextThatIsTooLongIsRefusedByTheOverflowAsWell() throws Exception {
        try (Service service = new Service(definitions("limit keys = 1 overflow = other;", "", ""))) {
            service.send("ann,p,n,1", "bob,p," + LONG + ",2", "cid,p,m,3", "dan,p," + LONG + ",4");
            assertThat(service.csv("Users")).containsExactly("ann,1,n");
            assertThat(service.csv("Users.overflow")).containsExactly(",3,m");
            assertThat(service.kept)
                    .containsExactly(
                            "LIMIT the text of Users.note is longer than limits.text-bytes=1024",
                            "LIMIT the text of Users.note is longer than limits.text-bytes=1024");
            assertThat(service.refused()).containsExactly(2L, 2L);
        }
    }

    @Test
    void aDuplicateOfAnEventWhoseKeyIsTooLongIsKnown() throws Exception {
        try (Service service =
                new Service(definitions("limit keys = 10 overflow = other;", "", "dedup by id within 1h"))) {
            service.send(LONG + ",p,n,2", LONG + ",p,n,2");
            assertThat(service.csv("Users.overflow")).containsExactly(",1,n");
        }
    }

    /** With ids a corrected message reaches only the summaries that refused it; without, it counts again in all. */
    @Test
    void aMendedMessageCountsOnceWhereItHasAnId() throws Exception {
        for (boolean ids : new boolean[] {true, false}) {
            try (Service service = new Service(definitions("", "", ids ? "dedup by id within 1h" : ""))) {
                service.send(LONG + ",p,n,2");
                assertThat(service.csv("Users")).isEmpty();
                assertThat(service.csv("All")).containsExactly("1,1");
                service.send("ann,p,n,2");
                assertThat(service.csv("Users")).containsExactly("ann,1,n");
                assertThat(service.csv("Users", "pages")).containsExactly("ann,p,1");
                assertThat(service.csv("All")).containsExactly(ids ? "1,1" : "1,2");
            }
        }
    }

    /** A loop that fills several records continues with the key of the first, though that was left out. */
    @Test
    void manyRowsUnderAKeyThatIsTooLongAreRefusedOnce() throws Exception {
        String definitions = """
            import "hit.proto";
            event Bag on "hit" as json;
            summary Users {
                key { string user = 1; }
                value { count hits = 1; summary Tag { key { string tag = 1; } value { count hits = 1; } } repeated Tag tags = 2; }
            }
            map Bag into Users { key { user; } hits += 1; for t in tags { tags[tag = t] { hits += 1; } } }
            """;
        try (Service service = new Service(definitions)) {
            String tags =
                    IntStream.range(0, 20_000).mapToObj(i -> "\"t" + i + "\"").collect(Collectors.joining(","));
            service.send("{\"user\":\"" + LONG + "\",\"tags\":[" + tags + "]}");
            service.send("{\"user\":\"ann\",\"tags\":[" + tags + "]}");
            assertThat(service.csv("Users")).containsExactly("ann,1");
            assertThat(service.csv("Users", "tags")).hasSize(20_000);
            assertThat(service.refused()).containsExactly(1L, 1L);
            assertThat(service.kept).hasSize(1);
        }
    }
}
