package io.summarizer.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Control;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.journal.SimulatedJournals;
import io.summarizer.core.journal.WindowClose;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.message.RecordRule.Source;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.pipeline.WindowOptions;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.window.Backlog;
import io.summarizer.core.window.InputName;
import io.summarizer.core.window.WatermarkPart;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process with bounds of two open windows and four rows has minute after minute with two rows. Each minute closes and
 * gets a file before the next but one begins, so nothing is rejected.
 */
@Timeout(60)
class WindowReplayTest {
    private static final String NAME = "W";
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final RecordRule RULE = new RecordRule(Source.SYSLOG, "", 1024);
    private static final long START = 28_000_000 * MINUTE;
    private static final int MINUTES = 10;
    private static final long LATER = START + 1_000 * MINUTE;
    private PipelineOptions options = PipelineOptions.DEFAULT
            .withMode(PipelineMode.LOCKED, 1)
            .withMaxRows(4)
            .withWindows(new WindowOptions(2, MINUTE, MINUTE));

    private SumPlan plan = keep(SummaryWindow.FOR_EVER);
    /** The plans of later definitions, by name. */
    private final Map<String, SumPlan> later = Map.of(
            "short", keep(MINUTE),
            "for ever", keep(SummaryWindow.FOR_EVER),
            "wide", windows(5, SummaryWindow.FOR_EVER),
            "renamed", windows("V", 1, SummaryWindow.FOR_EVER));
    /** The definitions in force after a replay; null means the first ones. */
    private @Nullable SumPlan last;

    private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
    private long sequence;
    /** The times of Kafka records, by offset; offsets ascend over all partitions. */
    private final List<Long> records = new ArrayList<>();

    private static SumPlan keep(long keepMicros) {
        return windows(1, keepMicros);
    }

    private static SumPlan windows(int minutes, long keepMicros) {
        return windows(NAME, minutes, keepMicros);
    }

    private static SumPlan windows(String name, int minutes, long keepMicros) {
        return SumPlan.of(
                1,
                List.of(SumPlan.windowed(
                        name,
                        new SummaryWindow(0, minutes, CalendarUnit.MINUTE, ZoneOffset.UTC, 0, keepMicros),
                        SummaryLimit.DEFAULT)));
    }

    /** A process that uses the disk. */
    private final class Life implements AutoCloseable {
        final Journal journal;
        final Checkpoints checkpoints;
        final Pipeline pipeline;
        final WindowCloser closer;

        Life() throws Exception {
            journal = SimulatedJournals.open(
                    disk.folder("journal"), new JournalOptions(64 << 10, 1 << 20, Compression.NONE), () -> 7);
            checkpoints = Checkpoints.open(disk.folder("checkpoints"), 1, note -> {});
            WindowFolders folders = WindowFolders.open(List.of(NAME), name -> disk.folder("windows"), 1, note -> {});
            PipelineRecovery recovery = PipelineRecovery.open(
                    checkpoints,
                    journal,
                    name -> later.getOrDefault(name, plan),
                    () -> new PipelineRecovery.Beginning("one", plan, plan.newSummaries(options)),
                    options,
                    RejectSink.NONE,
                    1,
                    new RecoveryProgress(),
                    note -> {});
            pipeline = recovery.pipeline();
            recovery.replay(
                    folders, (range, batch, cancelled) -> readAgain(range, batch), last == null ? plan : last, LATER);
            pipeline.useFiles(folders);
            closer = new WindowCloser(
                    pipeline,
                    new WindowCloser.Controls() {
                        @Override
                        public boolean closeWindows(String summary, long before)
                                throws IOException, InterruptedException {
                            return close(summary, before);
                        }

                        @Override
                        public ClosedWindow put(String summary, DurableControls.Put put) {
                            throw new IllegalStateException("no window is put");
                        }

                        @Override
                        public Optional<DurableControls.Written> checkpoint(boolean anyway) {
                            throw new IllegalStateException("all is journalled");
                        }

                        @Override
                        public void awaitDurable() {}

                        @Override
                        public void lookAtJournal(Backlog backlog, long clock) {
                            backlog.look(0, 0, clock);
                        }
                    },
                    folders,
                    true);
            closer.begin();
        }

        /** Two rows of a minute, which close the minute before. */
        void minute(int minute) throws Exception {
            send(minute);
            step(minute);
        }

        void step(int minute) throws Exception {
            closer.closeDue(0);
            closer.write(START + minute * MINUTE);
        }

        /** Lets the closer look every second. */
        void stepUntil(int fromSecond, int untilSecond) throws Exception {
            for (int second = fromSecond; second <= untilSecond; second++) {
                closer.closeDue(second * SECOND);
                closer.write(START + MINUTE);
            }
        }

        /** A row from a Kafka partition, journalled as a range. */
        void sendFromKafka(int partition, int minute) throws Exception {
            MessageBatch batch = fromKafka(partition, minute);
            assertThat(journal.append(batch, TopicRule.MSGID)).isEqualTo(sequence);
            journal.sync();
            pipeline.expect(batch);
            take(batch);
        }

        /** The batch of one record, which was fetched but not handed over. */
        MessageBatch fromKafka(int partition, int minute) {
            long offset = records.size();
            records.add(START + minute * MINUTE);
            KafkaRange range = KafkaRange.of(new Partition(7, 8, "orders", partition), RULE, offset, new int[1], 1);
            MessageBatch batch = pipeline.acquire();
            readAgain(range, batch);
            batch.range(range);
            batch.firstStamp(START + minute * MINUTE + 1);
            return batch;
        }

        void take(MessageBatch batch) throws Exception {
            batch.firstSequence(sequence++);
            pipeline.put(batch);
            pipeline.drain();
        }

        private void readAgain(KafkaRange range, MessageBatch batch) {
            for (int i = 0; i < range.count(); i++) {
                SumPlan.add(batch, "t", range.partition().number(), 1, records.get((int) range.offset(i)));
            }
        }

        void expectOpen(Integer... minutes) {
            assertThat(pipeline.windows().get(0).inMemory())
                    .containsExactly(Stream.of(minutes)
                            .map(minute -> START + minute * MINUTE)
                            .toArray(Long[]::new));
        }

        void send(int minute) throws Exception {
            send(minute, 2);
        }

        /** Two rows of a minute, of which the messages arrive {@code later} than the time of their events. */
        void send(int minute, long later) throws Exception {
            long time = START + minute * MINUTE;
            for (boolean durable : new boolean[] {false, true}) {
                MessageBatch batch = pipeline.acquire();
                SumPlan.add(batch, "t", 1, minute, time);
                SumPlan.add(batch, "t", 2, minute, time + 1);
                batch.firstStamp(time + later);
                if (durable) {
                    batch.firstSequence(sequence);
                    sequence += 2;
                    pipeline.put(batch);
                    pipeline.drain();
                } else {
                    assertThat(journal.append(batch, TopicRule.MSGID)).isEqualTo(sequence);
                    journal.sync();
                    pipeline.release(batch);
                }
            }
        }

        private boolean close(String summary, long before) throws IOException, InterruptedException {
            Pipeline.Closed closed = pipeline.closeWindows(summary, before).orElse(null);
            if (closed != null) {
                var unused = journal.appendControl(new Control(
                        Control.Kind.CLOSE,
                        summary,
                        closed.positions(),
                        new WindowClose(closed.boundaryBefore(), before, List.of())));
                journal.sync();
            }
            return closed != null;
        }

        void reload(String name) throws Exception {
            Pipeline.Reload reload = pipeline.reload(later.getOrDefault(name, plan));
            var unused = journal.appendControl(new Control(Control.Kind.DEFINITIONS, name, reload.positions()));
            journal.sync();
        }

        void checkpoint() throws Exception {
            Cut cut = pipeline.cut(CutLease.Kind.CHECKPOINT);
            try {
                CheckpointInfo info =
                        new CheckpointInfo("one", pipeline.topics(), cut.positions(), journal.syncedControls());
                checkpoints.write(
                        new Cut(1, 0, cut.summaries(), CutLease.unmanaged(), cut.positions(), cut.parts()),
                        info,
                        WatermarkPart.of(pipeline.marks()));
            } finally {
                cut.release();
            }
        }

        void expectAll(int minutes) throws Exception {
            assertThat(LedgerAssert.assertSettled(pipeline).total().count(Fate.APPLIED))
                    .isEqualTo(2L * minutes);
            assertThat(pipeline.windows().get(0).inMemory()).containsExactly(START + (minutes - 1) * MINUTE);
        }

        @Override
        public void close() throws IOException {
            SimulatedJournals.discard(journal);
            pipeline.close();
        }
    }

    /** The next process, which starts with other definitions. */
    private Life restarted(String definitions) throws Exception {
        disk.restart();
        last = later.getOrDefault(definitions, plan);
        return new Life();
    }

    /** The rows of a window that has a file count in no bound, also when the journal has its events and its close. */
    @Test
    void shouldRejectNothingInTheReplayThatWasAppliedBefore() throws Exception {
        try (Life life = new Life()) {
            for (int minute = 0; minute < MINUTES; minute++) {
                life.minute(minute);
            }
            life.expectAll(MINUTES);
        }
        disk.restart();
        try (Life next = new Life()) {
            next.expectAll(MINUTES);
            next.minute(MINUTES);
            next.expectAll(MINUTES + 1);
        }
    }

    /** Windows that end longer ago than {@code keep} close without files; their rows count in no bound, either. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDropInTheReplayWhatNeedNotBeKept(boolean checkpoint) throws Exception {
        plan = keep(MINUTE);
        try (Life life = new Life()) {
            for (int minute = 0; minute < MINUTES; minute++) {
                life.send(minute);
                if (checkpoint && minute == 1) {
                    life.checkpoint();
                }
                life.closer.closeDue(0);
                life.closer.write(LATER);
            }
            life.expectAll(MINUTES);
        }
        assertThat(disk.folder("windows").list()).isEmpty();
        disk.restart();
        try (Life next = new Life()) {
            next.expectAll(MINUTES);
        }
    }

    /** The files of closed windows had expired when the definitions got other windows. */
    @Test
    void shouldTakeOtherWindowsAgainOfWhichNoFileIsLeft() throws Exception {
        try (Life life = new Life()) {
            life.minute(0);
            assertThat(life.close(NAME, START + MINUTE)).isTrue();
            life.closer.write(START + MINUTE);
            assertThat(disk.folder("windows").list()).hasSize(1);
            life.reload("short");
            life.closer.write(LATER);
            assertThat(disk.folder("windows").list()).isEmpty();
            life.reload("wide");
            life.send(10);
            life.expectOpen(10);
        }
        try (Life next = restarted("wide")) {
            next.expectOpen(10);
            assertThat(LedgerAssert.assertSettled(next.pipeline).total().count(Fate.APPLIED))
                    .isEqualTo(4);
        }
    }

    /** A window had no file yet when other definitions kept files for longer. */
    @Test
    void shouldKeepInTheReplayWhatLaterDefinitionsKeep() throws Exception {
        plan = keep(MINUTE);
        try (Life life = new Life()) {
            life.send(0);
            life.send(1);
            life.closer.closeDue(0); // the disk takes no file of the first minute
            life.reload("for ever");
            life.expectOpen(0, 1);
        }
        try (Life next = restarted("for ever")) {
            next.expectOpen(0, 1);
            next.closer.write(LATER);
            next.expectOpen(1);
        }
        assertThat(disk.folder("windows").list()).hasSize(1);
    }

    /** Old events: their windows had expired when they closed, before the definitions kept windows for longer. */
    @Test
    void shouldNotKeepInTheReplayWhatHadExpiredBefore() throws Exception {
        plan = keep(MINUTE);
        try (Life life = new Life()) {
            for (int minute = 0; minute < 5; minute++) {
                life.send(minute, LATER - START);
                life.closer.closeDue(0);
                life.closer.write(LATER);
            }
            life.reload("for ever");
            life.send(5, LATER - START);
            life.closer.closeDue(0);
            life.closer.write(LATER);
            life.expectOpen(5);
        }
        try (Life next = restarted("for ever")) {
            next.expectAll(6);
        }
    }

    /** The files of windows were deleted when the definitions kept them for a shorter time. */
    @Test
    void shouldNotKeepInTheReplayWhatHasExpiredSince() throws Exception {
        try (Life life = new Life()) {
            for (int minute = 0; minute < 5; minute++) {
                life.minute(minute);
            }
            life.reload("short");
            life.closer.write(LATER);
            life.send(5);
            life.closer.closeDue(0);
            life.closer.write(LATER);
            life.expectOpen(5);
        }
        try (Life next = restarted("short")) {
            next.expectAll(6);
        }
    }

    /** The clock of the last process was far ahead, so the stamps are after the present time. */
    @Test
    void shouldNotTakeAWrongClockForThePast() throws Exception {
        plan = keep(2_000 * MINUTE);
        try (Life life = new Life()) {
            life.send(0, 5_000 * MINUTE);
            life.send(1, 5_000 * MINUTE);
            life.closer.closeDue(0); // the disk takes no file of the first minute
            life.expectOpen(0, 1);
        }
        disk.restart();
        try (Life next = new Life()) {
            next.expectOpen(0, 1);
        }
    }

    /** A summary loses its overflow; its closed window, which has no file yet, stays. */
    @Test
    void shouldKeepASummaryThatLosesItsOverflow() throws Exception {
        SummaryLayout layout = SumPlan.windowed(
                NAME,
                new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC, 0, SummaryWindow.FOR_EVER),
                new SummaryLimit(100, 0, SummaryLimit.Overflow.OTHER));
        plan = SumPlan.of(1, List.of(layout, layout.overflow()));
        try (Life life = new Life()) {
            life.send(0);
            life.send(1);
            life.closer.closeDue(0);
            life.reload("for ever");
            life.expectOpen(0, 1);
        }
        try (Life next = restarted("for ever")) {
            next.expectOpen(0, 1);
        }
    }

    /** A summary got another name when all its rows were in files, and the files are gone. */
    @Test
    void shouldTakeAnotherNameAgainWhenNoFileIsLeft() throws Exception {
        try (Life life = new Life()) {
            life.minute(0);
            assertThat(life.close(NAME, START + MINUTE)).isTrue();
            life.closer.write(START + MINUTE);
            life.reload("renamed");
            life.send(10);
        }
        disk.restart();
        for (String file : disk.folder("windows").list()) {
            disk.folder("windows").delete(file);
        }
        last = later.get("renamed");
        try (Life next = new Life()) {
            assertThat(LedgerAssert.assertSettled(next.pipeline).total().count(Fate.APPLIED))
                    .isEqualTo(4);
            next.expectOpen(10);
        }
    }

    /** All events were early when the definitions got other windows, and are not with the limits of the next start. */
    @Test
    void shouldTakeOtherWindowsAgainThoughThereAreRowsNow() throws Exception {
        PipelineOptions before = options;
        try (Life life = new Life()) {
            life.send(10, -5 * MINUTE);
            assertThat(life.pipeline.windows().get(0).inMemory()).isEmpty();
            life.reload("wide");
            life.send(20);
        }
        disk.restart();
        options = before.withWindows(new WindowOptions(2, 60 * MINUTE, MINUTE));
        last = later.get("wide");
        try (Life next = new Life()) {
            next.expectOpen(20);
        }
    }

    /** A checkpoint has rows of a window that got its file afterwards. */
    @Test
    void shouldNotCountRowsOfACheckpointThatAreInFiles() throws Exception {
        try (Life life = new Life()) {
            life.minute(0);
            life.minute(1);
            life.checkpoint();
            for (int minute = 2; minute < MINUTES; minute++) {
                life.minute(minute);
            }
        }
        disk.restart();
        try (Life next = new Life()) {
            next.expectAll(MINUTES);
        }
    }

    /** One busy partition does not close the windows of a slow one, also in the next process. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWaitForASlowPartition(boolean checkpoint) throws Exception {
        try (Life life = new Life()) {
            life.sendFromKafka(0, 0);
            life.sendFromKafka(1, 0);
            life.sendFromKafka(1, 1);
            life.step(1);
            life.expectOpen(0, 1);
            if (checkpoint) {
                life.checkpoint();
            }
        }
        disk.restart();
        try (Life next = new Life()) {
            if (!checkpoint) {
                assertThat(next.pipeline.windows().get(0).progress())
                        .isEqualTo(Map.of("orders-0", START, "orders-1", START + MINUTE));
            }
            next.step(1);
            next.expectOpen(0, 1);
            next.sendFromKafka(1, 1);
            next.step(1);
            next.expectOpen(0, 1);
            next.sendFromKafka(0, 1);
            next.step(1);
            next.expectOpen(1);
            assertThat(LedgerAssert.assertSettled(next.pipeline).total().count(Fate.LATE))
                    .isZero();
        }
    }

    /** An idle partition goes on at the pace of the clock, from where it stood; also in the next process. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldNotWaitForAnIdlePartition(boolean restart) throws Exception {
        Life life = new Life();
        try {
            life.sendFromKafka(0, 0);
            life.sendFromKafka(1, 0);
            if (restart) {
                life.checkpoint();
                life.close();
                disk.restart();
                life = new Life();
            }
            life.sendFromKafka(1, 1);
            life.stepUntil(1, 120); // idle for a minute, and the mark goes on from there
            life.expectOpen(0, 1);
            life.stepUntil(121, 123);
            life.expectOpen(1);
        } finally {
            life.close();
        }
    }

    /** A partition is not idle while any batch from Kafka waits, because a listener without room reads none. */
    @Test
    void shouldWaitForAPartitionThatIsHeldBack() throws Exception {
        try (Life life = new Life()) {
            life.sendFromKafka(0, 0);
            life.sendFromKafka(1, 0);
            life.sendFromKafka(1, 1);
            MessageBatch waiting = life.fromKafka(1, 1);
            life.pipeline.expect(waiting);
            life.stepUntil(0, 600);
            life.expectOpen(0, 1);
            life.take(waiting);
            life.stepUntil(601, 720); // only now a minute without what waited, and then the mark goes on
            life.expectOpen(0, 1);
            life.stepUntil(721, 723);
            life.expectOpen(1);
        }
    }

    /** Events of another listener are an input beside the partitions. */
    @Test
    void shouldHaveThePipelineAsAnInputBesideThePartitions() throws Exception {
        try (Life life = new Life()) {
            life.send(0);
            life.sendFromKafka(0, 1);
            life.step(1);
            life.expectOpen(0, 1);
            assertThat(life.pipeline.windows().get(0).progress())
                    .isEqualTo(Map.of(InputName.ofPipeline(0), START + 1, "orders-0", START + MINUTE));
            life.send(1);
            life.step(1);
            life.expectOpen(1);
        }
    }

    /** The closer looks at the progress of events a few times a second, and a checkpoint may be in between. */
    @Test
    void shouldGoOnFromTheTimesOfAllEventsOfTheCheckpoint() throws Exception {
        try (Life life = new Life()) {
            life.minute(0);
            life.send(1);
            life.checkpoint();
        }
        disk.restart();
        try (Life next = new Life()) {
            assertThat(next.pipeline.windows().get(0).inMemory()).containsExactly(START, START + MINUTE);
            next.step(1);
            next.expectAll(2);
        }
    }
}
