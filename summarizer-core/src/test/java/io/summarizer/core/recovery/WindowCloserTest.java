package io.summarizer.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.archive.WindowRefusedException;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.ReloadRefusedException;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.window.Backlog;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WindowCloserTest {
    private static final String NAME = "w";
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long START = 1_700_000_040_000_000L; // a whole minute
    private static final SumPlan PLAN = plan(minutes(NAME, 1));
    private static final PipelineOptions OPTIONS = PipelineOptions.DEFAULT.withMode(PipelineMode.LOCKED, 1);

    private static SumPlan plan(SummaryLayout... layouts) {
        return SumPlan.of(1, List.of(layouts));
    }

    private static SummaryLayout minutes(String name, int width) {
        return SumPlan.windowed(
                name,
                new SummaryWindow(0, width, CalendarUnit.MINUTE, ZoneOffset.UTC, 0, SummaryWindow.FOR_EVER),
                SummaryLimit.DEFAULT);
    }

    private static void send(Pipeline pipeline, int minute) throws InterruptedException {
        MessageBatch batch = pipeline.acquire();
        SumPlan.add(batch, "t", 1, 1, START + minute * MINUTE);
        batch.firstStamp(START + minute * MINUTE + 1);
        pipeline.put(batch);
        pipeline.drain();
    }

    private static void step(WindowCloser closer, long clock) throws Exception {
        closer.closeDue(clock);
        closer.write(START);
    }

    /** Controls without a journal. */
    private static class Controls implements WindowCloser.Controls {
        private final Pipeline pipeline;
        int checkpoints;

        Controls(Pipeline pipeline) {
            this.pipeline = pipeline;
        }

        @Override
        public boolean closeWindows(String summary, long before) throws IOException, InterruptedException {
            return pipeline.closeWindows(summary, before).isPresent();
        }

        @Override
        public ClosedWindow put(String summary, DurableControls.Put put) {
            throw new IllegalStateException("no window is put");
        }

        @Override
        public Optional<DurableControls.Written> checkpoint(boolean anyway) throws InterruptedException {
            checkpoints++;
            return Optional.empty();
        }

        @Override
        public void awaitDurable() throws IOException {}

        @Override
        public void lookAtJournal(Backlog backlog, long clock) {
            backlog.look(0, 0, clock);
        }
    }

    /** Something that happens when a file is renamed. */
    @FunctionalInterface
    private interface Interruption {
        void run() throws Exception;
    }

    /** A disk on which something happens before a file is renamed. */
    private static Disk disturbed(Disk disk, Interruption interruption) {
        return (Disk) Proxy.newProxyInstance(
                Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("rename")) {
                        interruption.run();
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private static Disk disk(String name) {
        return new SimulatedDisk(new Random(1)).folder(name);
    }

    /** Number of messages in the rows and files of a summary. */
    private static long messages(Pipeline pipeline, String summary) throws InterruptedException {
        Cut cut = pipeline.cut();
        try {
            SummaryView view = cut.summary(summary).orElseThrow();
            return SumPlan.rows(cut, summary).values().stream()
                            .mapToLong(SumPlan.Sum::count)
                            .sum()
                    + view.closed().files().stream()
                            .mapToLong(ClosedWindow::rows)
                            .sum();
        } finally {
            cut.release();
        }
    }

    /** A file has only messages that a checkpoint before it has, if no journal has them. */
    @Test
    void aWindowThatIsClosedDuringACheckpointIsWrittenAfterTheNextOne() throws Exception {
        WindowFolders folders = WindowFolders.open(List.of(NAME), WindowCloserTest::disk, 1, note -> {});
        try (Pipeline pipeline = Pipeline.start(PLAN, OPTIONS, RejectSink.NONE)) {
            pipeline.useFiles(folders);
            Controls controls = new Controls(pipeline) {
                @Override
                public Optional<DurableControls.Written> checkpoint(boolean anyway) throws InterruptedException {
                    if (checkpoints == 0) {
                        send(pipeline, 3);
                        assertThat(pipeline.closeWindows(NAME, START + 4 * MINUTE))
                                .isPresent();
                    }
                    return super.checkpoint(anyway);
                }
            };
            WindowCloser closer = new WindowCloser(pipeline, controls, folders, false);
            closer.begin();
            send(pipeline, 0);
            assertThat(closer.close(NAME, OptionalLong.of(START + MINUTE))).isPresent();
            step(closer, 0);
            assertThat(controls.checkpoints).isEqualTo(1);
            assertThat(folders.has(NAME, START)).isTrue();
            assertThat(folders.has(NAME, START + 3 * MINUTE)).isFalse();
            step(closer, 10 * SECOND);
            assertThat(controls.checkpoints).isEqualTo(2);
            assertThat(folders.has(NAME, START + 3 * MINUTE)).isTrue();
            OptionalLong future = OptionalLong.of(MINUTE + ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) * 2);
            assertThatThrownBy(() -> closer.close(NAME, future))
                    .isInstanceOf(WindowRefusedException.class)
                    .hasMessageContaining("in the future");
        }
    }

    @Test
    void aWindowThatCannotBeWrittenNeedsOneCheckpoint() throws Exception {
        boolean[] fails = {true};
        Interruption failing = () -> {
            if (fails[0]) {
                throw new IOException("no");
            }
        };
        WindowFolders folders =
                WindowFolders.open(List.of(NAME), name -> disturbed(disk(name), failing), 1, note -> {});
        try (Pipeline pipeline = Pipeline.start(PLAN, OPTIONS, RejectSink.NONE)) {
            pipeline.useFiles(folders);
            Controls controls = new Controls(pipeline);
            WindowCloser closer = new WindowCloser(pipeline, controls, folders, false);
            closer.begin();
            send(pipeline, 0);
            assertThat(closer.close(NAME, OptionalLong.of(START + MINUTE))).isPresent();
            for (int attempt = 0; attempt < 3; attempt++) {
                assertThatThrownBy(() -> closer.write(START)).isInstanceOf(IOException.class);
            }
            assertThat(controls.checkpoints).isEqualTo(1);
            send(pipeline, 1);
            assertThat(closer.close(NAME, OptionalLong.of(START + 2 * MINUTE))).isPresent();
            assertThatThrownBy(() -> closer.write(START)).isInstanceOf(IOException.class);
            assertThat(controls.checkpoints)
                    .as("for the rows of the second window")
                    .isEqualTo(2);
            fails[0] = false;
            closer.write(START);
            assertThat(folders.has(NAME, START)).isTrue();
            assertThat(folders.has(NAME, START + MINUTE)).isTrue();
            assertThat(controls.checkpoints).isEqualTo(2);
        }
    }

    /** While the disk fails, a close waits for the journal. A stop must not wait for it without a limit. */
    @Test
    void aStopDoesNotWaitForACloseThatNeverEnds() throws Exception {
        WindowFolders folders = WindowFolders.open(List.of(NAME), WindowCloserTest::disk, 1, note -> {});
        try (Pipeline pipeline = Pipeline.start(PLAN, OPTIONS, RejectSink.NONE)) {
            pipeline.useFiles(folders);
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch journal = new CountDownLatch(1);
            Controls controls = new Controls(pipeline) {
                @Override
                public boolean closeWindows(String summary, long before) throws IOException, InterruptedException {
                    begun.countDown();
                    journal.await();
                    return super.closeWindows(summary, before);
                }
            };
            WindowCloser closer = new WindowCloser(pipeline, controls, folders, true);
            closer.begin();
            send(pipeline, 0);
            send(pipeline, 10);
            WindowTimer timer = new WindowTimer(closer, () -> START);
            timer.start();
            begun.await();
            assertThat(timer.close(Duration.ofMillis(50))).isFalse();
            journal.countDown();
            assertThat(timer.close(Duration.ofMinutes(1))).isTrue();
        }
    }

    @Test
    void aSummaryThatIsRemovedAndAddedWhileItsWindowIsWrittenGetsNoRowsInThisWindow() throws Exception {
        SummaryLayout other = minutes("other", 1);
        Pipeline[] started = {null};
        int[] renames = {0};
        Interruption reloads = () -> {
            if (++renames[0] == 1) {
                var removed = started[0].reload(plan(other));
                assertThatThrownBy(() -> started[0].reload(plan(other, minutes(NAME, 5))))
                        .isInstanceOf(ReloadRefusedException.class)
                        .hasMessageContaining("files of closed windows");
                var added = started[0].reload(plan(other, minutes(NAME, 1)));
                assertThat(added.closed()).containsExactly(Map.entry(NAME, START + MINUTE));
                send(started[0], 0);
                send(started[0], 1);
            }
        };
        WindowFolders folders =
                WindowFolders.open(List.of(NAME, "other"), name -> disturbed(disk(name), reloads), 1, note -> {});
        try (Pipeline pipeline = Pipeline.start(plan(other, minutes(NAME, 1)), OPTIONS, RejectSink.NONE)) {
            started[0] = pipeline;
            pipeline.useFiles(folders);
            WindowCloser closer = new WindowCloser(pipeline, new Controls(pipeline), folders, true);
            closer.begin();
            send(pipeline, 0);
            assertThat(closer.close(NAME, OptionalLong.of(START + MINUTE))).isPresent();
            step(closer, 0);
            step(closer, SECOND);
            assertThat(renames[0]).isPositive();
            assertThat(folders.has(NAME, START)).isTrue();
            assertThat(messages(pipeline, NAME))
                    .as("the first message is in the file, the second is late, the third is in memory")
                    .isEqualTo(2);
        }
    }

    @Test
    void aWindowThatCannotBeWrittenDoesNotHoldUpOtherSummaries() throws Exception {
        Interruption fails = () -> {
            throw new IOException("no window today");
        };
        WindowFolders folders = WindowFolders.open(
                List.of("a", "b"), name -> name.equals("a") ? disturbed(disk(name), fails) : disk(name), 1, note -> {});
        try (Pipeline pipeline = Pipeline.start(plan(minutes("a", 1), minutes("b", 1)), OPTIONS, RejectSink.NONE)) {
            pipeline.useFiles(folders);
            WindowCloser closer = new WindowCloser(pipeline, new Controls(pipeline), folders, true);
            closer.begin();
            send(pipeline, 0);
            assertThat(closer.close("a", OptionalLong.empty())).isPresent();
            assertThat(closer.close("b", OptionalLong.empty())).isPresent();
            assertThatThrownBy(() -> closer.write(START)).hasMessageContaining("no window today");
            assertThat(folders.has("b", START)).isTrue();
            assertThat(messages(pipeline, "a")).as("still in memory").isEqualTo(1);
            assertThat(messages(pipeline, "b")).isEqualTo(1);
        }
    }

    @Test
    void windowsCloseWhileTheFilesOfOthersAreWritten() throws Exception {
        WindowCloser[] made = {null};
        Interruption closes = () -> {
            Thread other = new Thread(() -> {
                try {
                    made[0].closeDue(0);
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            other.start();
            other.join(TimeUnit.SECONDS.toMillis(20));
            assertThat(other.isAlive()).as("the close waits for the file").isFalse();
        };
        WindowFolders folders =
                WindowFolders.open(List.of("a", "b"), name -> disturbed(disk(name), closes), 1, note -> {});
        try (Pipeline pipeline = Pipeline.start(plan(minutes("a", 1), minutes("b", 5)), OPTIONS, RejectSink.NONE)) {
            pipeline.useFiles(folders);
            WindowCloser closer = new WindowCloser(pipeline, new Controls(pipeline), folders, true);
            made[0] = closer;
            closer.begin();
            send(pipeline, 0);
            assertThat(closer.close("a", OptionalLong.empty())).isPresent();
            send(pipeline, 10);
            closer.write(START);
            assertThat(folders.has("a", START)).isTrue();
            assertThat(pipeline.windows().get(1).boundary()).isEqualTo(START + 6 * MINUTE);
        }
    }

    @Test
    void noFileIsWrittenBeforeTheCloseIsDurable() throws Exception {
        WindowFolders folders = WindowFolders.open(List.of(NAME), WindowCloserTest::disk, 1, note -> {});
        try (Pipeline pipeline = Pipeline.start(PLAN, OPTIONS, RejectSink.NONE)) {
            pipeline.useFiles(folders);
            Controls controls = new Controls(pipeline) {
                @Override
                public void awaitDurable() throws IOException {
                    throw new IOException("not durable");
                }
            };
            WindowCloser closer = new WindowCloser(pipeline, controls, folders, true);
            closer.begin();
            send(pipeline, 0);
            assertThat(closer.close(NAME, OptionalLong.empty())).isPresent();
            assertThatThrownBy(() -> closer.write(START)).hasMessage("not durable");
            assertThat(folders.has(NAME, START)).isFalse();
            assertThat(messages(pipeline, NAME)).isEqualTo(1);
        }
    }

    @Test
    void windowsDoNotCloseByTheClockWhileMessagesWaitForTheJournal() throws Exception {
        WindowFolders folders = WindowFolders.open(List.of(NAME), WindowCloserTest::disk, 1, note -> {});
        try (Pipeline pipeline = Pipeline.start(PLAN, OPTIONS, RejectSink.NONE)) {
            pipeline.useFiles(folders);
            long[] handedOver = {0};
            Controls controls = new Controls(pipeline) {
                @Override
                public void lookAtJournal(Backlog backlog, long clock) {
                    backlog.look(1, handedOver[0], clock);
                }
            };
            WindowCloser closer = new WindowCloser(pipeline, controls, folders, true);
            closer.begin();
            send(pipeline, 0);
            for (int second = 0; second < 1800; second++) {
                step(closer, second * SECOND);
            }
            assertThat(folders.has(NAME, START)).isFalse();
            handedOver[0] = 1;
            step(closer, 1800 * SECOND);
            send(pipeline, 0);
            step(closer, 1801 * SECOND);
            assertThat(messages(pipeline, NAME))
                    .as("both messages are in one row")
                    .isEqualTo(2);
            for (int second = 1802; second < 2400; second++) {
                step(closer, second * SECOND);
            }
            assertThat(folders.has(NAME, START)).as("idle since").isTrue();
        }
    }

    @Test
    void aSummaryThatIsAddedAgainBeginsWithoutAWatermark() throws Exception {
        SummaryLayout other = minutes("other", 1);
        WindowFolders folders = WindowFolders.open(List.of(NAME, "other"), WindowCloserTest::disk, 1, note -> {});
        try (Pipeline pipeline = Pipeline.start(plan(other, minutes(NAME, 1)), OPTIONS, RejectSink.NONE)) {
            WindowCloser closer = new WindowCloser(pipeline, new Controls(pipeline), folders, true);
            closer.begin();
            send(pipeline, 0);
            for (int second = 0; second < 50; second++) {
                step(closer, second * SECOND);
            }
            assertThat(pipeline.watermarks().of(NAME)).isEqualTo(START);
            var removed = pipeline.reload(plan(other));
            for (int hour = 1; hour < 100; hour++) {
                step(closer, hour * 60 * MINUTE);
            }
            var added = pipeline.reload(plan(other, minutes(NAME, 1)));
            step(closer, 100 * 60 * MINUTE);
            send(pipeline, 0);
            step(closer, 100 * 60 * MINUTE + SECOND);
            assertThat(pipeline.watermarks().of(NAME)).isEqualTo(START);
            assertThat(messages(pipeline, NAME)).isEqualTo(1);
        }
    }
}
