package io.summarizer.core.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.message.TopicMessages;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.queue.Waiting;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.snapshot.CutRevokedException;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreTables;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.TableRowCode;
import io.summarizer.core.store.UpdateBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
@Tag("races")
class PipelineTest {
    private static final int PARSER_WORKERS = 2;
    private static final int OWNERS = 2;
    /** Bytes of the first chunk of a partition with few rows. */
    private static final long CHUNK_BYTES = 1024;

    private static final PipelineOptions SMALL =
            options(QueueKind.LBQ, PARSER_WORKERS, QueueKind.LBQ, OWNERS, WaitPolicy.BLOCKING);

    static Stream<PipelineOptions> everyShape() {
        List<PipelineOptions> shapes = new ArrayList<>();
        for (QueueKind parse : QueueKind.forSharing()) {
            for (int workers : new int[] {1, 3}) {
                shapes.add(options(parse, workers, QueueKind.LBQ, 1, WaitPolicy.BLOCKING));
                shapes.add(options(parse, workers, QueueKind.ABQ, 2, WaitPolicy.BLOCKING));
                shapes.add(options(parse, workers, QueueKind.DISRUPTOR, 2, WaitPolicy.BLOCKING));
                shapes.add(options(parse, workers, QueueKind.DISRUPTOR, 3, WaitPolicy.SLEEPING));
                shapes.add(options(parse, workers, QueueKind.MPSC, 2, WaitPolicy.BLOCKING));
            }
        }
        for (PipelineMode mode : List.of(PipelineMode.INLINE, PipelineMode.LOCKED)) {
            shapes.add(SMALL.withMode(mode, 1));
            shapes.add(SMALL.withMode(mode, 3));
        }
        return shapes.stream();
    }

    private static PipelineOptions options(QueueKind parse, int workers, QueueKind own, int owners, WaitPolicy wait) {
        return options(parse, workers, own, owners, wait, 1_000_000);
    }

    private static PipelineOptions options(
            QueueKind parse, int workers, QueueKind own, int owners, WaitPolicy wait, long rows) {
        return PipelineOptions.queued(
                        new PipelineOptions.Stage(parse, 4, workers, WaitPolicy.BLOCKING),
                        new PipelineOptions.Stage(own, 4, owners, wait))
                .withMaxRows(rows);
    }

    /**
     * Message i adds 1 and i to a row of each of two summaries, so a cut's totals tell its messages. The stream goes on
     * until enough cuts fell in its midst.
     */
    @ParameterizedTest
    @MethodSource("everyShape")
    void shouldHaveEachBatchWhollyInACutOrWhollyOutAndNothingBehindAGap(PipelineOptions options) throws Exception {
        int batchesMin = 3_000;
        int cutsMin = 20;
        int each = 7;
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), options, RejectSink.NONE)) {
            AtomicInteger cutsInTheMidst = new AtomicInteger();
            CompletableFuture<Integer> producer = CompletableFuture.supplyAsync(() -> {
                try {
                    int batches = 0;
                    for (; batches < batchesMin || cutsInTheMidst.get() < cutsMin; batches++) {
                        pipeline.put(batch(pipeline, batches * each, each));
                    }
                    return batches;
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            long before = 0;
            while (!producer.isDone()) {
                long messages = checkPrefix(pipeline.cut(), each, before);
                if (messages > before && !producer.isDone()) {
                    cutsInTheMidst.incrementAndGet();
                }
                before = messages;
            }
            long messages = (long) each * producer.get();
            assertThat(cutsInTheMidst).hasValueGreaterThanOrEqualTo(cutsMin);
            pipeline.drain();
            assertThat(checkPrefix(pipeline.cut(), each, before)).isEqualTo(messages);
            assertThat(pipeline.ledger().processed()).isEqualTo(messages);
            assertThat(pipeline.gauges().failures()).isZero();
        }
    }

    @Test
    void shouldRevokeTheOldestPullWhenCopiesTakeTooMuchAndGoOn() throws Exception {
        int each = 7;
        long budget = 4L * CHUNK_BYTES; // of about thirty chunks that all messages write to
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), withCutBytes(budget), RejectSink.NONE)) {
            pipeline.put(batch(pipeline, 0, each));
            pipeline.drain();
            Cut slow = pipeline.cut();
            RowCursor reader = slow.summaries().get(0).partitions().stream()
                    .filter(partition -> partition.rows() > 0)
                    .findFirst()
                    .orElseThrow()
                    .cursor();
            for (int b = 1; b < 100; b++) {
                pipeline.put(batch(pipeline, b * each, each));
            }
            pipeline.drain();
            assertThat(checkPrefix(pipeline.cut(), each, each)).isEqualTo(100L * each);

            assertThat(slow.isRevoked()).isTrue();
            assertThat(slow.acquire()).isFalse();
            assertThatThrownBy(() -> totals(slow.summaries().get(0))).isInstanceOf(CutRevokedException.class);
            assertThatThrownBy(() -> totals(slow.summaries().get(1))).isInstanceOf(CutRevokedException.class);
            assertThatThrownBy(reader::next).isInstanceOf(CutRevokedException.class);
            slow.release();
            assertThat(pipeline.gauges().cutMemory().revoked()).isEqualTo(1);
            assertThat(pipeline.gauges().cutMemory().heldBytes()).isZero();
            assertThat(pipeline.gauges().cutMemory().pooledBytes()).isLessThanOrEqualTo(budget);
            assertThat(pipeline.gauges().cutMemory().held()).isZero();
            assertThat(pipeline.gauges().failures()).isZero();
        }
    }

    @Test
    void shouldLeaveTheOthersAloneWhileTheCutOfAResetIsHeld() throws Exception {
        int each = 7;
        long budget =
                // of about sixteen chunks of the other summary that all messages write to
                4L * CHUNK_BYTES;
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), withCutBytes(budget), RejectSink.NONE)) {
            putBatches(pipeline, 0, 100, each);
            Cut last = pipeline.reset("A").orElseThrow();
            assertThat(last.isLast()).isTrue();
            assertThat(last.summary("A")).isPresent();
            assertThat(last.summary("B")).isEmpty();
            assertThat(last.summaries()).hasSize(1);

            putBatches(pipeline, 100, 10, each);
            assertThat(pipeline.gauges().cutMemory().pauses()).isZero();
            assertThat(pipeline.gauges().cutMemory().copies()).isZero();
            // Memory that only an ordinary cut needs is freed with it, even if an older cut is held.
            pipeline.cut().release();
            putBatches(pipeline, 110, 10, each);
            assertThat(pipeline.gauges().cutMemory().copies()).isZero();

            Cut after = pipeline.cut();
            assertThat(after.isLast()).isFalse();
            assertThat(totals(after.summaries().get(0))[0]).isEqualTo(20L * each);
            assertThat(totals(after.summaries().get(1))[0]).isEqualTo(120L * each);
            after.release();
            assertThat(totals(last.summaries().get(0))).containsExactly(700, 700 * 699 / 2);
            assertThat(last.summaries().get(0).updates()).isEqualTo(700);
            last.release();
            assertThat(pipeline.gauges().cutMemory().held()).isZero();
        }
    }

    @Test
    void shouldCountWhatWasTakenOutAndRefuseToTakeOutMoreThanCutsMayHold() throws Exception {
        int each = 7;
        long budget = 48L * CHUNK_BYTES; // about twice the size of a summary with its indexes
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), withCutBytes(budget), RejectSink.NONE)) {
            List<Cut> held = new ArrayList<>();
            for (int reset = 0; reset < 2; reset++) {
                putBatches(pipeline, 0, 100, each);
                held.add(pipeline.reset("A").orElseThrow());
                assertThat(pipeline.gauges().cutMemory().retiredBytes())
                        .isBetween((reset + 1) * 10L * CHUNK_BYTES, budget);
                assertThat(pipeline.gauges().cutMemory().heldBytes())
                        .isEqualTo(pipeline.gauges().cutMemory().retiredBytes());
            }
            putBatches(pipeline, 0, 100, each);
            awaitPublished(pipeline);
            assertThatThrownBy(() -> pipeline.reset("A"))
                    .isInstanceOf(ResetRefusedException.class)
                    .hasMessageContaining("cuts.memory");
            Cut untouched = pipeline.cut();
            assertThat(totals(untouched.summaries().get(0))[0]).isEqualTo(100L * each);
            untouched.release();

            held.remove(0).release();
            pipeline.reset("A").orElseThrow().release();
            held.remove(0).release();
            assertThat(pipeline.gauges().cutMemory().heldBytes()).isZero();
        }
    }

    @Test
    void shouldEmptyASummaryOfAnySizeWhenNothingElseWasTakenOut() throws Exception {
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), withCutBytes(1), RejectSink.NONE)) {
            putBatches(pipeline, 0, 100, 7);
            awaitPublished(pipeline);
            Cut first = pipeline.reset("A").orElseThrow();
            assertThatThrownBy(() -> pipeline.reset("B")).isInstanceOf(ResetRefusedException.class);
            first.release();
            pipeline.reset("B").orElseThrow().release();
        }
    }

    @Test
    void shouldSeeAResetThroughThoughItsCallerIsInterrupted() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        AtomicBoolean holding = new AtomicBoolean();
        CountDownLatch keptOwners = new CountDownLatch(OWNERS);
        TwoSummaries plan = new TwoSummaries() {
            @Override
            void beforeRow() {
                try {
                    if (holding.get()) {
                        keptOwners.countDown();
                        assertThat(held.await(60, TimeUnit.SECONDS)).isTrue();
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        try (Pipeline pipeline = Pipeline.start(plan, SMALL, RejectSink.NONE)) {
            putBatches(pipeline, 0, 100, 7);
            pipeline.cut().release(); // the owners are done
            holding.set(true);
            pipeline.put(batch(pipeline, 700, 100));
            pipeline.drain();
            assertThat(keptOwners.await(60, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Cut> cut = new CompletableFuture<>();
            AtomicBoolean stillInterrupted = new AtomicBoolean();
            Thread caller = new Thread(() -> {
                try {
                    cut.complete(pipeline.reset("A").orElseThrow());
                } catch (Throwable e) {
                    cut.completeExceptionally(e);
                }
                stillInterrupted.set(Thread.currentThread().isInterrupted());
            });
            caller.start();
            while (waiting(pipeline, "owner-0") + waiting(pipeline, "owner-1") < OWNERS) {
                Thread.onSpinWait(); // the barriers are not there yet
            }
            caller.interrupt();
            caller.join(50); // so that it meets the interrupt while it waits, most of the time
            held.countDown();
            Cut last = cut.get(60, TimeUnit.SECONDS);
            caller.join();
            assertThat(stillInterrupted).isTrue();
            assertThat(totals(last.summaries().get(0))[0]).isEqualTo(800);
            assertThat(last.summaries().get(0).updates()).isEqualTo(800);
        }
    }

    private static void putBatches(Pipeline pipeline, int first, int batches, int each) throws InterruptedException {
        for (int b = 0; b < batches; b++) {
            pipeline.put(batch(pipeline, (first + b) * each, each));
        }
        pipeline.drain();
    }

    /** Waits for a cut, which makes owners publish their gauges. */
    private static void awaitPublished(Pipeline pipeline) throws InterruptedException {
        pipeline.cut().release();
    }

    private static PipelineOptions withCutBytes(long bytes) {
        return SMALL.withCutBytesMax(bytes);
    }

    private static long checkPrefix(Cut cut, int each, long atLeast) {
        long[] first = totals(cut.summaries().get(0));
        assertThat(totals(cut.summaries().get(1))).containsExactly(first);
        long messages = first[0];
        assertThat(messages % each).isZero();
        assertThat(messages).isGreaterThanOrEqualTo(atLeast);
        // Only the first messages without a gap have the numbers 0 to n - 1.
        assertThat(first[1]).isEqualTo(messages * (messages - 1) / 2);
        for (SummaryView summary : cut.summaries()) {
            assertThat(summary.updates()).isEqualTo(messages);
        }
        cut.release();
        return messages;
    }

    /** As above; A is emptied again and again, so that the sum of its cuts equals one cut. */
    @ParameterizedTest
    @MethodSource("everyShape")
    void shouldHaveEachUpdateEitherInTheCutThatEmptiesItsSummaryOrInTheSummary(PipelineOptions options)
            throws Exception {
        int batches = 3_000;
        int each = 7;
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), options, RejectSink.NONE)) {
            CompletableFuture<Void> producer = CompletableFuture.runAsync(() -> {
                try {
                    for (int b = 0; b < batches; b++) {
                        pipeline.put(batch(pipeline, b * each, each));
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            long[] gone = new long[3];
            int resets = 0;
            for (boolean last = false; !last; resets++) {
                last = producer.isDone();
                if (last) {
                    pipeline.drain();
                }
                Cut cut = pipeline.reset("A").orElseThrow();
                SummaryView emptied = cut.summaries().get(0);
                gone[0] += totals(emptied)[0];
                gone[1] += totals(emptied)[1];
                gone[2] += emptied.updates();
                // Only the first messages without a gap have the numbers 0 to n - 1.
                assertThat(gone).containsExactly(gone[0], gone[0] * (gone[0] - 1) / 2, gone[0]);
                cut.release();
            }
            producer.get();
            assertThat(resets).isGreaterThan(1);
            assertThat(gone[0]).isEqualTo((long) batches * each);
            assertThat(gone[1]).isEqualTo(gone[0] * (gone[0] - 1) / 2);
            Cut after = pipeline.cut();
            assertThat(totals(after.summaries().get(0))).containsExactly(0, 0);
            assertThat(after.summaries().get(0).updates()).isZero();
            assertThat(totals(after.summaries().get(1))).containsExactly(gone[0], gone[1]);
            assertThat(after.summaries().get(1).updates()).isEqualTo(gone[0]);
            assertThat(pipeline.gauges().rows("A", List.of())).isZero();
            assertThat(pipeline.gauges().failures()).isZero();
        }
    }

    @Test
    void shouldTakeAsManyRowsAgainOnceASummaryWasEmptied() throws Exception {
        PipelineOptions tiny = options(QueueKind.LBQ, 2, QueueKind.LBQ, 1, WaitPolicy.BLOCKING, 20);
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), tiny, RejectSink.NONE)) {
            for (int round = 0; round < 3; round++) {
                pipeline.put(batch(pipeline, 0, 100));
                pipeline.drain();
                SummaryView full = pipeline.reset("A").orElseThrow().summaries().get(0);
                assertThat(full.rows(List.of())).isEqualTo(20);
                assertThat(full.updates()).isEqualTo(20);
                assertThat(pipeline.gauges().rows("A", List.of())).isZero();
            }
        }
    }

    @Test
    void shouldRefuseWhenFullAndSayWhenThereIsRoom() throws Exception {
        CountDownLatch busy = new CountDownLatch(PARSER_WORKERS);
        CountDownLatch hold = new CountDownLatch(1);
        TwoSummaries plan = new TwoSummaries() {
            @Override
            void beforeEach() {
                busy.countDown();
                try {
                    assertThat(hold.await(60, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        };
        try (Pipeline pipeline = Pipeline.start(plan, SMALL, RejectSink.NONE)) {
            int accepted = 0;
            for (; accepted < PARSER_WORKERS; accepted++) {
                pipeline.put(batch(pipeline, accepted, 1));
            }
            // From here on every worker holds a batch and takes no other, so the queue keeps its batches.
            assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
            Recorder recorder = new Recorder();
            Intake intake = pipeline.intake(recorder);
            MessageBatch refused;
            do {
                assertThat(accepted).isLessThan(100);
                refused = filled(pipeline, accepted++, 1);
                intake.submit(refused, null);
            } while (intake.waiting() == 0);
            assertThat(recorder.taken).isEqualTo(accepted - 1 - PARSER_WORKERS);
            long stamp = refused.firstStamp();
            assertThat(stamp).isPositive();
            intake.resume();
            assertThat(intake.waiting()).isEqualTo(1);
            assertThat(intake.heldBytes()).isEqualTo(refused.heldBytes());
            assertThat(recorder.refused).isEqualTo(2);
            assertThat(refused.firstStamp()).as("the time it came in").isEqualTo(stamp);
            assertThat(recorder.room.getCount()).isEqualTo(1);
            hold.countDown();
            assertThat(recorder.room.await(60, TimeUnit.SECONDS)).isTrue();
            intake.resume();
            assertThat(intake.waiting()).isZero();
            pipeline.drain();
            assertThat(totals(pipeline.cut().summaries().get(0))[0]).isEqualTo(accepted);
        }
    }

    /** A stuck owner holds up its queue, then the parser worker, the parse queue and the receivers. */
    @ParameterizedTest
    @EnumSource(
            value = QueueKind.class,
            names = {"LBQ", "ABQ", "MPSC", "DISRUPTOR"})
    void shouldHoldUpParserWorkersAndLoseNothingWhileTheQueueOfAnOwnerIsFull(QueueKind ownerQueue) throws Exception {
        PipelineOptions options = options(QueueKind.LBQ, 1, ownerQueue, 1, WaitPolicy.BLOCKING);
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch hold = new CountDownLatch(1);
        TwoSummaries plan = new TwoSummaries() {
            @Override
            public RowCode.Tree rowCode(int summary) {
                RowCode.Tree code = super.rowCode(summary);
                return new RowCode.Tree(new HeldRowCode(code.rows(), held, hold), code.nested());
            }
        };
        try (Pipeline pipeline = Pipeline.start(plan, options, RejectSink.NONE)) {
            pipeline.put(batch(pipeline, 0, 1));
            // By the first batch alone, whatever number an owner takes at once.
            assertThat(held.await(60, TimeUnit.SECONDS)).isTrue();
            int accepted = 1;
            MessageBatch next = batch(pipeline, accepted, 1);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            // One batch is with the owner and one with the worker, which waits for room in the owner's queue.
            while (pipeline.ledger().processed() < 4 + 2
                    || waiting(pipeline, "owner-0") < 4
                    || waiting(pipeline, "parse") < 4) {
                assertThat(System.nanoTime()).as("accepted %d", accepted).isLessThan(deadline);
                if (pipeline.offer(next)) {
                    next = batch(pipeline, ++accepted, 1);
                }
            }
            assertThat(accepted).isEqualTo(4 + 4 + 2);
            CompletableFuture<Cut> cut = CompletableFuture.supplyAsync(() -> {
                try {
                    return pipeline.cut();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            CountDownLatch room = new CountDownLatch(1);
            pipeline.onRoom(new MessageBatch(16), room::countDown);
            assertThat(pipeline.offer(next)).isFalse();
            assertThat(cut).as("a cut cannot pass by a batch that is under way").isNotDone();
            assertThat(room.getCount()).isEqualTo(1);

            hold.countDown();
            assertThat(room.await(60, TimeUnit.SECONDS)).isTrue();
            checkPrefix(cut.get(60, TimeUnit.SECONDS), 1, 4 + 2);
            pipeline.put(next);
            pipeline.drain();
            assertThat(checkPrefix(pipeline.cut(), 1, 0)).isEqualTo(accepted + 1);
            assertThat(pipeline.gauges().failures()).isZero();
        }
    }

    private static int waiting(Pipeline pipeline, String queue) {
        return pipeline.gauges().queues().stream()
                .filter(gauge -> gauge.queue().equals(queue))
                .findFirst()
                .orElseThrow()
                .size()
                .getAsInt();
    }

    /** Keeps an owner from its work until it is released. */
    private static final class HeldRowCode extends RowCode {
        private final RowCode code;
        private final CountDownLatch held;
        private final CountDownLatch hold;

        HeldRowCode(RowCode code, CountDownLatch held, CountDownLatch hold) {
            this.code = code;
            this.held = held;
            this.hold = hold;
        }

        @Override
        public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
            return code.hasKey(row, base, bytes, key);
        }

        @Override
        public int update(StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
            held.countDown();
            try {
                assertThat(hold.await(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return code.update(tables, id, row, base, ops, from, end, stamp);
        }
    }

    /** A message that a worker has or that waits for one is in flight; one that waits for room is not yet received. */
    @Test
    void shouldCountWhatItTookAndNothingThatIsDroppedBefore() throws Exception {
        CountDownLatch hold = new CountDownLatch(1);
        TwoSummaries plan = new TwoSummaries();
        plan.beforeMessage = message -> Waiting.uninterruptibly(hold::await);
        try (Pipeline pipeline = Pipeline.start(plan, SMALL, RejectSink.NONE)) {
            Recorder recorder = new Recorder();
            Intake intake = pipeline.intake(recorder);
            for (int b = 0; intake.waiting() == 0; b++) {
                intake.submit(filled(pipeline, b, 3), null);
            }
            intake.submit(filled(pipeline, 1_000, 3), null);
            long inFlight = pipeline.ledger().now().total().inFlight();
            int dropped = intake.drop();
            long afterwards = pipeline.ledger().now().total().received();
            hold.countDown(); // before anything can fail, because closing waits for the workers
            assertThat(dropped).isEqualTo(2 * 3);
            assertThat(intake.waiting()).isZero();
            assertThat(inFlight).isEqualTo(recorder.taken).isPositive();
            assertThat(afterwards).isEqualTo(recorder.taken);
            pipeline.drain();
            LedgerAssert.assertSettled(pipeline);
        }
    }

    /** Records the news of an intake: about batches on the thread that submits them, about room on another. */
    private static final class Recorder implements BatchSink.Receiver {
        private final CountDownLatch room = new CountDownLatch(1);
        private int taken;
        private int refused;

        @Override
        public void taken(int messages) {
            taken += messages;
        }

        @Override
        public void refused() {
            refused++;
        }

        @Override
        public void onRoom() {
            room.countDown();
        }
    }

    @Test
    void shouldRunAtOnceWhatWaitsForRoomThatIsThere() throws Exception {
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), SMALL, RejectSink.NONE)) {
            AtomicBoolean ran = new AtomicBoolean();
            pipeline.onRoom(new MessageBatch(16), () -> ran.set(true));
            assertThat(ran).isTrue();
        }
    }

    @Test
    void shouldCountWhatItCannotTakeAndLeaveTheNeighboursUnharmed() throws Exception {
        List<String> kept = new ArrayList<>();
        RejectSink rejects = new RejectSink() {
            @Override
            public synchronized void reject(IMessage message, RejectReason reason, String detail) {
                kept.add(reason + " " + frame(message) + " " + detail);
            }

            @Override
            public synchronized void unmatched(IMessage message) {
                kept.add("UNMATCHED " + frame(message));
            }
        };
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), SMALL, rejects)) {
            MessageBatch batch = pipeline.acquire();
            TopicMessages.append(batch, "event", "0");
            TopicMessages.append(batch, "other", "1");
            TopicMessages.append(batch, "event", "bad");
            TopicMessages.append(batch, "event", "bug");
            TopicMessages.append(batch, "event", "1");
            batch.reject(batch.append(0, 5), RejectReason.FRAME);
            pipeline.put(batch);
            pipeline.drain();
            assertThat(totals(pipeline.cut().summaries().get(0))).containsExactly(2, 1);
            assertThat(pipeline.ledger().processed()).isEqualTo(6);
            assertThat(pipeline.ledger().unmatched()).isEqualTo(1);
            assertThat(pipeline.ledger().rejected(Fate.PAYLOAD)).isEqualTo(2);
            assertThat(pipeline.ledger().rejected(Fate.FRAME)).isEqualTo(1);
            assertThat(pipeline.gauges().failures()).isEqualTo(1);
            assertThat(kept)
                    .containsExactlyInAnyOrder(
                            "UNMATCHED other1",
                            "PAYLOAD eventbad not a number",
                            "PAYLOAD eventbug fault in this program: java.lang.IllegalStateException: a bug",
                            "FRAME event frame");
            assertThat(LedgerAssert.assertSettled(pipeline).accounts())
                    .map(Account::toString)
                    .containsExactly(
                            "listener-0: received=6 applied=2 unmatched=1 frame=1 payload=2",
                            "E: received=4 applied=2 payload=2",
                            "E->A: received=4 applied=2 payload=2",
                            "E->B: received=4 applied=2 payload=2");
        }
    }

    @Test
    void shouldAccountForUpdatesThatAFaultKeepsOutOfTheRows() throws Exception {
        AtomicInteger rows = new AtomicInteger();
        TwoSummaries plan = new TwoSummaries() {
            @Override
            void beforeRow() {
                if (rows.incrementAndGet() == 3) {
                    throw new IllegalStateException("a bug");
                }
            }
        };
        try (Pipeline pipeline = Pipeline.start(plan, SMALL, RejectSink.NONE)) {
            pipeline.put(batch(pipeline, 0, 5));
            pipeline.drain();
            LedgerCounts counts = LedgerAssert.assertSettled(pipeline);
            assertThat(counts.total()).hasToString("total: received=5 applied=4 fault=1");
            assertThat(counts.events()).map(Account::toString).containsExactly("E: received=5 applied=4 fault=1");
            assertThat(counts.mappings().stream()
                            .map(mapping -> mapping.account().count(Fate.APPLIED)))
                    .containsExactlyInAnyOrder(5L, 4L);
            assertThat(pipeline.gauges().failures()).isOne();
        }
    }

    /** Every other message ends in a fault; now and then after a full batch of updates was handed over for it. */
    @Test
    void shouldAccountForMessagesOfWhichAPartMayBeWithAnOwner() throws Exception {
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), SMALL, RejectSink.NONE)) {
            MessageBatch batch = pipeline.acquire();
            for (int i = 0; i < 1500; i++) {
                TopicMessages.append(batch, "event", "1");
                TopicMessages.append(batch, "event", "bug");
            }
            pipeline.put(batch);
            pipeline.drain();
            LedgerCounts counts = LedgerAssert.assertSettled(pipeline);
            Account total = counts.total();
            assertThat(total.count(Fate.APPLIED)).isEqualTo(1500);
            assertThat(total.count(Fate.FAULT)).isPositive();
            assertThat(total.count(Fate.PAYLOAD))
                    .isEqualTo(pipeline.ledger().rejected(Fate.PAYLOAD))
                    .isEqualTo(1500 - total.count(Fate.FAULT));
            for (LedgerCounts.OfMapping mapping : counts.mappings()) {
                assertThat(mapping.account().count(Fate.APPLIED)).isEqualTo(1500);
            }
        }
    }

    @Test
    void shouldGiveCutsIdsThatNoEarlierProcessGave() throws Exception {
        long before = System.currentTimeMillis();
        PipelineOptions options = options(QueueKind.LBQ, 1, QueueKind.LBQ, 1, WaitPolicy.BLOCKING, 20);
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), options, RejectSink.NONE)) {
            long id = pipeline.cut().id();
            assertThat(id).isGreaterThan(before);
            assertThat(pipeline.cut().id()).isEqualTo(id + 1);
        }
    }

    @Test
    void shouldCountMessagesThatMeetAFullSummaryAndNotAsUpdates() throws Exception {
        PipelineOptions tiny = options(QueueKind.LBQ, 2, QueueKind.LBQ, 2, WaitPolicy.BLOCKING, 20);
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), tiny, RejectSink.NONE)) {
            for (int b = 0; b < 100; b++) {
                pipeline.put(batch(pipeline, b * 100, 100));
            }
            pipeline.drain();
            Cut cut = pipeline.cut();
            // A has 100 keys, of which 20 find room; B has 17.
            assertThat(cut.summaries().get(0).rows(List.of())).isEqualTo(20);
            assertThat(totals(cut.summaries().get(0))[0]).isEqualTo(20 * 100);
            assertThat(cut.summaries().get(0).updates()).isEqualTo(20 * 100);
            assertThat(cut.summaries().get(1).updates()).isEqualTo(10_000);
            assertThat(pipeline.gauges().rows("A", List.of())).isEqualTo(20);
            assertThat(pipeline.gauges().updates("A")).isEqualTo(20 * 100);
            assertThat(pipeline.gauges().updates("B")).isEqualTo(10_000);
            assertThat(pipeline.ledger().rejected(Fate.LIMIT)).isEqualTo(80 * 100);
        }
    }

    @Test
    void shouldEndInsteadOfHangingWhenAThreadDies() throws Exception {
        TwoSummaries plan = new TwoSummaries() {
            @Override
            void beforeEach() {
                throw new AssertionError("broken beyond repair");
            }
        };
        try (Pipeline pipeline = Pipeline.start(plan, SMALL, RejectSink.NONE)) {
            pipeline.put(batch(pipeline, 0, 1));
            assertThat(pipeline.failure().get(60, TimeUnit.SECONDS)).hasMessage("broken beyond repair");
            assertThatThrownBy(pipeline::cut).hasMessageContaining("broken beyond repair");
            assertThatThrownBy(pipeline::drain).hasMessageContaining("broken beyond repair");
            assertThatThrownBy(() -> pipeline.put(batch(pipeline, 1, 1))).hasMessageContaining("broken beyond repair");
        }
    }

    /**
     * A checkpoint of it would keep some messages of the batch, and the next process takes the whole batch from the
     * journal.
     */
    @ParameterizedTest
    @MethodSource("everyMode")
    void shouldGiveNoCutWithHalfABatch(PipelineOptions options) throws Exception {
        AtomicReference<Thread> cutter = new AtomicReference<>();
        CountDownLatch half = new CountDownLatch(1);
        TwoSummaries plan = new TwoSummaries() {
            private int messages;

            @Override
            void beforeEach() {
                if (++messages == 2) {
                    half.countDown();
                    Thread waiting;
                    do {
                        waiting = cutter.get();
                    } while (waiting == null || waiting.getState() != Thread.State.TIMED_WAITING); // at the gate
                    throw new AssertionError("in the middle");
                }
            }
        };
        try (Pipeline pipeline = Pipeline.start(plan, options.withBatchMessages(0), RejectSink.NONE)) {
            Thread sender = new Thread(() -> {
                try {
                    pipeline.put(batch(pipeline, 0, 4));
                } catch (InterruptedException | RuntimeException e) {
                    // it fails one way or the other
                }
            });
            sender.start();
            half.await();
            cutter.set(Thread.currentThread());
            assertThatThrownBy(pipeline::cut).hasMessageContaining("in the middle");
            sender.join();
        }
    }

    static Stream<PipelineOptions> everyMode() {
        return Stream.of(
                SMALL,
                SMALL.withMode(PipelineMode.INLINE, 2),
                SMALL.withMode(PipelineMode.LOCKED, 2),
                SMALL.withBatchMessages(3),
                SMALL.withMode(PipelineMode.INLINE, 2).withBatchMessages(1),
                SMALL.withPipeline(named("odd", "odd", 2)).withPipeline(named("even", "event", 2)),
                SMALL.withPipeline(named("odd", "odd", 2)).withBatchMessages(2));
    }

    private static PipelineOptions.Named named(String name, String topic, int parserWorkers) {
        return new PipelineOptions.Named(
                name,
                List.of(TopicPattern.of(topic)),
                new PipelineOptions.Stage(QueueKind.LBQ, 4, parserWorkers, WaitPolicy.BLOCKING),
                new PipelineOptions.Stage(QueueKind.LBQ, 4, 2, WaitPolicy.BLOCKING));
    }

    /** More threads than an inline pipeline has seats, batches of both topics, cuts and resets throughout. */
    @ParameterizedTest
    @MethodSource("everyMode")
    void shouldCountEveryMessageOnceInEveryMode(PipelineOptions options) throws Exception {
        int producers = 4;
        int batches = 500;
        int each = 7;
        long taken = 0;
        try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), options, RejectSink.NONE)) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                int first = p * batches * each;
                threads.add(new Thread(() -> {
                    try {
                        for (int b = 0; b < batches; b++) {
                            MessageBatch batch = pipeline.acquire();
                            for (int i = 0; i < each; i++) {
                                TopicMessages.append(
                                        batch, i % 2 == 0 ? "event" : "odd", Integer.toString(first + b * each + i));
                            }
                            pipeline.put(batch);
                        }
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                }));
            }
            threads.forEach(Thread::start);
            while (threads.stream().anyMatch(Thread::isAlive)) {
                pipeline.cut().release();
                Cut reset = pipeline.reset("A").orElseThrow();
                taken += totals(reset.summaries().get(0))[0];
                reset.release();
            }
            assertThat(failure.get()).isNull();
            pipeline.drain();
            Cut cut = pipeline.cut();
            long all = (long) producers * batches * each;
            assertThat(taken + totals(cut.summaries().get(0))[0]).isEqualTo(all);
            assertThat(totals(cut.summaries().get(1))).containsExactly(all, all * (all - 1) / 2);
            assertThat(cut.summaries().get(1).updates()).isEqualTo(all);
            assertThat(pipeline.ledger().processed()).isEqualTo(all);
            assertThat(pipeline.gauges().failures()).isZero();
            assertThat(pipeline.gauges().stateBytes()).isPositive();
        }
    }

    @Test
    void shouldTakeBatchesOfOnePipelineWhileAnotherIsFull() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch hold = new CountDownLatch(1);
        TwoSummaries plan = new TwoSummaries();
        plan.beforeMessage = message -> {
            if (message.length(MessageBatch.TOPIC) == "odd".length()) {
                busy.countDown();
                Waiting.uninterruptibly(hold::await);
            }
        };
        PipelineOptions options =
                options(QueueKind.LBQ, 1, QueueKind.LBQ, 1, WaitPolicy.BLOCKING).withPipeline(named("odd", "odd", 1));
        try (Pipeline pipeline = Pipeline.start(plan, options, RejectSink.NONE)) {
            int held = 0;
            MessageBatch refused;
            do {
                MessageBatch batch = pipeline.acquire();
                TopicMessages.append(batch, "odd", Integer.toString(held++));
                List<MessageBatch> parts = new ArrayList<>();
                pipeline.split(batch, parts::add);
                refused = parts.get(0);
                // Full only when the worker holds the first one: taking it later would make room.
            } while (pipeline.offer(refused) && busy.await(60, TimeUnit.SECONDS));
            CountDownLatch room = new CountDownLatch(1);
            pipeline.onRoom(refused, room::countDown);
            for (int b = 0; b < 100; b++) {
                pipeline.put(batch(pipeline, b, 7)); // of the default pipeline; waits forever if it were full
            }
            while (pipeline.ledger().processed() < 700) {
                Thread.onSpinWait();
            }
            long roomsWhileHeld = 1 - room.getCount();
            hold.countDown(); // before anything can fail, because closing waits for the worker
            assertThat(roomsWhileHeld).isZero();
            assertThat(room.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(pipeline.offer(refused)).isTrue();
            pipeline.drain();
            assertThat(pipeline.ledger().processed()).isEqualTo(700 + held);
            assertThat(pipeline.gauges().queues())
                    .extracting(gauge -> gauge.pipeline() + " " + gauge.queue())
                    .containsExactly("default parse", "odd parse", "default owner-0", "odd owner-1", "odd owner-2");
        }
    }

    /** Batches may be much larger than one read of a socket: compressed frames, a message index. */
    @Test
    void shouldTakeNoMoreBytesThanQueuesMayHold() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch hold = new CountDownLatch(1);
        TwoSummaries plan = new TwoSummaries();
        plan.beforeMessage = message -> {
            busy.countDown();
            Waiting.uninterruptibly(hold::await);
        };
        int large = 300_000;
        PipelineOptions options =
                options(QueueKind.LBQ, 1, QueueKind.LBQ, 1, WaitPolicy.BLOCKING).withQueueBytesMax(2L * 3 * large);
        try (Pipeline pipeline = Pipeline.start(plan, options, RejectSink.NONE)) {
            pipeline.put(batch(pipeline, 0, 1));
            assertThat(busy.await(60, TimeUnit.SECONDS)).isTrue();
            int taken = 1;
            MessageBatch refused;
            while (true) {
                refused = batch(pipeline, taken, 1);
                refused.ensureCapacity(large);
                if (!pipeline.offer(refused)) {
                    break;
                }
                taken++;
            }
            QueueGauge parse = pipeline.gauges().queues().get(0);
            int waiting = parse.size().getAsInt();
            long bytes = parse.bytes().getAsLong();
            CountDownLatch room = new CountDownLatch(1);
            pipeline.onRoom(refused, room::countDown);
            long roomWhileFull = 1 - room.getCount();
            hold.countDown(); // before anything can fail, because closing waits for the worker
            assertThat(waiting).isEqualTo(2).isLessThan(parse.capacity());
            assertThat(bytes).isBetween(2L * large, parse.bytesMax());
            assertThat(roomWhileFull).isZero();
            assertThat(room.await(60, TimeUnit.SECONDS)).isTrue();
            pipeline.put(refused);
            pipeline.drain();
            assertThat(pipeline.ledger().now().total().received()).isEqualTo(taken + 1);
            pipeline.cut().release(); // owners have done all
            assertThat(pipeline.gauges().queues())
                    .allMatch(queue -> queue.bytes().getAsLong() == 0);
        }
    }

    /** With room for a single batch of updates, or for none of the usual size, everything gets through. */
    @Test
    void shouldGetEverythingThroughQueuesThatAreTooSmall() throws Exception {
        for (QueueKind kind : QueueKind.forSingleConsumers()) {
            PipelineOptions options =
                    options(QueueKind.LBQ, 2, kind, 2, WaitPolicy.BLOCKING).withQueueBytesMax(1);
            try (Pipeline pipeline = Pipeline.start(new TwoSummaries(), options, RejectSink.NONE)) {
                putBatches(pipeline, 0, 50, 40);
                assertThat(checkPrefix(pipeline.cut(), 1, 2_000)).isEqualTo(2_000);
            }
        }
    }

    @Test
    void shouldProcessEverythingHandedOverBeforeItCloses() throws Exception {
        TwoSummaries plan = new TwoSummaries();
        Pipeline pipeline = Pipeline.start(plan, SMALL, RejectSink.NONE);
        for (int b = 0; b < 100; b++) {
            pipeline.put(batch(pipeline, b, 1));
        }
        pipeline.close();
        assertThat(pipeline.ledger().processed()).isEqualTo(100);
        pipeline.close();
    }

    /** A batch to be offered at once. */
    private static MessageBatch batch(Pipeline pipeline, int first, int count) {
        MessageBatch batch = filled(pipeline, first, count);
        pipeline.clock().stamp(batch);
        return batch;
    }

    private static MessageBatch filled(Pipeline pipeline, int first, int count) {
        MessageBatch batch = pipeline.acquire();
        for (int i = 0; i < count; i++) {
            TopicMessages.append(batch, "event", Integer.toString(first + i));
        }
        return batch;
    }

    private static String frame(IMessage message) {
        return new String(
                message.bytes(), message.offset(MessageBatch.FRAME), message.length(MessageBatch.FRAME), UTF_8);
    }

    /** Sums of the count column and of the sum column. */
    private static long[] totals(SummaryView summary) {
        long count = 0;
        long sum = 0;
        for (StoreView partition : summary.partitions()) {
            RowCursor rows = partition.cursor();
            while (rows.next()) {
                count += rows.longValue(0);
                sum += rows.longValue(1);
            }
        }
        return new long[] {count, sum};
    }

    private static class TwoSummaries implements Plan {
        private static SummaryLayout layout(String name) {
            return new SummaryLayout(
                    name,
                    0,
                    List.of(new SummaryLayout.KeyColumn("k", 1, KeyType.INT64)),
                    List.of(
                            new SummaryLayout.ValueColumn("n", 1, AggregateType.COUNT, 0, 0),
                            new SummaryLayout.ValueColumn("s", 2, AggregateType.SUMINT64, 0, 0)),
                    List.of());
        }

        void beforeEach() {}

        Consumer<IMessage> beforeMessage = message -> {};

        void beforeRow() {}

        @Override
        public List<SummaryLayout> summaries() {
            return List.of(layout("A"), layout("B"));
        }

        @Override
        public RowCode.Tree rowCode(int summary) {
            RowCode.Tree tree = TableRowCode.of(summaries().get(summary));
            RowCode code = tree.rows();
            RowCode observed = new RowCode() {
                @Override
                public boolean hasKey(byte[] row, int base, byte[] bytes, int key) {
                    return code.hasKey(row, base, bytes, key);
                }

                @Override
                public int update(
                        StoreTables tables, int id, byte[] row, int base, byte[] ops, int from, int end, long stamp) {
                    beforeRow();
                    return code.update(tables, id, row, base, ops, from, end, stamp);
                }
            };
            return new RowCode.Tree(observed, tree.nested());
        }

        @Override
        public List<Event> events() {
            return List.of(new Event(
                    "E",
                    List.of(TopicPattern.of("event"), TopicPattern.of("odd")),
                    "text",
                    List.of(new Mapping("E->A", 0, List.of()), new Mapping("E->B", 1, List.of()))));
        }

        @Override
        public EventProgram newProgram(int event) {
            ProgramCounts counts = new ProgramCounts(2);
            KeyBuffer key = new KeyBuffer(new KeyLayout(layout("A").keys()));
            return new EventProgram() {
                @Override
                public @org.jspecify.annotations.Nullable String process(
                        IMessage message, boolean[] active, UpdateRouter router) {
                    beforeEach();
                    beforeMessage.accept(message);
                    String payload = new String(
                            message.bytes(),
                            message.offset(MessageBatch.PAYLOAD),
                            message.length(MessageBatch.PAYLOAD),
                            UTF_8);
                    if (payload.equals("bad")) {
                        return "not a number";
                    }
                    long value = payload.equals("bug") ? 0 : Long.parseLong(payload);
                    for (int summary = 0; summary < 2; summary++) {
                        key.reset();
                        key.setLong(0, value % (summary == 0 ? 100 : 17));
                        UpdateBatch updates = router.batchFor(summary, key.hash());
                        updates.beginRow(summary, summary, key, key.hash(), message.arrivalStamp());
                        if (payload.equals("bug") && summary == 1) {
                            counts.tooLong++; // found before the fault, and refused with all else of the message
                            throw new IllegalStateException("a bug");
                        }
                        updates.addLong(0, 1);
                        updates.addLong(1, value);
                        updates.endRow();
                        counts.countApplied(summary);
                    }
                    return null;
                }

                @Override
                public ProgramCounts counts() {
                    return counts;
                }
            };
        }
    }
}
