package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.Cut;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
@Tag("races")
class ReceiptTest {
    private static final PipelineOptions.Stage STAGE =
            new PipelineOptions.Stage(QueueKind.LBQ, 4, 2, WaitPolicy.BLOCKING);

    static Stream<PipelineOptions> shapes() {
        PipelineOptions queued = PipelineOptions.queued(STAGE, STAGE);
        return Stream.of(
                queued,
                queued.withBatchMessages(2),
                queued.withPipeline(new PipelineOptions.Named("odd", List.of(TopicPattern.of("odd")), STAGE, STAGE)),
                queued.withMode(PipelineMode.INLINE, 2),
                queued.withMode(PipelineMode.LOCKED, 1));
    }

    /** Counts notifications, and tells when a batch is in the rows. */
    private static final class Counting implements Receipt {
        final AtomicInteger times = new AtomicInteger();
        final CountDownLatch applied = new CountDownLatch(1);

        @Override
        public void durable() {
            throw new AssertionError("nothing is journalled here");
        }

        @Override
        public void applied() {
            times.incrementAndGet();
            applied.countDown();
        }
    }

    /** Batches large and small, of one pipeline and of several, without updates and with many update batches. */
    @ParameterizedTest
    @MethodSource("shapes")
    void shouldSayOnceThatAllOfABatchIsInTheRows(PipelineOptions options) throws Exception {
        try (Pipeline pipeline = Pipeline.start(new SumPlan(1, List.of("S", "T")), options, RejectSink.NONE)) {
            List<Counting> receipts = new ArrayList<>();
            long messages = 0;
            for (int i = 0; i < 200; i++) {
                MessageBatch batch = pipeline.acquire();
                int count = i % 10 == 0 ? 1_000 : i % 7;
                for (int j = 0; j < count; j++) {
                    SumPlan.add(batch, j % 3 == 0 ? "odd" : "even", j, 1);
                }
                boolean rejected = i % 4 == 3;
                for (int j = 0; j < count && rejected; j++) {
                    batch.reject(j, RejectReason.ENVELOPE);
                }
                messages += rejected ? 0 : count;
                Counting receipt = new Counting();
                batch.receipt(receipt);
                receipts.add(receipt);
                pipeline.put(batch);
            }
            for (Counting receipt : receipts) {
                assertThat(receipt.applied.await(60, TimeUnit.SECONDS)).isTrue();
            }
            Cut cut = pipeline.cut();
            assertThat(SumPlan.rows(cut, "T").values().stream()
                            .mapToLong(SumPlan.Sum::count)
                            .sum())
                    .as("what receipts say is in the rows")
                    .isEqualTo(messages);
            cut.release();
            assertThat(receipts).extracting(receipt -> receipt.times.get()).containsOnly(1);
        }
    }

    @Test
    void shouldNotSayThatABatchIsInTheRowsBeforeItsLastPartIs() {
        Counting receipt = new Counting();
        Completion whole = new Completion(receipt);
        whole.add();
        whole.add();
        whole.done(); // the thread that divided the batch
        whole.applied();
        assertThat(receipt.times.get()).isZero();
        Completion part = Completion.of(whole);
        part.add(); // its update batch
        part.done();
        assertThat(receipt.times.get()).isZero();
        part.done();
        assertThat(receipt.times.get()).isEqualTo(1);
    }
}
