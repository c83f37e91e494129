package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.SumPlan.Sum;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.time.CalendarUnit;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An evaluator, and the owners of ranges of partitions that it sends updates to. */
class EvaluatorTest {
    private static final long MINUTE = 60_000_000;
    private static final long TIME = 1_700_000_040_000_000L; // a whole minute
    private static final Partitions PARTITIONS = Partitions.of(32);
    private static final PipelineOptions OPTIONS = PipelineOptions.DEFAULT;

    private final List<RangeOwner> owners = new ArrayList<>();
    private int handedOver;

    private Evaluator start(Plan plan, int... ends) {
        int first = 0;
        for (int end : ends) {
            owners.add(new RangeOwner(
                    plan, OPTIONS, plan.newSummaries(PARTITIONS.range(first, end), OPTIONS), SavedIds.none()));
            first = end;
        }
        return new Evaluator(plan, OPTIONS, PARTITIONS, SavedIds.none(), this::apply, RejectSink.NONE);
    }

    private void apply(int partition, UpdateBatch updates) {
        handedOver++;
        for (int at = 0; at < updates.limit(); at += Bytes.getInt(updates.bytes(), at)) {
            assertThat(PARTITIONS.of(Bytes.getLong(updates.bytes(), at + UpdateBatch.HASH_OFFSET)))
                    .isEqualTo(partition);
        }
        for (RangeOwner owner : owners) {
            if (owner.here().first() <= partition && partition < owner.here().end()) {
                owner.apply(updates);
            }
        }
    }

    private static MessageBatch batch(int source, long stamp) {
        MessageBatch batch = new MessageBatch(1024);
        batch.firstStamp(stamp);
        batch.source(source);
        return batch;
    }

    private Map<Long, Sum> rows(String summary) {
        Map<Long, Sum> rows = new TreeMap<>();
        for (RangeOwner owner : owners) {
            RangeOwner.Frozen frozen = owner.freeze();
            rows.putAll(
                    SumPlan.rows(frozen.rows(owner.here().first(), owner.here().end(), 1, 1), summary));
            frozen.release();
        }
        return rows;
    }

    private LedgerCounts ownersCounts() {
        return owners.stream().map(RangeOwner::counts).reduce(LedgerCounts.NONE, LedgerCounts::plus);
    }

    @Test
    void eachPartitionGetsItsUpdatesAndRowsAreThoseOfTheMessages() throws InterruptedException {
        long seed = Seeds.first();
        System.out.println(Seeds.replay(seed));
        Random random = new Random(seed);
        Evaluator evaluator = start(new SumPlan(3, List.of("A", "B")), 1, 7, 32);
        Map<Long, Sum> expected = new TreeMap<>();
        int sent = 0;
        for (int i = 0; i < 50; i++) {
            MessageBatch batch = batch(i % 3, TIME + i * 1000L);
            for (int left = 1 + random.nextInt(100); left > 0; left--) {
                long key = random.nextInt(200);
                long value = random.nextInt(1000);
                SumPlan.add(batch, "t", key, value);
                expected.merge(key, new Sum(1, 3 * value), Sum::plus);
                sent++;
            }
            SumPlan.addBad(batch, "t");
            evaluator.process(batch);
        }
        evaluator.flush();
        int before = handedOver;
        evaluator.flush();
        assertThat(handedOver).isEqualTo(before).isPositive();
        assertThat(rows("A")).isEqualTo(expected);
        assertThat(rows("B")).isEqualTo(expected);
        LedgerCounts counts = evaluator.counts();
        assertThat(counts.total().received()).isEqualTo(sent + 50);
        assertThat(counts.total().decided()).isEqualTo(sent + 50);
        assertThat(counts.total().count(Fate.PAYLOAD)).isEqualTo(50);
        assertThat(counts.intoSummary("A").count(Fate.APPLIED)).isEqualTo(sent);
        assertThat(evaluator.faults()).isZero();
    }

    @Test
    void aFaultLosesNoUpdateOfAnotherSourceWithTheSameStamp() throws InterruptedException {
        Evaluator evaluator = start(new SumPlan(1, List.of("A")), 32);
        MessageBatch first = batch(0, TIME);
        SumPlan.add(first, "t", 1, 10);
        SumPlan.add(first, "t", 1, 20);
        evaluator.process(first);
        MessageBatch second = batch(1, TIME - 1);
        SumPlan.add(second, "t", 1, 40);
        SumPlan.addFaulty(second, "t", 1); // it has the stamp of the first message
        evaluator.process(second);
        evaluator.flush();
        assertThat(evaluator.faults()).isEqualTo(1);
        assertThat(rows("A")).isEqualTo(Map.of(1L, new Sum(3, 70)));
    }

    @Test
    void eachRefusedUpdateIsCountedAlsoWhenSourcesHaveEqualStamps() throws InterruptedException {
        SummaryLayout whole = new SumPlan(1, List.of("A")).summaries().get(0);
        SummaryLayout limited = new SummaryLayout(
                "A", 0, whole.keys(), whole.values(), List.of(), new SummaryLimit(1, 0, SummaryLimit.Overflow.REJECT));
        Evaluator evaluator = start(SumPlan.of(1, List.of(limited)), 32);
        for (int source = 0; source < 3; source++) {
            MessageBatch batch = batch(source, TIME);
            for (int key = 0; key < 300; key++) {
                SumPlan.add(batch, "t", 1000L * source + key, 1);
            }
            evaluator.process(batch);
        }
        evaluator.flush();
        assertThat(rows("A").values()).containsOnly(new Sum(1, 1));
        long refused = 3L * 300 - rows("A").size();
        LedgerCounts counts = ownersCounts();
        assertThat(counts.intoSummary("A").count(Fate.LIMIT)).isEqualTo(refused);
        assertThat(counts.total().received()).isZero(); // messages are counted where they are evaluated
        assertThat(evaluator.counts().plus(counts).intoSummary("A").count(Fate.APPLIED))
                .isEqualTo(rows("A").size());
        assertThat(evaluator.counts().total().count(Fate.APPLIED)).isEqualTo(900);
    }

    @Test
    void closedWindowsAreApartWithTheirOverflowUntilTheyAreDropped() throws InterruptedException {
        SummaryLayout windowed = SumPlan.windowed(
                "W",
                new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC),
                new SummaryLimit(2, 0, SummaryLimit.Overflow.OTHER));
        Evaluator evaluator = start(SumPlan.of(1, List.of(windowed, windowed.overflow())), 10, 32);
        send(evaluator, TIME);
        send(evaluator, TIME + MINUTE);
        owners.forEach(owner -> owner.closeBefore(0, TIME + MINUTE));
        send(evaluator, TIME); // late
        assertThat(ownersCounts().intoSummary("W").count(Fate.LATE)).isEqualTo(100);
        assertThat(closed()).isEqualTo(100);
        assertThat(open()).isEqualTo(100);
        owners.forEach(owner -> owner.dropBefore(0, TIME + MINUTE));
        assertThat(closed()).isZero();
        assertThat(open()).isEqualTo(100);
        owners.forEach(owner -> assertThat(owner.boundary(0)).isEqualTo(TIME + MINUTE));
    }

    private static void send(Evaluator evaluator, @Nullable Long time) throws InterruptedException {
        MessageBatch batch = batch(0, TIME + MINUTE);
        for (int key = 0; key < 100; key++) {
            SumPlan.add(batch, "t", key, 1, time);
        }
        evaluator.process(batch);
        evaluator.flush();
    }

    /** Number of updates in rows of closed windows, with overflow. */
    private long closed() {
        long updates = 0;
        for (RangeOwner owner : owners) {
            RangeOwner.Frozen frozen = owner.freeze();
            for (RangeOwner.Frozen.ClosedRows rows : frozen.closed(1, 1)) {
                assertThat(rows.start()).isEqualTo(TIME);
                assertThat(rows.end()).isEqualTo(TIME + MINUTE);
                assertThat(rows.cut().summaries().get(0).layout().name()).isEqualTo("W");
                updates += updates(rows.cut());
            }
            frozen.release();
        }
        return updates;
    }

    private long open() {
        long updates = 0;
        for (RangeOwner owner : owners) {
            RangeOwner.Frozen frozen = owner.freeze();
            updates += updates(frozen.rows(owner.here().first(), owner.here().end(), 1, 1));
            frozen.release();
        }
        return updates;
    }

    private static long updates(Cut cut) {
        long updates = 0;
        for (var summary : cut.summaries()) {
            for (var partition : summary.partitions()) {
                for (var cursor = partition.cursor(); cursor.next(); ) {
                    updates += cursor.longValue(0);
                }
            }
        }
        return updates;
    }
}
