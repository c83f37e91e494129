package io.summarizer.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.summarizer.core.LogLines;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.journal.JournalWriter;
import io.summarizer.core.journal.WindowBoundaries;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.ClosedFiles;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.pipeline.SumPlan.Sum;
import io.summarizer.core.pipeline.WindowProgress;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DurableControlsTest {
    private static final SumPlan PLAN = new SumPlan(1, List.of("A", "B"));
    private static final SummaryWindow MINUTES =
            new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC, 0, SummaryWindow.FOR_EVER);
    private static final SumPlan WINDOWED =
            SumPlan.of(1, List.of(SumPlan.windowed("W", MINUTES, SummaryLimit.DEFAULT)));

    @TempDir
    Path folder;

    /** A process that uses the folder. */
    private static final class Life implements AutoCloseable {
        final MortalDisk disk;
        final Journal journal;
        final Pipeline pipeline;
        final @Nullable JournalWriter writer;
        final DurableControls durable;
        final Checkpointer checkpointer;
        final AtomicInteger retained = new AtomicInteger();
        final AtomicReference<@Nullable Error> whileWriting = new AtomicReference<>();
        final AtomicReference<Runnable> beforeWriting = new AtomicReference<>(() -> {});
        final AtomicReference<@Nullable IOException> whileTidying = new AtomicReference<>();
        final List<String> notes = new ArrayList<>();

        Life(Path folder, boolean journals, PipelineOptions options) throws Exception {
            disk = new MortalDisk(new FileDisk(folder.resolve("journal")));
            journal = Journal.open(disk, new JournalOptions(64 << 10, 512 << 10, Compression.NONE), line -> {});
            Checkpoints checkpoints = Checkpoints.open(new FileDisk(folder.resolve("checkpoints")), 1, line -> {});
            RecoveryProgress progress = new RecoveryProgress();
            PipelineRecovery recovery;
            try {
                recovery = PipelineRecovery.open(
                        checkpoints,
                        journal,
                        name -> name.equals("plan") ? PLAN : WINDOWED,
                        () -> new PipelineRecovery.Beginning("plan", PLAN, PLAN.newSummaries(options.maxRows())),
                        options,
                        RejectSink.NONE,
                        1,
                        progress,
                        notes::add);
            } catch (IOException e) {
                journal.close();
                throw e;
            }
            pipeline = recovery.pipeline();
            assertThat(progress.text())
                    .isEqualTo(recovery.isFirst() ? "starting" : "recovering: loading the last checkpoint, 100 %");
            recovery.replay(null, RangeSource.NONE, recovery.pipeline().plan(), 0);
            AtomicReference<@Nullable Checkpointer> asked = new AtomicReference<>();
            Runnable wanted = () -> {
                Checkpointer ready = asked.get();
                if (ready != null) {
                    ready.request();
                }
            };
            writer = journals
                    ? JournalWriter.start(
                            journal, pipeline.clock(), listener -> TopicRule.MSGID, pipeline::put, wanted, 4, 1 << 20)
                    : null;
            durable = new DurableControls(recovery, checkpoints, journal, writer, this::retain, this::besides, wanted);
            checkpointer = new Checkpointer(durable, Duration.ZERO);
            asked.set(checkpointer);
            durable.begin();
        }

        Life(Path folder, boolean journals) throws Exception {
            this(folder, journals, options());
        }

        private void besides() {
            Objects.requireNonNull(beforeWriting.get()).run();
            Error error = whileWriting.get();
            if (error != null) {
                throw error;
            }
        }

        private void retain(Set<String> names) throws IOException {
            retained.incrementAndGet();
            IOException e = whileTidying.get();
            if (e != null) {
                throw e;
            }
        }

        /** Puts a message of a listener without a journal. */
        void put(long key) throws InterruptedException {
            MessageBatch batch = pipeline.acquire();
            SumPlan.add(batch, "x", key, 1);
            pipeline.put(batch);
            pipeline.drain();
        }

        Map<Long, Sum> rows(String summary) throws InterruptedException {
            Cut cut = pipeline.cut();
            try {
                return SumPlan.rows(cut, summary);
            } finally {
                cut.release();
            }
        }

        /** Ends the process; everything that it did not write to the disk is lost. */
        @Override
        public void close() {
            disk.kill();
            try {
                checkpointer.close();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            JournalWriter writer = this.writer;
            if (writer != null) {
                writer.close();
            }
            try {
                journal.close();
            } catch (IOException e) {
                // it was killed
            }
            pipeline.close();
        }
    }

    private static PipelineOptions options() {
        return PipelineOptions.queued(stage(), stage()).withMode(PipelineMode.INLINE, 1);
    }

    private static PipelineOptions.Stage stage() {
        return new PipelineOptions.Stage(QueueKind.LBQ, 2, 1, WaitPolicy.BLOCKING);
    }

    private interface Change<T> {
        T make() throws Exception;
    }

    private static <T> CompletableFuture<T> later(Change<T> change) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return change.make();
            } catch (Exception e) {
                throw new CompletionException(e);
            }
        });
    }

    /** Damages the newest checkpoint, which is then not loaded. */
    private void damageNewestCheckpoint() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("checkpoints"))) {
            Path newest = files.filter(file -> file.toString().endsWith(".state"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            Files.write(newest, new byte[100]);
        }
    }

    @Test
    void shouldHaveAResetOutliveTheProcessWhereNothingIsJournalled() throws Exception {
        for (boolean damage : new boolean[] {false, true}) {
            try (Life process = new Life(folder, false)) {
                process.checkpointer.start();
                process.put(1);
                var unused = process.durable.checkpoint(true);
                process.durable.reset("A").orElseThrow().release();
            }
            if (damage) {
                damageNewestCheckpoint();
            }
            try (Life process = new Life(folder, false)) {
                assertThat(process.rows("A")).as("damage=%s", damage).isEmpty();
                assertThat(process.rows("B")).as("damage=%s", damage).containsKey(1L);
            }
        }
    }

    @Test
    void shouldNotPerformAResetAgainThatTheJournalRefused() throws Exception {
        try (Life process = new Life(folder, true)) {
            process.checkpointer.start();
            process.put(1);
            process.durable.reset("B").orElseThrow().release();
            process.disk.failOneForce(true);
            process.durable.reset("A").orElseThrow().release();
            process.put(2);
            var unused = process.durable.checkpoint(true);
        }
        try (Life process = new Life(folder, true)) {
            assertThat(process.rows("A")).containsOnlyKeys(2L);
            assertThat(process.rows("B")).containsOnlyKeys(2L);
        }
    }

    @Test
    void shouldRefuseChangesWhenItStopsAndHaveTheOneUnderWayInTheLastCheckpoint() throws Exception {
        try (Life process = new Life(folder, false)) {
            process.put(1);
            CompletableFuture<?> reset = later(() -> process.durable.reset("A"));
            while (!process.rows("A").isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            assertThat(process.durable.stopChanges(Duration.ofSeconds(30))).isTrue();
            assertThatThrownBy(reset::get)
                    .hasMessageContaining("A was emptied, and its rows can no longer be pulled: the service is");
            assertThatThrownBy(() -> process.durable.reset("B")).hasMessageContaining("nothing was changed");
            assertThatThrownBy(() -> process.durable.reload(PLAN, () -> "plan"))
                    .hasMessageContaining("nothing was changed");
            assertThat(process.durable.failure()).isNotDone();
            assertThat(process.durable.checkpoint(false)).isPresent();
        }
        try (Life process = new Life(folder, false)) {
            assertThat(process.rows("A")).isEmpty();
            assertThat(process.rows("B")).containsKey(1L);
        }
    }

    /** One control has the new definitions and what they close, so a kill cannot separate the two. */
    @Test
    void shouldCloseWindowsWithFilesAsDefinitionsTakeEffect() throws Exception {
        long boundary = 60_000_000;
        try (Life process = new Life(folder, true)) {
            process.pipeline.useFiles(new FilesUntil(boundary));
            assertThat(process.durable.reload(WINDOWED, () -> "windowed").closed())
                    .isEqualTo(Map.of("W", boundary));
            assertThat(process.journal.controls(0))
                    .extracting(numbered -> numbered.control().payload())
                    .containsExactly(new WindowBoundaries(Map.of("W", boundary)));
        }
        try (Life process = new Life(folder, true)) {
            assertThat(process.pipeline.windows())
                    .extracting(WindowProgress::summary, WindowProgress::boundary)
                    .containsExactly(tuple("W", boundary));
        }
    }

    /** Files of minutes, up to a boundary. */
    private record FilesUntil(long boundary) implements ClosedFiles {
        @Override
        public long version() {
            return 1;
        }

        @Override
        public long boundary(String summary) {
            return boundary;
        }

        @Override
        public SummaryWindow calendar(String summary) {
            return MINUTES;
        }

        @Override
        public Held hold(String summary) {
            return NONE.hold(summary);
        }
    }

    @Test
    void shouldEndTheProcessWhenItCannotKnowWhatTheJournalHas() throws Exception {
        try (Life process = new Life(folder, true)) {
            JournalWriter writer = Objects.requireNonNull(process.writer);
            process.durable.reset("B").orElseThrow().release();
            process.disk.kill();
            CompletableFuture<?> reset = later(() -> process.durable.reset("A"));
            while (writer.state() != JournalWriter.State.FAILING) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            assertThat(process.durable.failure()).isNotDone();
            writer.close();
            assertThatThrownBy(reset::get).hasMessageContaining("killed");
            assertThat(process.durable.failure().get()).hasMessageContaining("RESET A");
            assertThat(process.durable.failure()).isDone();
            assertThatThrownBy(() -> process.durable.checkpoint(true)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldNotWriteACheckpointAgainBecauseSomethingCouldNotBeDeleted() throws Exception {
        try (Life process = new Life(folder, true)) {
            process.put(1);
            process.whileTidying.set(new IOException("no such luck"));
            int before = process.retained.get();
            assertThat(process.durable.checkpoint(false)).isPresent();
            assertThat(process.durable.checkpoint(false)).isEmpty();
            assertThat(process.durable.checkpoint(true)).isPresent();
            assertThat(process.retained).hasValue(before + 2);
            assertThat(process.durable.last().number()).isEqualTo(3);
        }
    }

    @Test
    void shouldKnowWhenTheCheckpointItBeganWithWasTaken() throws Exception {
        DurableControls.Written written;
        try (Life process = new Life(folder, true)) {
            process.put(1);
            assertThat(process.durable.checkpoint(false)).isPresent();
            written = process.durable.last();
            assertThat(written.takenAtMicros()).isPositive();
        }
        try (Life process = new Life(folder, true)) {
            assertThat(process.durable.last()).isEqualTo(new DurableControls.Written(written.takenAtMicros(), 0, 0, 0));
        }
    }

    @Test
    void shouldSayWhenNoMoreCheckpointsWillBeWritten() throws Exception {
        try (Life process = new Life(folder, true)) {
            process.checkpointer.start();
            process.whileWriting.set(new OutOfMemoryError("for a test"));
            process.checkpointer.request();
            assertThat(process.checkpointer.failure().get()).hasMessage("for a test");
        }
    }

    /** Each failure has its own text, for example the name of a file. */
    @Test
    void shouldSayOnceAMinuteThatCheckpointsCannotBeWritten() throws Exception {
        try (LogLines logged = LogLines.of(Checkpointer.class);
                Life process = new Life(folder, true)) {
            AtomicInteger tried = new AtomicInteger();
            process.beforeWriting.set(() -> {
                throw new IllegalStateException("disk full, attempt " + tried.incrementAndGet());
            });
            process.checkpointer.start();
            long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
            while (process.checkpointer.failures() < 4 && System.nanoTime() < end) {
                process.checkpointer.request();
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(process.checkpointer.failures()).isGreaterThanOrEqualTo(4);
            assertThat(logged.lines())
                    .containsExactly("a checkpoint in " + folder.resolve("checkpoints")
                            + " could not be written: disk full, attempt 1");
            process.beforeWriting.set(() -> {});
        }
    }

    @Test
    void shouldNotGuessOfWhichPipelinesTheFirstControlsAre() throws Exception {
        PipelineOptions two = PipelineOptions.queued(stage(), stage())
                .withPipeline(new PipelineOptions.Named("a", List.of(TopicPattern.of("a")), stage(), stage()));
        try (Life process = new Life(folder, true, two)) {
            process.durable.reset("A").orElseThrow().release();
        }
        try (Stream<Path> files = Files.list(folder.resolve("checkpoints"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        assertThatThrownBy(() -> new Life(folder, true))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a reset of a process with 2 pipelines, while now there are 1");
        try (Life process = new Life(folder, true, two)) {
            assertThat(process.notes).anyMatch(note -> note.contains("pipelines that are configured now"));
        }
        try (Life process = new Life(folder, true)) {
            assertThat(process.notes).isEmpty();
        }
    }
}
