package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.evolve.OverflowRow;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.PipelineOptions.Stage;
import io.summarizer.core.pipeline.SumPlan.Sum;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.window.InputName;
import java.io.OutputStream;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class PipelineWindowsTest {
    private static final long MINUTE = TimeUnit.MINUTES.toMicros(1);
    private static final long HOUR = 60 * MINUTE;
    private static final long T = 1_700_000_040_000_000L; // a whole minute
    private static final String PIPELINE = InputName.ofPipeline(0);
    private static final SummaryWindow WINDOW = new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC);
    private static final SummaryLayout PLAIN = SumPlan.windowed("W", WINDOW, SummaryLimit.DEFAULT);

    static Stream<PipelineOptions> shapes() {
        PipelineOptions queued = PipelineOptions.queued(
                new Stage(QueueKind.LBQ, 4, 2, WaitPolicy.BLOCKING),
                new Stage(QueueKind.DISRUPTOR, 4, 2, WaitPolicy.BLOCKING));
        return Stream.of(queued, queued.withMode(PipelineMode.INLINE, 2), queued.withMode(PipelineMode.LOCKED, 1));
    }

    private static Pipeline start(PipelineOptions options, SummaryLayout... layouts) {
        return Pipeline.start(SumPlan.of(1, List.of(layouts)), options, RejectSink.NONE);
    }

    private record Event(long key, long value, @Nullable Long time) {}

    private static void send(Pipeline pipeline, Event... events) throws InterruptedException {
        MessageBatch batch = pipeline.acquire();
        for (Event event : events) {
            SumPlan.add(batch, "t", event.key, event.value, event.time);
        }
        pipeline.put(batch);
        pipeline.drain();
        pipeline.cut().release(); // the owners have applied it
    }

    /** The rows in memory by window and key; a null key is -1. */
    private static Map<Long, Map<Long, Sum>> rows(SummaryView view) {
        Map<Long, Map<Long, Sum>> rows = new TreeMap<>();
        for (StoreView partition : view.partitions()) {
            RowCursor cursor = partition.cursor();
            while (cursor.next()) {
                assertThat(cursor.keyLong(0)).isEqualTo(partition.window());
                rows.computeIfAbsent(partition.window(), start -> new TreeMap<>())
                        .put(
                                cursor.isKeyNull(1) ? -1 : cursor.keyLong(1),
                                new Sum(cursor.longValue(0), cursor.longValue(1)));
            }
        }
        return rows;
    }

    private static Map<Long, Map<Long, Sum>> rows(Pipeline pipeline, String summary) throws InterruptedException {
        Cut cut = pipeline.cut();
        try {
            return rows(OverflowRow.merged(cut.summary(summary).orElseThrow()));
        } finally {
            cut.release();
        }
    }

    private static long fate(Pipeline pipeline, Fate fate) throws InterruptedException {
        return LedgerAssert.assertSettled(pipeline).total().count(fate);
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void eventsGoToTheirWindowsOrAreRefusedWithAReason(PipelineOptions options) throws Exception {
        try (Pipeline pipeline = start(options, PLAIN)) {
            send(
                    pipeline,
                    new Event(1, 10, T),
                    new Event(1, 20, T + MINUTE - 1),
                    new Event(1, 30, T + MINUTE),
                    new Event(2, 40, T),
                    new Event(3, 50, null),
                    new Event(4, 60, 4_000_000_000_000_000L));
            assertThat(rows(pipeline, "W"))
                    .isEqualTo(Map.of(
                            T, Map.of(1L, new Sum(2, 30), 2L, new Sum(1, 40)), T + MINUTE, Map.of(1L, new Sum(1, 30))));
            assertThat(fate(pipeline, Fate.UNTIMED)).isEqualTo(1);
            assertThat(fate(pipeline, Fate.EARLY)).isEqualTo(1);
            assertThat(fate(pipeline, Fate.APPLIED)).isEqualTo(4);
            assertThat(pipeline.windows().get(0).inMemory()).containsExactly(T, T + MINUTE);
            Pipeline.Closed closed = pipeline.closeWindows("W", T + MINUTE).orElseThrow();
            assertThat(closed.starts()).containsExactly(T);
            assertThat(pipeline.closeWindows("W", T + MINUTE)).isEmpty();
            send(pipeline, new Event(1, 1, T + MINUTE - 1), new Event(1, 1, T + MINUTE), new Event(9, 1, T - HOUR));
            assertThat(rows(pipeline, "W").get(T)).containsEntry(1L, new Sum(2, 30));
            assertThat(rows(pipeline, "W").get(T + MINUTE)).containsEntry(1L, new Sum(2, 31));
            assertThat(fate(pipeline, Fate.LATE)).isEqualTo(2);
            pipeline.dropWindows("W", T + 1);
            assertThat(rows(pipeline, "W")).containsOnlyKeys(T + MINUTE);
            assertThat(pipeline.gauges().rows("W", List.of())).isEqualTo(1);
        }
    }

    @Test
    void theProgressIsTheGreatestTimeButNotBeyondTheArrival() throws Exception {
        try (Pipeline pipeline = start(PipelineOptions.DEFAULT, PLAIN)) {
            assertThat(pipeline.windows().get(0).progress()).isEmpty();
            send(pipeline, new Event(1, 1, T + 5), new Event(1, 1, T));
            assertThat(pipeline.windows().get(0).progress()).isEqualTo(Map.of(PIPELINE, T + 5));
            send(pipeline, new Event(1, 1, 4_000_000_000_000_000L)); // early, so it moves nothing
            assertThat(pipeline.windows().get(0).progress()).isEqualTo(Map.of(PIPELINE, T + 5));
            long before = System.currentTimeMillis() * 1_000;
            send(pipeline, new Event(1, 1, before + MINUTE));
            assertThat(pipeline.windows().get(0).progress().get(PIPELINE))
                    .isBetween(before, System.currentTimeMillis() * 1_000 + 1_000);
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void eachWindowHasTheLimitAndARowOfOverflow(PipelineOptions options) throws Exception {
        SummaryLayout limited = SumPlan.windowed("W", WINDOW, new SummaryLimit(3, 0, SummaryLimit.Overflow.OTHER));
        try (Pipeline pipeline = start(options, limited, limited.overflow())) {
            for (long key = 1; key <= 5; key++) {
                send(pipeline, new Event(key, 1, T), new Event(10 * key, 100, T + MINUTE));
            }
            assertThat(rows(pipeline, "W")).containsOnlyKeys(T, T + MINUTE);
            assertThat(rows(pipeline, "W").get(T)).containsOnlyKeys(1L, 2L, 3L);
            assertThat(rows(pipeline, "W").get(T + MINUTE)).containsOnlyKeys(10L, 20L, 30L);
            assertThat(rows(pipeline, "W.overflow"))
                    .isEqualTo(Map.of(T, Map.of(-1L, new Sum(2, 2)), T + MINUTE, Map.of(-1L, new Sum(2, 200))));
            assertThat(fate(pipeline, Fate.APPLIED)).isEqualTo(10);
            var closed = pipeline.closeWindows("W", T + MINUTE);
            assertThat(closed).isPresent();
            Cut closing = pipeline.closing("W").orElseThrow();
            assertThat(closing.summaries())
                    .hasSize(2)
                    .allSatisfy(view -> assertThat(view.partitions())
                            .allSatisfy(part -> assertThat(part.window()).isEqualTo(T)));
            closing.release();
            pipeline.dropWindows("W", T + 1);
            assertThat(rows(pipeline, "W.overflow")).containsOnlyKeys(T + MINUTE);
            send(pipeline, new Event(7, 1, T + 2 * MINUTE));
            assertThat(rows(pipeline, "W").get(T + 2 * MINUTE)).containsOnlyKeys(7L);
            assertThat(fate(pipeline, Fate.APPLIED)).isEqualTo(11);
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void openWindowsAndTheRowsOfAllHaveBounds(PipelineOptions options) throws Exception {
        WindowOptions two = new WindowOptions(2, HOUR, MINUTE);
        try (Pipeline pipeline = start(options.withWindows(two).withMaxRows(4), PLAIN)) {
            send(pipeline, new Event(1, 1, T), new Event(1, 1, T + MINUTE));
            send(pipeline, new Event(1, 1, T + 2 * MINUTE));
            assertThat(rows(pipeline, "W")).containsOnlyKeys(T, T + MINUTE);
            assertThat(fate(pipeline, Fate.LIMIT)).isEqualTo(1);
            send(pipeline, new Event(2, 1, T), new Event(3, 1, T), new Event(4, 1, T), new Event(5, 1, T + MINUTE));
            assertThat(pipeline.gauges().rows("W", List.of())).isEqualTo(4);
            assertThat(fate(pipeline, Fate.LIMIT)).isEqualTo(3);
            var closed = pipeline.closeWindows("W", T + MINUTE);
            assertThat(closed).isPresent();
            pipeline.dropWindows("W", T + MINUTE);
            send(pipeline, new Event(6, 1, T + 2 * MINUTE), new Event(7, 1, T + 2 * MINUTE));
            assertThat(rows(pipeline, "W").get(T + 2 * MINUTE)).containsOnlyKeys(6L, 7L);
            assertThat(fate(pipeline, Fate.LIMIT)).isEqualTo(3);
        }
    }

    /** Starts with one row and two updates of the overflow in each of two windows. */
    private Pipeline startWithOverflow(PipelineOptions options) throws Exception {
        SummaryLayout limited = SumPlan.windowed("W", WINDOW, new SummaryLimit(1, 0, SummaryLimit.Overflow.OTHER));
        Pipeline pipeline = start(options, limited, limited.overflow());
        for (long key = 1; key <= 3; key++) {
            send(pipeline, new Event(key, 1, T), new Event(key, 1, T + MINUTE));
        }
        return pipeline;
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aResetEmptiesOpenWindowsOnly(PipelineOptions options) throws Exception {
        try (Pipeline pipeline = startWithOverflow(options)) {
            var closed = pipeline.closeWindows("W", T + MINUTE);
            assertThat(closed).isPresent();
            Cut last = pipeline.reset("W").orElseThrow();
            assertThat(rows(last.summaries().get(0))).containsOnlyKeys(T + MINUTE);
            last.release();
            assertThat(rows(pipeline, "W")).containsOnlyKeys(T);
            assertThat(rows(pipeline, "W.overflow")).isEqualTo(Map.of(T, Map.of(-1L, new Sum(2, 2))));
            send(pipeline, new Event(1, 1, T), new Event(5, 5, T + MINUTE));
            send(pipeline, new Event(6, 6, T + MINUTE));
            assertThat(fate(pipeline, Fate.LATE)).isEqualTo(1);
            assertThat(rows(pipeline, "W").get(T + MINUTE)).isEqualTo(Map.of(5L, new Sum(1, 5)));
            assertThat(rows(pipeline, "W.overflow").get(T + MINUTE)).isEqualTo(Map.of(-1L, new Sum(1, 6)));
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void anOverflowThatIsResetAloneBeginsAtZero(PipelineOptions options) throws Exception {
        try (Pipeline pipeline = startWithOverflow(options)) {
            Cut last = pipeline.reset("W.overflow").orElseThrow();
            assertThat(last.summaries().get(0).updates()).isEqualTo(4);
            last.release();
            for (long updates = 0; updates < 3; updates++) {
                Cut cut = pipeline.cut(CutLease.Kind.READ);
                assertThat(cut.summaries().get(1).updates()).isEqualTo(updates);
                cut.release();
                send(pipeline, new Event(9, 9, T));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aReloadKeepsWindowsAndTheirBoundary(PipelineOptions options) throws Exception {
        try (Pipeline pipeline = start(options, PLAIN)) {
            send(pipeline, new Event(1, 1, T), new Event(2, 2, T + MINUTE), new Event(2, 2, T + 2 * MINUTE));
            var closed = pipeline.closeWindows("W", T + MINUTE);
            assertThat(closed).isPresent();
            Map<Long, Map<Long, Sum>> before = rows(pipeline, "W");
            SummaryWindow longer = new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC, HOUR, 2 * HOUR);
            SummaryLayout relabelled =
                    SumPlan.windowed("W", longer, new SummaryLimit(2, 0, SummaryLimit.Overflow.REJECT));
            var unused = pipeline.reload(SumPlan.of(1, List.of(relabelled)));
            assertThat(rows(pipeline, "W")).isEqualTo(before);
            assertThat(pipeline.windows().get(0).window()).isEqualTo(longer);
            assertThat(pipeline.windows().get(0).progress()).containsValue(T + 2 * MINUTE);
            send(pipeline, new Event(3, 3, T), new Event(3, 3, T + MINUTE), new Event(4, 4, T + MINUTE));
            assertThat(fate(pipeline, Fate.LATE)).isEqualTo(1);
            assertThat(fate(pipeline, Fate.LIMIT)).isEqualTo(1); // the new bound holds in open windows
            before = rows(pipeline, "W");
            List<SummaryLayout.ValueColumn> values = new ArrayList<>(PLAIN.values());
            values.add(new SummaryLayout.ValueColumn("more", 3, AggregateType.COUNT, 0, 0));
            SummaryLayout rebuilt =
                    new SummaryLayout("W", 0, PLAIN.keys(), values, List.of(), SummaryLimit.DEFAULT, longer);
            unused = pipeline.reload(SumPlan.of(1, List.of(rebuilt)));
            assertThat(rows(pipeline, "W")).isEqualTo(before);
            send(pipeline, new Event(3, 3, T), new Event(5, 5, T + MINUTE));
            assertThat(fate(pipeline, Fate.LATE)).isEqualTo(2);
            assertThat(rows(pipeline, "W").get(T + MINUTE)).containsEntry(5L, new Sum(1, 5));
            assertThat(pipeline.windows().get(0).inMemory()).containsExactly(T, T + MINUTE, T + 2 * MINUTE);
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void aNewLayoutKeepsClosedOverflowAndTheNumberOfItsUpdates(PipelineOptions options) throws Exception {
        SummaryLimit one = new SummaryLimit(1, 0, SummaryLimit.Overflow.OTHER);
        SummaryLayout limited = SumPlan.windowed("W", WINDOW, one);
        try (Pipeline pipeline = start(options, limited, limited.overflow())) {
            for (long key = 1; key <= 3; key++) {
                send(pipeline, new Event(key, 1, T), new Event(key, 1, T + MINUTE));
            }
            assertThat(pipeline.closeWindows("W", T + MINUTE)).isPresent();
            assertThat(updates(pipeline, "W.overflow")).isEqualTo(4);
            List<SummaryLayout.ValueColumn> values = new ArrayList<>(limited.values());
            values.add(new SummaryLayout.ValueColumn("more", 3, AggregateType.COUNT, 0, 0));
            SummaryLayout rebuilt = new SummaryLayout("W", 0, limited.keys(), values, List.of(), one, WINDOW);
            var unused = pipeline.reload(SumPlan.of(1, List.of(rebuilt, rebuilt.overflow())));
            assertThat(updates(pipeline, "W")).isEqualTo(6);
            assertThat(updates(pipeline, "W.overflow")).isEqualTo(4);
            send(pipeline, new Event(4, 1, T + MINUTE));
            assertThat(updates(pipeline, "W.overflow")).isEqualTo(5);
            pipeline.reset("W").orElseThrow().release();
            assertThat(updates(pipeline, "W.overflow")).isZero();
            assertThat(rows(pipeline, "W")).containsOnlyKeys(T);
            assertThat(rows(pipeline, "W.overflow")).isEqualTo(Map.of(T, Map.of(-1L, new Sum(2, 2))));
        }
    }

    private static long updates(Pipeline pipeline, String summary) throws InterruptedException {
        Cut cut = pipeline.cut();
        try {
            return cut.summary(summary).orElseThrow().updates();
        } finally {
            cut.release();
        }
    }

    /** Files that exist as soon as their window is added. */
    private static final class Files implements ClosedFiles {
        private final Map<Long, ClosedWindow> files = new ConcurrentSkipListMap<>();
        private final AtomicInteger held = new AtomicInteger();

        @Override
        public Held hold(String summary) {
            held.incrementAndGet();
            return new Held(List.copyOf(files.values()), List.of(), held::decrementAndGet);
        }

        @Override
        public long version() {
            return files.size();
        }

        @Override
        public long boundary(String summary) {
            return ClosedWindows.NO_BOUNDARY;
        }

        @Override
        public @Nullable SummaryWindow calendar(String summary) {
            return null;
        }
    }

    private record File(long start, long end, long rows, long bytes, SummaryLayout layout) implements ClosedWindow {
        @Override
        public int number() {
            return 1;
        }

        @Override
        public long cut() {
            return 1;
        }

        @Override
        public void copyTo(OutputStream out) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Rows open(SummaryLayout layout, List<Integer> path) {
            throw new UnsupportedOperationException();
        }
    }

    /** Windows close, get files and leave memory while cuts are taken: each cut has each window in one place. */
    @ParameterizedTest
    @MethodSource("shapes")
    void eachCutHasAWindowInMemoryOrInAFile(PipelineOptions options) throws Exception {
        int windows = 400;
        Files files = new Files();
        try (Pipeline pipeline = start(options, PLAIN)) {
            pipeline.useFiles(files);
            CompletableFuture<@Nullable Void> closing = CompletableFuture.runAsync(() -> {
                try {
                    for (int i = 0; i < windows; i++) {
                        long start = T + i * MINUTE;
                        send(pipeline, new Event(i, 1, start), new Event(i + 1, 1, start));
                        var unused = pipeline.closeWindows("W", start + MINUTE);
                        Cut cut = pipeline.closing("W").orElseThrow();
                        long rows = cut.summaries().get(0).rows(List.of());
                        cut.release();
                        files.files.put(start, new File(start, start + MINUTE, rows, 0, PLAIN));
                        pipeline.dropWindows("W", start + 1);
                    }
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            int before = 0;
            boolean done = false;
            while (!done) {
                done = closing.isDone();
                Cut cut = pipeline.cut();
                SummaryView view = cut.summary("W").orElseThrow();
                Set<Long> starts = new HashSet<>();
                view.partitions().forEach(rows -> starts.add(rows.window()));
                int inMemory = starts.size();
                view.closed().files().forEach(file -> starts.add(file.start()));
                assertThat(starts).hasSize(inMemory + view.closed().files().size());
                assertThat(starts.size()).isGreaterThanOrEqualTo(before);
                before = starts.size();
                for (int i = 0; i < before; i++) {
                    assertThat(starts).contains(T + i * MINUTE);
                }
                cut.release();
            }
            closing.join();
            assertThat(before).isEqualTo(windows);
            assertThat(files.files.values()).allMatch(file -> file.rows() == 2);
            assertThat(files.held).hasValue(0);
        }
    }

    /** No window of the new width was closed yet, so events of the window that goes on are not late. */
    @Test
    void otherWindowsGoOnFromTheWindowThatHasTheBoundary() throws Exception {
        SummaryWindow hours = new SummaryWindow(0, 1, CalendarUnit.HOUR, ZoneOffset.UTC);
        long hour = hours.windows().start(T);
        long boundary = hour + 30 * MINUTE;
        try (Pipeline pipeline = start(PipelineOptions.DEFAULT, PLAIN)) {
            var closed = pipeline.closeWindows("W", boundary);
            assertThat(closed).isPresent();
            var unused = pipeline.reload(SumPlan.of(1, List.of(SumPlan.windowed("W", hours, SummaryLimit.DEFAULT))));
            send(pipeline, new Event(1, 1, boundary - MINUTE), new Event(2, 2, hour - MINUTE));
            assertThat(rows(pipeline, "W")).containsOnlyKeys(hour);
            assertThat(fate(pipeline, Fate.LATE)).isEqualTo(1);
        }
    }

    @Test
    void aReloadRefusesOtherWindowsWhileThereAreRows() throws Exception {
        SummaryWindow other = new SummaryWindow(0, 2, CalendarUnit.MINUTE, ZoneOffset.UTC);
        Plan next = SumPlan.of(1, List.of(SumPlan.windowed("W", other, SummaryLimit.DEFAULT)));
        try (Pipeline pipeline = start(PipelineOptions.DEFAULT, PLAIN)) {
            var unused = pipeline.reload(next);
            unused = pipeline.reload(SumPlan.of(1, List.of(PLAIN)));
            send(pipeline, new Event(1, 1, T)); // perhaps not applied yet
            assertThatThrownBy(() -> pipeline.reload(next))
                    .isInstanceOf(ReloadRefusedException.class)
                    .hasMessageContaining("window");
            assertThat(rows(pipeline, "W")).containsOnlyKeys(T);
        }
    }
}
