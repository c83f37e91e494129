package io.summarizer.dsl.overflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.ByteBudget;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.TopicMessages;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.export.CsvQueryCompiler;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class OverflowTest {
    private static final String HEAD = "import \"hit.proto\"; event Hit on \"hit\" as csv;";
    private static final String PROTO =
            "syntax = \"proto3\"; message Hit { int64 user = 1; string page = 2; int64 code = 3; int64 amount = 4; }";
    private static final String MAPPING = """
            map Hit into Users {
                key { user; page; }
                hits += 1;
                amount += amount;
                most += amount;
                users += user;
                codes[code = code] { hits += 1; amount += amount; }
            }
            """;

    private static String summary(String limit, String nestedLimit) {
        return """
            summary Users {
                LIMIT
                key { int64 user = 1; string page = 2; }
                value {
                    count hits = 1; sumint64 amount = 2; maxint64 most = 3; multiset64 users = 4;
                    summary Code { NESTED key { int64 code = 1; } value { count hits = 1; sumint64 amount = 2; } }
                    repeated Code codes = 5;
                }
            }
            """.replace("LIMIT", limit).replace("NESTED", nestedLimit);
    }

    private static Plan plan(String limit, String nestedLimit) {
        return plan(summary(limit, nestedLimit));
    }

    private static Plan plan(String summary) {
        CheckResult result = DefinitionsCompiler.check(Map.of("a.summ", HEAD + summary + MAPPING, "hit.proto", PROTO));
        return PlanCompiler.compile(result.definitions().orElseThrow(() -> new AssertionError(result.render())));
    }

    private static PipelineOptions options(int shape) {
        PipelineOptions queued = PipelineOptions.queued(
                new PipelineOptions.Stage(QueueKind.LBQ, 4, 2, WaitPolicy.BLOCKING),
                new PipelineOptions.Stage(QueueKind.LBQ, 2, 3, WaitPolicy.BLOCKING));
        return switch (shape) {
            case 0 -> queued;
            case 1 -> queued.withMode(PipelineMode.INLINE, 2);
            default -> queued.withMode(PipelineMode.LOCKED, 1);
        };
    }

    /** The totals of all events, for any keys. */
    private static final class Totals {
        private final Set<Long> users = new HashSet<>();
        private long hits;
        private long amount;
        private long most = Long.MIN_VALUE;

        void add(long user, long more) {
            users.add(user);
            hits++;
            amount += more;
            most = Math.max(most, more);
        }
    }

    /** Sends random events of so many users. */
    private static void send(Pipeline pipeline, Random random, int events, int keys, Totals totals) throws Exception {
        for (int sent = 0; sent < events; sent += 50) {
            pipeline.put(batch(pipeline, random, Math.min(50, events - sent), keys, totals));
        }
        pipeline.drain();
    }

    private static MessageBatch batch(Pipeline pipeline, Random random, int events, int keys, Totals totals) {
        MessageBatch batch = pipeline.acquire();
        for (int i = 0; i < events; i++) {
            long user = random.nextInt(keys);
            long amount = random.nextInt(1000);
            totals.add(user, amount);
            String page = random.nextInt(10) == 0 ? "" : "p" + user % 3; // an empty column is null
            TopicMessages.append(batch, "hit", user + "," + page + "," + random.nextInt(30) + "," + amount);
        }
        return batch;
    }

    private static List<String[]> csv(SummaryView view, String... fields) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of(view.layout()));
        CsvExporter.of(view, List.of(fields), CsvQuery.ALL, compiler).writeTo(out);
        List<String[]> rows = new ArrayList<>();
        out.toString(UTF_8).lines().skip(1).forEach(line -> rows.add(line.split(",", -1)));
        return rows;
    }

    private static SummaryView summary(Cut cut, String name) {
        return cut.summary(name).orElseThrow();
    }

    private static long sum(List<String[]> rows, int column) {
        return rows.stream().mapToLong(row -> Long.parseLong(row[column])).sum();
    }

    /** Checks that rows and overflow together have everything. */
    private static void checkTotals(Cut cut, Totals totals, long seed) throws Exception {
        List<String[]> rows = csv(summary(cut, "Users"));
        List<String[]> other = csv(summary(cut, "Users.overflow"));
        assertThat(other).as("seed %s", seed).hasSizeLessThanOrEqualTo(1);
        for (String[] row : other) {
            assertThat(Arrays.copyOf(row, 2)).as("no key").containsExactly("", "");
        }
        assertThat(sum(rows, 2) + sum(other, 2)).as("seed %s", seed).isEqualTo(totals.hits);
        assertThat(sum(rows, 3) + sum(other, 3)).as("seed %s", seed).isEqualTo(totals.amount);
        List<String[]> all = new ArrayList<>(rows);
        all.addAll(other);
        assertThat(all.stream()
                        .filter(row -> !row[4].isEmpty())
                        .mapToLong(row -> Long.parseLong(row[4]))
                        .max())
                .hasValue(totals.most);
        List<String[]> codes = csv(summary(cut, "Users"), "codes");
        List<String[]> otherCodes = csv(summary(cut, "Users.overflow"), "codes");
        assertThat(otherCodes).as("seed %s", seed).hasSizeLessThanOrEqualTo(1);
        assertThat(sum(codes, 3) + sum(otherCodes, 3)).as("seed %s", seed).isEqualTo(totals.hits);
        assertThat(sum(codes, 4) + sum(otherCodes, 4)).as("seed %s", seed).isEqualTo(totals.amount);
        assertThat(LedgerCounts.of(cut).intoSummary("Users").count(Fate.APPLIED))
                .as("seed %s", seed)
                .isEqualTo(totals.hits);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void shouldKeepTogetherWhatItHasNoRowsForSoThatTotalsStayExact(int shape) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Plan plan = plan("limit keys = 40 overflow = other;", "limit keys = 70 overflow = other;");
        Totals totals = new Totals();
        try (Pipeline pipeline = Pipeline.start(plan, options(shape), RejectSink.NONE)) {
            send(pipeline, random, 2000, 100, totals);
            Cut cut = pipeline.cut();
            assertThat(summary(cut, "Users").rows(List.of())).isEqualTo(40);
            assertThat(summary(cut, "Users").rows(List.of(0))).isEqualTo(70);
            assertThat(summary(cut, "Users.overflow").rows(List.of())).isOne();
            assertThat(summary(cut, "Users").updates()).as("seed %s", seed).isEqualTo(totals.hits);
            assertThat(summary(cut, "Users.overflow").updates()).isPositive().isLessThan(totals.hits);
            assertThat(pipeline.gauges().rows("Users.overflow", List.of())).isOne();
            checkTotals(cut, totals, seed);
            LedgerAssert.assertSettled(LedgerCounts.of(cut));
            assertThat(pipeline.ledger().rejected(Fate.LIMIT)).isZero();
            long estimate = Long.parseLong(csv(summary(cut, "Users.overflow")).get(0)[5]);
            assertThat(estimate).as("seed %s", seed).isBetween(50L, 110L);
            cut.release();
        }
    }

    /** Few keys or many: the summary stays within its bound, and the totals are correct. */
    @Test
    void shouldTakeNoMoreKeysThanItsBytesAllow() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Plan plan = plan("limit bytes = 10M overflow = other;", "");
        try (Pipeline pipeline = Pipeline.start(plan, options(0), RejectSink.NONE)) {
            Totals totals = new Totals();
            send(pipeline, random, 2_000, 50, totals);
            Cut few = pipeline.cut();
            assertThat(csv(summary(few, "Users.overflow"))).as("seed %s", seed).isEmpty();
            few.release();
            send(pipeline, random, 120_000, 1_000_000, totals);
            ByteBudget budget = pipeline.gauges().bytes("Users").orElseThrow();
            assertThat(budget.used()).as("seed %s", seed).isBetween(10_000_000L, 13_000_000L);
            Cut many = pipeline.cut();
            assertThat(pipeline.gauges().rows("Users", List.of()))
                    .as("seed %s", seed)
                    .isLessThan(100_000);
            checkTotals(many, totals, seed);
            many.release();
            pipeline.reset("Users").orElseThrow().release();
            assertThat(budget.used()).as("seed %s", seed).isZero();
        }
        try (Pipeline pipeline = Pipeline.start(plan("", ""), options(0), RejectSink.NONE)) {
            assertThat(pipeline.gauges().bytes("Users")).isEmpty();
        }
    }

    @Test
    void shouldKeepWhatOnlyNestedSummariesHaveNoRowsFor() throws Exception {
        long seed = new Random().nextLong();
        Totals totals = new Totals();
        try (Pipeline pipeline =
                Pipeline.start(plan("", "limit keys = 5 overflow = other;"), options(0), RejectSink.NONE)) {
            send(pipeline, new Random(seed), 500, 20, totals);
            Cut cut = pipeline.cut();
            assertThat(summary(cut, "Users").rows(List.of(0))).isEqualTo(5);
            assertThat(sum(csv(summary(cut, "Users")), 2)).isEqualTo(totals.hits);
            assertThat(sum(csv(summary(cut, "Users.overflow")), 2)).isZero();
            checkTotals(cut, totals, seed);
            cut.release();
        }
    }

    @Test
    void shouldRefuseFurtherKeysWhenNothingElseIsSaid() throws Exception {
        Totals totals = new Totals();
        try (Pipeline pipeline = Pipeline.start(plan("limit keys = 7;", ""), options(0), RejectSink.NONE)) {
            send(pipeline, new Random(1), 500, 50, totals);
            Cut cut = pipeline.cut();
            assertThat(cut.summaries()).hasSize(1);
            assertThat(summary(cut, "Users").rows(List.of())).isEqualTo(7);
            long refused = pipeline.ledger().rejected(Fate.LIMIT);
            assertThat(refused).isPositive();
            assertThat(summary(cut, "Users").updates()).isEqualTo(totals.hits - refused);
            assertThat(LedgerCounts.of(cut).total().count(Fate.LIMIT)).isEqualTo(refused);
            cut.release();
        }
    }

    @Test
    void shouldEmptyTheOverflowWithItsSummary() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Totals before = new Totals();
        Totals after = new Totals();
        Plan plan = plan("limit keys = 10 overflow = other;", "");
        try (Pipeline pipeline = Pipeline.start(plan, options(0), RejectSink.NONE)) {
            send(pipeline, random, 300, 50, before);
            Cut last = pipeline.reset("Users").orElseThrow();
            send(pipeline, random, 400, 50, after);
            assertThat(last.summaries()).hasSize(2);
            assertThat(sum(csv(summary(last, "Users")), 2) + sum(csv(summary(last, "Users.overflow")), 2))
                    .as("seed %s", seed)
                    .isEqualTo(before.hits);
            Cut cut = pipeline.cut();
            assertThat(sum(csv(summary(cut, "Users")), 2) + sum(csv(summary(cut, "Users.overflow")), 2))
                    .as("seed %s", seed)
                    .isEqualTo(after.hits);
            assertThat(summary(cut, "Users").updates()).isEqualTo(after.hits);
            assertThat(summary(cut, "Users.overflow").updates()).isLessThan(after.hits);
            cut.release();
            last.release();
        }
    }

    /** Bounds appear, grow, shrink and go; existing rows stay. */
    @Test
    void shouldTakeUpOtherBoundsWhenDefinitionsChange() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Totals totals = new Totals();
        try (Pipeline pipeline = Pipeline.start(plan("", ""), options(0), RejectSink.NONE)) {
            send(pipeline, random, 200, 10, totals);
            pipeline.reload(plan("limit keys = 15 overflow = other;", ""));
            send(pipeline, random, 500, 100, totals);
            Cut cut = pipeline.cut();
            long rows = summary(cut, "Users").rows(List.of());
            assertThat(rows).isGreaterThanOrEqualTo(15);
            checkTotals(cut, totals, seed);
            cut.release();
            pipeline.reload(plan("limit keys = 3 overflow = other;", "limit keys = 100 overflow = other;"));
            send(pipeline, random, 500, 200, totals);
            cut = pipeline.cut();
            assertThat(summary(cut, "Users").rows(List.of()))
                    .as("seed %s", seed)
                    .isEqualTo(rows);
            checkTotals(cut, totals, seed);
            cut.release();
            pipeline.reload(plan("limit keys = 1k overflow = other;", ""));
            send(pipeline, random, 500, 200, totals);
            cut = pipeline.cut();
            assertThat(summary(cut, "Users").rows(List.of()))
                    .as("seed %s", seed)
                    .isGreaterThan(rows);
            checkTotals(cut, totals, seed);
            cut.release();
            pipeline.reload(plan("", ""));
            cut = pipeline.cut();
            assertThat(cut.summaries()).hasSize(1);
            cut.release();
        }
    }

    /** Updates that are still in the queues of owners came before the reload. */
    @Test
    void shouldApplyEarlierUpdatesWithTheEarlierBounds() throws Exception {
        long seed = new Random().nextLong();
        PipelineOptions longQueues = PipelineOptions.queued(
                new PipelineOptions.Stage(QueueKind.LBQ, 4, 1, WaitPolicy.BLOCKING),
                new PipelineOptions.Stage(QueueKind.LBQ, 4_096, 1, WaitPolicy.BLOCKING));
        Totals totals = new Totals();
        try (Pipeline pipeline = Pipeline.start(plan("", ""), longQueues, RejectSink.NONE)) {
            Random random = new Random(seed);
            List<MessageBatch> batches = new ArrayList<>(); // made before, so that the owner falls behind
            for (int i = 0; i < 200; i++) {
                batches.add(batch(pipeline, random, 1_000, 1_000_000, totals));
            }
            for (MessageBatch batch : batches) {
                pipeline.put(batch);
            }
            pipeline.drain();
            Pipeline.Reload reload = pipeline.reload(plan("limit keys = 5;", ""));
            Cut cut = pipeline.cut();
            assertThat(pipeline.ledger().rejected(Fate.LIMIT))
                    .as("seed %s", seed)
                    .isZero();
            assertThat(sum(csv(summary(cut, "Users")), 2)).as("seed %s", seed).isEqualTo(totals.hits);
            assertThat(reload.match().rows(0, List.of()))
                    .isEqualTo(summary(cut, "Users").rows(List.of()));
            cut.release();
        }
    }

    /** Without the limit, the server's lower bound holds; it refuses new keys, but no row that is there. */
    @Test
    void shouldKeepRowsBeyondTheServersBoundWhenAReloadRemovesTheLimit(@TempDir Path folder) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Totals totals = new Totals();
        PipelineOptions few = options(2).withMaxRows(5);
        Plan unlimited = plan(
                summary("", "").replace("count hits = 1; sumint64", "count hits = 1; maxint64 unused = 9; sumint64"));
        Path file = folder.resolve("a.state");
        long rows;
        try (Pipeline pipeline = Pipeline.start(plan("limit keys = 1k;", "limit keys = 1k;"), few, RejectSink.NONE)) {
            send(pipeline, random, 500, 20, totals);
            rows = pipeline.gauges().rows("Users", List.of());
            assertThat(rows).as("seed %s", seed).isGreaterThan(5);
            pipeline.reload(unlimited);
            assertThat(pipeline.gauges().rows("Users", List.of())).isEqualTo(rows);
            send(pipeline, random, 200, 10_000, new Totals());
            assertThat(pipeline.gauges().rows("Users", List.of())).isEqualTo(rows);
            assertThat(pipeline.ledger().rejected(Fate.LIMIT)).isPositive();
            Cut cut = pipeline.cut();
            StateWriter.write(cut, file, 1);
            cut.release();
        }
        Summaries loaded = unlimited.newSummaries(5);
        try (StateFile from = StateFile.open(file)) {
            assertThat(from.addTo(loaded, 2)).isEmpty();
        }
        assertThat(loaded.limit(0).rows()).as("seed %s", seed).isEqualTo(rows);
    }

    @Test
    void shouldBeInStateFilesWhichAddUp(@TempDir Path folder) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Plan plan = plan("limit keys = 20 overflow = other;", "limit keys = 30 overflow = other;");
        Totals totals = new Totals();
        List<Path> files = List.of(folder.resolve("a.state"), folder.resolve("b.state"));
        for (Path file : files) {
            try (Pipeline pipeline = Pipeline.start(plan, options(0), RejectSink.NONE)) {
                send(pipeline, random, 500, 100, totals);
                Cut cut = pipeline.cut();
                StateWriter.write(cut, file, 1);
                cut.release();
            }
        }
        Summaries loaded = plan.newSummaries(1000);
        for (Path file : files) {
            try (StateFile from = StateFile.open(file)) {
                assertThat(from.addTo(loaded, 2)).isEmpty();
            }
        }
        try (Pipeline pipeline = Pipeline.start(plan, options(1), RejectSink.NONE, loaded, SavedIds.none())) {
            long loadedHits = totals.hits;
            Totals more = new Totals();
            send(pipeline, random, 300, 300, more);
            Cut cut = pipeline.cut();
            List<String[]> other = csv(summary(cut, "Users.overflow"));
            assertThat(other).as("seed %s", seed).hasSize(1);
            assertThat(sum(csv(summary(cut, "Users")), 2) + sum(other, 2))
                    .as("seed %s", seed)
                    .isEqualTo(loadedHits + more.hits);
            assertThat(sum(csv(summary(cut, "Users"), "codes"), 3)
                            + sum(csv(summary(cut, "Users.overflow"), "codes"), 3))
                    .as("seed %s", seed)
                    .isEqualTo(loadedHits + more.hits);
            cut.release();
        }
    }
}
