package io.summarizer.dsl.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.message.TopicMessages;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.ledger.LedgerModel.Message;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class LedgerTest {
    private static final int KEYS = 30;
    private static final int ROWS_MAX = 20;
    private static final int LISTENERS = 3;

    private static final List<Plan> PLANS =
            LedgerModel.DEFINITIONS.stream().map(LedgerTest::plan).toList();

    private static Plan plan(String summ) {
        CheckResult result = DefinitionsCompiler.check(Map.of("a.summ", summ, "events.proto", LedgerModel.PROTO));
        return PlanCompiler.compile(
                result.definitions().orElseThrow(() -> new AssertionError(result.render() + "\n" + summ)));
    }

    /** Every mode, several owners and workers, several pipelines, batches that are split. */
    private static PipelineOptions options(int shape, Random random) {
        PipelineOptions queued = PipelineOptions.queued(
                        new PipelineOptions.Stage(QueueKind.LBQ, 4, 1 + random.nextInt(3), WaitPolicy.BLOCKING),
                        new PipelineOptions.Stage(QueueKind.LBQ, 2, 1 + random.nextInt(3), WaitPolicy.BLOCKING))
                .withMaxRows(ROWS_MAX);
        PipelineOptions.Named only = queued.pipelines().get(0);
        return switch (shape) {
            case 0 -> queued;
            case 1 -> queued.withMode(PipelineMode.INLINE, 2);
            case 2 -> queued.withMode(PipelineMode.LOCKED, 1);
            case 3 -> queued.withBatchMessages(3);
            default ->
                queued.withPipeline(new PipelineOptions.Named(
                        "hits", List.of(TopicPattern.of("hit.#")), only.parse(), only.summarize()));
        };
    }

    private static MessageBatch batch(Pipeline pipeline, List<Message> messages, int listener) {
        MessageBatch batch = pipeline.acquire();
        batch.listener(listener);
        for (Message message : messages) {
            TopicMessages.append(batch, message.topic(), message.payload());
            int number = batch.count() - 1;
            switch (message.defect()) {
                case FRAME -> batch.reject(number, RejectReason.FRAME);
                case OVERSIZE -> batch.reject(number, RejectReason.OVERSIZE);
                case ENVELOPE -> batch.reject(number, RejectReason.ENVELOPE);
                default -> {} // detected by the program
            }
        }
        return batch;
    }

    /** Puts several batches; returns their messages. */
    private static List<Message> put(Pipeline pipeline, Random random) throws InterruptedException {
        List<Message> sent = new ArrayList<>();
        for (int batches = random.nextInt(12); batches >= 0; batches--) {
            int listener = random.nextInt(LISTENERS);
            List<Message> messages = new ArrayList<>();
            for (int left = random.nextInt(30); left >= 0; left--) {
                messages.add(Message.random(random, KEYS).by(listener));
            }
            sent.addAll(messages);
            pipeline.put(batch(pipeline, messages, listener));
        }
        return sent;
    }

    private static Map<String, Set<Long>> rows(Cut cut) {
        Map<String, Set<Long>> rows = new HashMap<>();
        for (SummaryView summary : cut.summaries()) {
            Set<Long> keys = new HashSet<>();
            for (StoreView partition : summary.partitions()) {
                RowCursor row = partition.cursor();
                while (row.next()) {
                    keys.add(row.keyLong(0));
                }
            }
            rows.put(summary.layout().name(), keys);
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void shouldTellOfEachMessageWhatAPlainAccountTells(int shape) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        LedgerModel model = new LedgerModel();
        Map<String, Account> atReset = new HashMap<>();
        int version = 0;
        try (Pipeline pipeline = Pipeline.start(PLANS.get(0), options(shape, random), RejectSink.NONE)) {
            for (int phase = 0; phase < 12; phase++) {
                List<Message> sent = put(pipeline, random);
                pipeline.drain();
                Cut cut = pipeline.cut();
                model.add(sent, version, rows(cut));
                checkSinceReset(LedgerCounts.of(cut), atReset, "seed=" + seed + " shape=" + shape + " phase=" + phase);
                check(LedgerCounts.of(cut), model, version, "seed=" + seed + " shape=" + shape + " phase=" + phase);
                if (phase == 0) {
                    for (SummaryView summary : cut.summaries()) {
                        assertThat(summary.updates())
                                .as("seed %s", seed)
                                .isEqualTo(LedgerCounts.of(cut)
                                        .intoSummary(summary.layout().name())
                                        .count(Fate.APPLIED));
                    }
                }
                cut.release();
                switch (random.nextInt(4)) {
                    case 0 -> reset(pipeline, "A", atReset);
                    case 1 -> reset(pipeline, "B", atReset);
                    case 2 -> {
                        pipeline.reload(PLANS.get(1 - version));
                        List<String> gone =
                                version == 0 ? List.of("Hit->B", "Idle") : List.of("Late->A", "Late->B", "Late");
                        gone.forEach(model::forget);
                        gone.forEach(atReset::remove);
                        version = 1 - version;
                    }
                    default -> {} // goes on
                }
            }
        }
    }

    /** Records the counts of the mappings into a summary when it was emptied. */
    private static void reset(Pipeline pipeline, String summary, Map<String, Account> atReset)
            throws InterruptedException {
        Cut cut = pipeline.reset(summary).orElseThrow();
        LedgerCounts.of(cut).mappings().stream()
                .filter(mapping -> mapping.summary().equals(summary))
                .forEach(mapping -> atReset.put(mapping.name(), mapping.account()));
        cut.release();
    }

    private static void checkSinceReset(LedgerCounts counts, Map<String, Account> atReset, String as) {
        for (LedgerCounts.OfMapping mapping : counts.mappings()) {
            Account before = atReset.getOrDefault(mapping.name(), LedgerCounts.none(mapping.name()));
            assertThat(mapping.sinceReset().plus(before)).as(as).isEqualTo(mapping.account());
        }
    }

    private static void check(LedgerCounts counts, LedgerModel model, int version, String as) {
        LedgerAssert.assertSettled(counts);
        List<Account> expected = new ArrayList<>();
        for (Account listener : counts.listeners()) {
            expected.add(model.account(listener.name()));
        }
        assertThat(counts.listeners()).as(as).isEqualTo(expected);
        expected.clear();
        for (Plan.Event event : PLANS.get(version).events()) {
            expected.add(model.account(event.name()));
        }
        assertThat(counts.events()).as(as).isEqualTo(expected);
        expected.clear();
        for (Plan.Event event : PLANS.get(version).events()) {
            event.mappings().forEach(mapping -> expected.add(model.account(mapping.name())));
        }
        assertThat(counts.mappings().stream().map(LedgerCounts.OfMapping::account))
                .as(as)
                .isEqualTo(expected);
    }

    /** Cuts, reloads and resets while batches come; finally nothing is left in flight. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void shouldBalanceAtEachCutWhateverHappensMeanwhile(int shape) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        AtomicBoolean done = new AtomicBoolean();
        try (Pipeline pipeline = Pipeline.start(PLANS.get(0), options(shape, random), RejectSink.NONE)) {
            long producers = random.nextLong();
            CompletableFuture<Long> sent = CompletableFuture.supplyAsync(() -> produce(pipeline, producers, done));
            try {
                long limitedBefore = 0;
                for (int step = 0; step < 40; step++) {
                    Cut cut = pipeline.cut();
                    LedgerAssert.assertBalances(LedgerCounts.of(cut));
                    if (step <= 20) {
                        requireWhatTheRowsHave(cut);
                    }
                    cut.release();
                    long limited = pipeline.ledger().rejected(Fate.LIMIT);
                    assertThat(limited).as("also when a mapping goes").isGreaterThanOrEqualTo(limitedBefore);
                    limitedBefore = limited;
                    // A reload may remove a mapping whose updates are in the rows.
                    switch (step < 20 ? 2 * random.nextInt(2) : random.nextInt(3)) {
                        case 0 ->
                            pipeline.reset(random.nextBoolean() ? "A" : "B")
                                    .orElseThrow()
                                    .release();
                        case 1 -> pipeline.reload(PLANS.get(random.nextInt(2)));
                        default ->
                            assertThat(pipeline.ledger().now().total().received())
                                    .isNotNegative();
                    }
                }
            } finally {
                done.set(true);
            }
            long messages = sent.get();
            pipeline.drain();
            LedgerCounts counts = LedgerAssert.assertSettled(pipeline);
            assertThat(counts.total().received()).as("seed %s", seed).isEqualTo(messages);
            assertThat(counts.total().count(Fate.FAULT)).isZero();
            assertThat(pipeline.ledger().now()).isEqualTo(counts);
        }
    }

    /** Since a reset, mappings applied exactly the updates in the rows, also of messages in flight during the reset. */
    private static void requireWhatTheRowsHave(Cut cut) {
        for (SummaryView summary : cut.summaries()) {
            assertThat(LedgerCounts.of(cut)
                            .intoSummarySinceReset(summary.layout().name())
                            .count(Fate.APPLIED))
                    .isEqualTo(summary.updates());
        }
    }

    private static long produce(Pipeline pipeline, long seed, AtomicBoolean done) {
        Random random = new Random(seed);
        long sent = 0;
        try {
            while (!done.get()) {
                sent += put(pipeline, random).size();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return sent;
    }

    @Test
    void shouldGoOnFromWhatAnEarlierProcessCounted() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        LedgerModel model = new LedgerModel();
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        try (Pipeline pipeline = Pipeline.start(PLANS.get(0), options(0, random), RejectSink.NONE)) {
            pipeline.ledger().name(1, "relp");
            List<Message> sent = put(pipeline, random);
            pipeline.drain();
            Cut cut = pipeline.cut();
            model.add(sent, 0, rows(cut));
            cut.release();
            pipeline.reset("A").orElseThrow().release();
            cut = pipeline.cut();
            LedgerCounts.of(cut).writeTo(saved);
            cut.release();
        }
        LedgerCounts before = LedgerCounts.read(saved.toByteArray());
        try (Pipeline pipeline = Pipeline.start(PLANS.get(1), options(1, random), RejectSink.NONE)) {
            pipeline.ledger().name(0, "relp");
            pipeline.ledger().restore(before);
            LedgerCounts restored = LedgerAssert.assertSettled(pipeline);
            assertThat(restored.listeners()).containsAll(before.listeners());
            assertThat(pipeline.ledger().processed()).as("by this process").isZero();
            assertThat(pipeline.ledger().unmatched()).as("by this process").isZero();
            assertThat(pipeline.ledger().rejected(Fate.PAYLOAD))
                    .as("by this process")
                    .isZero();
            assertThat(restored.intoSummary("A").decided()).as("seed %s", seed).isPositive();
            assertThat(restored.intoSummarySinceReset("A").decided()).isZero();
            assertThat(restored.former().received())
                    .as("seed %s", seed)
                    .isEqualTo(model.account("Idle").received());
            List<Message> sent = put(pipeline, random);
            pipeline.drain();
            Cut cut = pipeline.cut();
            List.of("Hit->B", "Idle").forEach(model::forget);
            model.add(sent, 1, rows(cut));
            LedgerCounts counts = LedgerCounts.of(cut);
            LedgerAssert.assertSettled(counts);
            for (Account event : counts.events()) {
                assertThat(event).as("seed %s", seed).isEqualTo(model.account(event.name()));
            }
            for (LedgerCounts.OfMapping mapping : counts.mappings()) {
                assertThat(mapping.account()).as("seed %s", seed).isEqualTo(model.account(mapping.name()));
            }
            Account relp = counts.listeners().stream()
                    .filter(listener -> listener.name().equals("relp"))
                    .findFirst()
                    .orElseThrow();
            long by0 = sent.stream().filter(message -> message.listener() == 0).count();
            assertThat(relp.received()).isEqualTo(received(before, "relp") + by0);
            assertThat(pipeline.ledger().processed()).isEqualTo(sent.size());
            cut.release();
        }
    }

    private static long received(LedgerCounts counts, String listener) {
        return counts.listeners().stream()
                .filter(account -> account.name().equals(listener))
                .mapToLong(Account::received)
                .sum();
    }
}
