package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.SumPlan.Sum;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.Cut;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
@Tag("races")
class JournalPositionsTest {
    private static final String[] TOPICS = {"x", "a.b", "b"};
    /** The key of messages that are not journalled. */
    private static final long UNJOURNALLED = 99;

    private static PipelineOptions.Stage stage(QueueKind kind, int workers) {
        return new PipelineOptions.Stage(kind, 4, workers, WaitPolicy.BLOCKING);
    }

    private static PipelineOptions pipelines(QueueKind parse, int workers) {
        return PipelineOptions.queued(stage(parse, workers), stage(QueueKind.MPSC, 2))
                .withPipeline(named("a", "a.#", parse, workers))
                .withPipeline(named("b", "b", parse, 1));
    }

    private static PipelineOptions.Named named(String name, String topic, QueueKind parse, int workers) {
        return new PipelineOptions.Named(
                name, List.of(TopicPattern.of(topic)), stage(parse, workers), stage(QueueKind.LBQ, 1));
    }

    static Stream<PipelineOptions> shapes() {
        return Stream.of(
                pipelines(QueueKind.LBQ, 1),
                pipelines(QueueKind.DISRUPTOR, 3),
                pipelines(QueueKind.MPMC, 2).withBatchMessages(3),
                PipelineOptions.DEFAULT.withMode(PipelineMode.INLINE, 2),
                PipelineOptions.DEFAULT.withMode(PipelineMode.LOCKED, 1));
    }

    /**
     * The key of a message is its pipeline, its value its place in the journal; so a row tells the messages of a cut.
     */
    @ParameterizedTest
    @MethodSource("shapes")
    void shouldSayOfEachPipelineUpToWhereACutHasItsMessages(PipelineOptions options) throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int pipelines = options.pipelines().size();
        List<Integer> takers = new ArrayList<>();
        List<int[]> batches = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            int[] batch = new int[1 + random.nextInt(8)];
            int spell = random.nextInt(5); // mostly of one pipeline, so that the others are idle
            for (int j = 0; j < batch.length; j++) {
                batch[j] = spell < TOPICS.length ? spell : random.nextInt(TOPICS.length);
                takers.add(pipelines == 1 ? 0 : batch[j]);
            }
            batches.add(batch);
        }
        try (Pipeline pipeline = Pipeline.start(new SumPlan(1, List.of("S")), options, RejectSink.NONE)) {
            AtomicBoolean done = new AtomicBoolean();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread journal = thread(failure, () -> {
                long sequence = 0;
                for (int[] topics : batches) {
                    MessageBatch batch = pipeline.acquire();
                    for (int topic : topics) {
                        SumPlan.add(batch, TOPICS[topic], pipelines == 1 ? 0 : topic, sequence + batch.count());
                    }
                    batch.firstSequence(sequence);
                    batch.firstStamp(1_000_000 + sequence);
                    sequence += topics.length;
                    pipeline.put(batch);
                }
                done.set(true);
            });
            Thread other = thread(failure, () -> {
                while (!done.get()) {
                    MessageBatch batch = pipeline.acquire();
                    SumPlan.add(batch, "a.b", UNJOURNALLED, 1);
                    pipeline.put(batch);
                }
            });
            List<Long> before = Collections.nCopies(pipelines, 0L);
            while (!done.get() && failure.get() == null) {
                Cut cut = pipeline.cut();
                check(cut, takers, seed);
                for (int taker = 0; taker < pipelines; taker++) {
                    assertThat(cut.positions().get(taker))
                            .as("seed %d", seed)
                            .isGreaterThanOrEqualTo(before.get(taker));
                }
                before = cut.positions();
                cut.release();
            }
            journal.join();
            other.join();
            assertThat(failure.get()).isNull();
            pipeline.drain();
            Cut cut = pipeline.cut();
            check(cut, takers, seed);
            assertThat(cut.positions()).as("all pipelines are idle").containsOnly((long) takers.size());
            cut.release();
        }
    }

    private interface Body {
        void run() throws Exception;
    }

    private static Thread thread(AtomicReference<Throwable> failure, Body body) {
        Thread thread = new Thread(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        });
        thread.start();
        return thread;
    }

    private static void check(Cut cut, List<Integer> takers, long seed) {
        Map<Long, Sum> expected = new TreeMap<>();
        for (int sequence = 0; sequence < takers.size(); sequence++) {
            int taker = takers.get(sequence);
            if (sequence < cut.positions().get(taker)) {
                expected.merge((long) taker, new Sum(1, sequence), Sum::plus);
            }
        }
        Map<Long, Sum> found = new TreeMap<>(SumPlan.rows(cut, "S"));
        found.remove(UNJOURNALLED);
        assertThat(found).as("seed %d positions %s", seed, cut.positions()).isEqualTo(expected);
    }

    @Test
    void shouldKeepStampsAndPlacesWhenABatchIsDivided() throws Exception {
        try (Pipeline pipeline =
                Pipeline.start(new SumPlan(1, List.of("S")), pipelines(QueueKind.LBQ, 1), RejectSink.NONE)) {
            MessageBatch batch = pipeline.acquire();
            String[] topics = {"a.b", "b", "a.c", "x", "b"};
            for (String topic : topics) {
                SumPlan.add(batch, topic, 0, 0);
            }
            batch.firstSequence(100);
            batch.listener(3);
            List<MessageBatch> parts = new ArrayList<>();
            pipeline.split(batch, parts::add);
            long first = parts.get(0).firstStamp();
            assertThat(first).isPositive();
            Map<Long, Long> stamps = new TreeMap<>();
            for (MessageBatch part : parts) {
                assertThat(part.firstStamp()).isEqualTo(first);
                assertThat(part.listener()).isEqualTo(3);
                for (int i = 0; i < part.count(); i++) {
                    stamps.put(part.sequence(i), part.message(i).arrivalStamp() - first);
                }
            }
            assertThat(stamps).isEqualTo(Map.of(100L, 0L, 101L, 1L, 102L, 2L, 103L, 3L, 104L, 4L));
            assertThat(parts).extracting(MessageBatch::endSequence).containsExactly(104L, 103L, 105L);
            parts.forEach(pipeline::release);
            assertThat(batch.firstSequence()).as("given back").isEqualTo(MessageBatch.NOT_JOURNALLED);
        }
    }

    @Test
    void shouldGiveNewMessagesStampsAboveThoseOfTheJournal() throws Exception {
        try (Pipeline pipeline =
                Pipeline.start(new SumPlan(1, List.of("S")), PipelineOptions.DEFAULT, RejectSink.NONE)) {
            long ahead = System.currentTimeMillis() * 2_000;
            MessageBatch journalled = pipeline.acquire();
            SumPlan.add(journalled, "x", 0, 0);
            journalled.firstSequence(0);
            journalled.firstStamp(ahead);
            pipeline.put(journalled);
            assertThat(pipeline.clock().claim(1)).isGreaterThan(ahead);
        }
    }
}
