package io.summarizer.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.archive.WindowRefusedException;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.journal.WindowPut;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WindowCloserTest {
    private static final String NAME = "w";
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long START = 1_700_000_040_000_000L; // a whole minute
    private static final SumPlan PLAN = SumPlan.of(
            1,
            List.of(SumPlan.windowed(
                    NAME,
                    new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC, 0, SummaryWindow.FOR_EVER),
                    SummaryLimit.DEFAULT)));

    private int checkpoints;

    private static void send(Pipeline pipeline, int minute) throws InterruptedException {
        MessageBatch batch = pipeline.acquire();
        SumPlan.add(batch, "t", 1, 1, START + minute * MINUTE);
        batch.firstStamp(START + minute * MINUTE + 1);
        pipeline.put(batch);
        pipeline.drain();
    }

    /** A file has only messages that a checkpoint before it has, if no journal has them. */
    @Test
    void aWindowThatIsClosedDuringACheckpointIsWrittenAfterTheNextOne() throws Exception {
        WindowFolders folders = WindowFolders.open(
                List.of(NAME), name -> new SimulatedDisk(new Random(1)).folder("windows"), 1, note -> {});
        try (Pipeline pipeline =
                Pipeline.start(PLAN, PipelineOptions.DEFAULT.withMode(PipelineMode.LOCKED, 1), RejectSink.NONE)) {
            pipeline.useFiles(folders);
            WindowCloser closer = new WindowCloser(
                    pipeline,
                    new WindowCloser.Controls() {
                        @Override
                        public boolean closeWindows(String summary, long before) throws InterruptedException {
                            return pipeline.closeWindows(summary, before).isPresent();
                        }

                        @Override
                        public ClosedWindow put(String summary, WindowPut put, DurableControls.Renaming renaming) {
                            throw new IllegalStateException("no window is put");
                        }

                        @Override
                        public void checkpoint() throws InterruptedException {
                            checkpoints++;
                            if (checkpoints == 1) {
                                send(pipeline, 3);
                                assertThat(closeWindows(NAME, START + 4 * MINUTE))
                                        .isTrue();
                            }
                        }
                    },
                    folders,
                    false);
            closer.begin();
            send(pipeline, 0);
            assertThat(closer.close(NAME, OptionalLong.of(START + MINUTE))).isPresent();
            closer.step(0, START);
            assertThat(checkpoints).isEqualTo(1);
            assertThat(folders.has(NAME, START)).isTrue();
            assertThat(folders.has(NAME, START + 3 * MINUTE)).isFalse();
            closer.step(10 * SECOND, START);
            assertThat(checkpoints).isEqualTo(2);
            assertThat(folders.has(NAME, START + 3 * MINUTE)).isTrue();
            OptionalLong future = OptionalLong.of(MINUTE + ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) * 2);
            assertThatThrownBy(() -> closer.close(NAME, future))
                    .isInstanceOf(WindowRefusedException.class)
                    .hasMessageContaining("in the future");
        }
    }
}
