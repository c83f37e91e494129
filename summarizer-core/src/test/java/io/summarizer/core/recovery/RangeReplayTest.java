package io.summarizer.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.Seeds;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.journal.SimulatedJournals;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.message.RecordRule.Source;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.Cut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Recoveries from journals that have messages, and ranges of Kafka records in their place. */
class RangeReplayTest {
    private static final SumPlan PLAN = new SumPlan(1, List.of("A"));
    private static final JournalOptions JOURNAL = new JournalOptions(64 << 10, 512 << 10, Compression.NONE);
    private static final PipelineOptions OPTIONS = PipelineOptions.DEFAULT.withMode(PipelineMode.LOCKED, 1);
    private static final RecordRule RULE = new RecordRule(Source.SYSLOG, "", 1024);
    private static final int KAFKA = 3;
    private static final int RELP = 1;

    /** The records of each partition, by offset: each a key and a value. */
    private final Map<Integer, Map<Long, long[]>> broker = new TreeMap<>();

    private final long seed = Seeds.first();
    private final Random random = new Random(seed);
    private final SimulatedDisk disk = new SimulatedDisk(random);
    /** The sum of the values of each key that the rows should have. */
    private final Map<Long, Long> expected = new TreeMap<>();

    private static Partition partition(int number) {
        return new Partition(7, 8, "events", number);
    }

    private Journal journal() throws IOException {
        return SimulatedJournals.open(disk.folder("journal"), JOURNAL, random::nextInt);
    }

    private Map<Long, long[]> records(int partition) {
        return broker.computeIfAbsent(partition, number -> new TreeMap<>());
    }

    private void produce(int partition, long offset, long key, long value) {
        records(partition).put(offset, new long[] {key, value});
    }

    /** Makes a batch of the records at these offsets. */
    private MessageBatch batch(int partition, long... offsets) {
        MessageBatch batch = new MessageBatch(1024);
        int[] relative = new int[offsets.length];
        for (int i = 0; i < offsets.length; i++) {
            long[] record = Objects.requireNonNull(records(partition).get(offsets[i]));
            SumPlan.add(batch, "x", record[0], record[1]);
            relative[i] = (int) (offsets[i] - offsets[0]);
        }
        batch.range(KafkaRange.of(partition(partition), RULE, offsets[0], relative, offsets.length));
        batch.listener(KAFKA);
        return batch;
    }

    /** The records that the broker still has. */
    private void read(KafkaRange range, MessageBatch batch) {
        for (int i = 0; i < range.count(); i++) {
            long[] record = records(range.partition().number()).get(range.offset(i));
            if (record != null) {
                SumPlan.add(batch, "x", record[0], record[1]);
                batch.ordinal(batch.count() - 1, i);
            }
        }
    }

    private long stamp = 1;

    private void append(Journal journal, MessageBatch batch) throws IOException {
        batch.firstStamp(stamp);
        stamp += batch.count();
        journal.append(batch, TopicRule.MSGID);
        journal.sync();
    }

    private PipelineRecovery open(Journal journal) throws Exception {
        return PipelineRecovery.open(
                Checkpoints.open(disk.folder("checkpoints"), 1, note -> {}),
                journal,
                name -> PLAN,
                () -> new PipelineRecovery.Beginning("plan", PLAN, PLAN.newSummaries(1_000)),
                OPTIONS,
                RejectSink.NONE,
                1,
                new RecoveryProgress(),
                note -> {});
    }

    private record Recovered(Map<Long, Long> sums, LedgerCounts ledger, KafkaOffsets offsets) {}

    private Recovered recover(boolean checkpoint) throws Exception {
        Journal journal = journal();
        PipelineRecovery recovery = open(journal);
        try (Pipeline pipeline = recovery.pipeline()) {
            pipeline.ledger().name(KAFKA, "kafka");
            pipeline.ledger().name(RELP, "relp");
            recovery.replay(
                    null,
                    (range, batch, cancelled) -> read(range, batch),
                    recovery.pipeline().plan(),
                    0);
            if (checkpoint) {
                Checkpoints checkpoints = Checkpoints.open(disk.folder("checkpoints"), 1, note -> {});
                DurableControls durable =
                        new DurableControls(recovery, checkpoints, journal, null, names -> {}, () -> {}, () -> {});
                assertThat(durable.checkpoint(true)).isPresent();
            }
            LedgerCounts ledger = LedgerAssert.assertSettled(pipeline);
            Cut cut = pipeline.cut();
            try {
                Map<Long, Long> sums = new TreeMap<>();
                Objects.requireNonNull(SumPlan.sums(cut).get("A")).forEach((key, sum) -> sums.put(key, sum.sum()));
                return new Recovered(sums, ledger, recovery.offsets());
            } finally {
                cut.release();
            }
        } finally {
            SimulatedJournals.discard(journal);
        }
    }

    private static String kafka(Recovered recovered) {
        return recovered.ledger().listeners().stream()
                .filter(account -> account.name().equals("kafka"))
                .findFirst()
                .orElseThrow()
                .toString();
    }

    @Test
    void shouldApplyRecordsOfRangesAndMessagesOnce() throws Exception {
        for (long offset = 10; offset < 13; offset++) {
            produce(0, offset, 1, 100);
            produce(1, offset, 2, 10);
        }
        try (Journal journal = journal()) {
            append(journal, batch(0, 10, 11));
            MessageBatch relp = new MessageBatch(1024);
            relp.listener(RELP);
            SumPlan.add(relp, "x", 1, 7);
            append(journal, relp);
            append(journal, batch(1, 10, 11, 12));
            append(journal, batch(0, 12));
        }
        for (boolean checkpoint : new boolean[] {false, true, true, false}) {
            Recovered recovered = recover(checkpoint);
            assertThat(recovered.sums()).isEqualTo(Map.of(1L, 307L, 2L, 30L));
            assertThat(kafka(recovered)).isEqualTo("kafka: received=6 applied=6");
            assertThat(recovered.offsets().all()).isEqualTo(Map.of(partition(0), 13L, partition(1), 13L));
        }
    }

    @Test
    void shouldCountRecordsThatAreGoneAsLostOnce() throws Exception {
        for (long offset = 0; offset < 10; offset++) {
            produce(0, offset, offset, 1);
        }
        try (Journal journal = journal()) {
            append(journal, batch(0, 0, 1, 2, 5, 7));
        }
        records(0).remove(2L);
        records(0).remove(7L);
        for (boolean checkpoint : new boolean[] {false, true, false}) {
            Recovered recovered = recover(checkpoint);
            assertThat(recovered.sums()).isEqualTo(Map.of(0L, 1L, 1L, 1L, 5L, 1L));
            assertThat(kafka(recovered)).isEqualTo("kafka: received=5 applied=3 lost=2");
            assertThat(recovered.offsets().all()).isEqualTo(Map.of(partition(0), 8L));
        }
    }

    @Test
    void shouldKnowWhereAPartitionBeginsBeforeItsFirstRecord() throws Exception {
        try (Journal journal = journal()) {
            MessageBatch beginning = new MessageBatch(16);
            beginning.range(KafkaRange.beginning(partition(4), RULE, 1_000));
            append(journal, beginning);
        }
        for (boolean checkpoint : new boolean[] {false, true, false}) {
            KafkaOffsets offsets = recover(checkpoint).offsets();
            assertThat(offsets.next(partition(4))).isEqualTo(OptionalLong.of(1_000));
            assertThat(offsets.next(partition(5))).isEmpty();
        }
    }

    @Test
    void shouldNotStartWithoutTheRecordsThatOnlyABrokerHas() throws Exception {
        produce(0, 0, 1, 1);
        try (Journal journal = journal()) {
            append(journal, batch(0, 0));
        }
        Journal journal = journal();
        PipelineRecovery recovery = open(journal);
        try (Pipeline pipeline = recovery.pipeline()) {
            assertThat(pipeline.ledger().lost()).isZero();
            assertThatThrownBy(() -> recovery.replay(
                            null, RangeSource.NONE, recovery.pipeline().plan(), 0))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("events", "listen.kafka.brokers");
        } finally {
            SimulatedJournals.discard(journal);
        }
    }

    /** Histories of random batches, recoveries and checkpoints; records disappear now and then. */
    @Test
    void shouldAgreeWithAModelInRandomHistories() throws Exception {
        Map<Integer, Long> ends = new TreeMap<>();
        for (int round = 0; round < Seeds.count(20); round++) {
            try (Journal journal = journal()) {
                for (int i = random.nextInt(6); i >= 0; i--) {
                    if (random.nextInt(3) == 0) {
                        MessageBatch relp = new MessageBatch(1024);
                        relp.listener(RELP);
                        long key = random.nextInt(5);
                        SumPlan.add(relp, "x", key, 1);
                        expected.merge(key, 1L, Long::sum);
                        append(journal, relp);
                    } else {
                        append(journal, random(ends));
                    }
                }
            }
            Recovered recovered = recover(random.nextInt(3) == 0);
            assertThat(recovered.sums()).as(Seeds.replay(seed)).isEqualTo(expected);
            recovered
                    .offsets()
                    .all()
                    .forEach((partition, next) ->
                            assertThat(next).as(Seeds.replay(seed)).isEqualTo(ends.get(partition.number())));
        }
    }

    /** A range of one of three partitions, with holes in its offsets. */
    private MessageBatch random(Map<Integer, Long> ends) {
        int partition = random.nextInt(3);
        TreeSet<Long> offsets = new TreeSet<>();
        long next = ends.getOrDefault(partition, 0L);
        for (int i = random.nextInt(8); i >= 0; i--) {
            next += random.nextInt(4) == 0 ? random.nextInt(400) : 0;
            long key = random.nextInt(5);
            long value = random.nextInt(100);
            produce(partition, next, key, value);
            expected.merge(key, value, Long::sum);
            offsets.add(next++);
        }
        ends.put(partition, next);
        List<Long> ordered = new ArrayList<>(offsets);
        return batch(partition, ordered.stream().mapToLong(Long::longValue).toArray());
    }
}
