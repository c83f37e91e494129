package io.summarizer.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.archive.WindowRefusedException;
import io.summarizer.core.archive.WindowUpload;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Control;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.journal.SimulatedJournals;
import io.summarizer.core.journal.WindowClose;
import io.summarizer.core.journal.WindowPut;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.pipeline.SumPlan.Sum;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.RowSource;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.window.Backlog;
import io.summarizer.core.window.WatermarkPart;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Windows that close, become files and are deleted, over a disk that is killed at any call, also while starting. After
 * each start and each step, every synced message is either in the rows of its window, in memory or in a file and not in
 * both, or has the fate that the boundary at its place gives it. A file never changes. One thread does all work, so a
 * seed determines a life.
 */
@Timeout(900)
class WindowSimulationTest {
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long START = 1_700_000_000L * SECOND;
    private static final long CLOSE_AFTER = 30 * SECOND;
    private static final long KEEP = 20 * MINUTE;
    private static final String NAME = "W";
    private static final SumPlan PLAN = SumPlan.of(
            1,
            List.of(
                    SumPlan.windowed(
                            NAME,
                            new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC, CLOSE_AFTER, KEEP),
                            SummaryLimit.DEFAULT),
                    SumPlan.windowed(
                            "For ever",
                            new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC, 0, SummaryWindow.FOR_EVER),
                            SummaryLimit.DEFAULT)));

    /** A message that arrived at a time; {@code time} is null for an event without time. */
    private record Message(long key, long value, @Nullable Long time, long arrival) {}

    /** A close, and the number of messages before it. */
    private record Close(String summary, long boundary, long before) {}

    /** A window that was put, and its rows. */
    private record Put(String summary, long start, Map<Long, Sum> rows) {}

    private int closes;
    private int puts;
    private int putsFinished;
    private int files;
    private int expired;
    private int recoveries;
    private int kills;
    private final Map<Fate, Integer> fates = new EnumMap<>(Fate.class);

    @Test
    void shouldHaveEachMessageInOnePlace() throws Exception {
        runSeeds(Seeds.count(100));
    }

    @Test
    @Tag("long")
    void shouldHaveEachMessageInOnePlaceForManySeeds() throws Exception {
        runSeeds(Seeds.count(5_000));
    }

    private boolean isPutMissing(int seeds) {
        return seeds >= 100 && putsFinished == 0;
    }

    private void runSeeds(int seeds) throws Exception {
        long first = Seeds.first();
        // A kill in the middle of a put is rare: more lives are lived until there was one.
        for (long seed = first; seed < first + seeds || (isPutMissing(seeds) && seed < first + 10L * seeds); seed++) {
            Life life = new Life(seed);
            try {
                life.live();
            } catch (IOException | RuntimeException | Error e) {
                throw new AssertionError("failed with " + Seeds.replay(seed) + "\n" + life.story, e);
            }
        }
        if (seeds >= 100) {
            assertThat(List.of(closes, files, expired, recoveries, kills, puts))
                    .as("closes, files, deleted files, starts from a checkpoint, kills, puts")
                    .allMatch(count -> count > seeds / 4);
            assertThat(putsFinished).as("puts finished by the next process").isPositive();
            assertThat(fates.keySet()).contains(Fate.APPLIED, Fate.LATE, Fate.EARLY, Fate.UNTIMED);
        }
    }

    /** A disk, its successive processes, and their expected state. */
    private final class Life {
        private static final int STEPS = 80;
        private static final long SEGMENT = 64 * 1024;
        private static final PipelineOptions OPTIONS = PipelineOptions.DEFAULT.withMode(PipelineMode.LOCKED, 1);

        private final StringBuilder story = new StringBuilder();
        private final Random random;
        private final SimulatedDisk disk;
        private long now = START;

        /** By sequence. */
        private final List<Message> messages = new ArrayList<>();

        private final List<Close> closed = new ArrayList<>();
        /** Messages that the next process may or may not have. */
        private List<Message> uncertainMessages = List.of();

        private @Nullable Close uncertainClose;

        private final List<Put> windowsPut = new ArrayList<>();
        private @Nullable Put uncertainPut;

        /** The bytes of each file that was ever seen, by folder and name. */
        private final Map<String, byte[]> seen = new HashMap<>();

        // Belongs to the current process.
        private @Nullable Journal journal;
        private @Nullable Checkpoints checkpoints;
        private @Nullable Pipeline pipeline;
        private @Nullable WindowCloser closer;
        private int cuts;

        Life(long seed) {
            random = new Random(seed);
            disk = new SimulatedDisk(random);
        }

        private Pipeline pipeline() {
            return Objects.requireNonNull(pipeline);
        }

        private Journal journal() {
            return Objects.requireNonNull(journal);
        }

        void live() throws Exception {
            start();
            for (int step = 0; step < STEPS; step++) {
                try {
                    step();
                } catch (IOException | RuntimeException e) {
                    if (!disk.isKilled()) {
                        throw e;
                    }
                    die();
                }
            }
            disk.restart();
            die();
            end();
        }

        private void step() throws Exception {
            now += random.nextInt(8) == 0 ? random.nextInt(5) * MINUTE : random.nextLong(10 * SECOND);
            switch (random.nextInt(20)) {
                case 0 -> disk.killAfter(random.nextInt(40));
                case 1 -> die();
                case 2, 3 -> checkpoint();
                case 4, 5, 6, 7 -> {
                    Objects.requireNonNull(closer).closeDue(now - START);
                    closer.write(now);
                    compare();
                }
                case 8 -> {
                    String name = random.nextBoolean() ? NAME : "For ever";
                    OptionalLong before = random.nextBoolean()
                            ? OptionalLong.empty()
                            : OptionalLong.of(now - random.nextLong(10 * MINUTE));
                    boolean any =
                            Objects.requireNonNull(closer).close(name, before).isPresent();
                    note("close by hand of " + name + " " + any);
                }
                case 9 -> put();
                default -> append();
            }
        }

        private void append() throws Exception {
            List<Message> record = new ArrayList<>();
            for (int count = 1 + random.nextInt(20); count > 0; count--) {
                Long time = switch (random.nextInt(20)) {
                    case 0 -> null;
                    case 1 -> now + 30 * MINUTE + random.nextLong(60 * MINUTE);
                    case 2 -> now - random.nextLong(30 * MINUTE);
                    default -> now - random.nextLong(MINUTE);
                };
                record.add(new Message(random.nextInt(4), random.nextInt(1_000), time, now + record.size()));
            }
            now += record.size();
            MessageBatch batch = batch(record);
            uncertainMessages = record;
            try {
                assertThat(journal().append(batch, TopicRule.MSGID)).isEqualTo(messages.size());
                journal().sync();
            } finally {
                pipeline().release(batch);
            }
            uncertainMessages = List.of();
            MessageBatch durable = batch(record);
            durable.firstSequence(messages.size());
            messages.addAll(record);
            pipeline().put(durable);
        }

        private MessageBatch batch(List<Message> record) {
            MessageBatch batch = pipeline().acquire();
            for (Message message : record) {
                SumPlan.add(batch, "t", message.key, message.value, message.time);
            }
            batch.firstStamp(record.get(0).arrival);
            return batch;
        }

        private void checkpoint() throws Exception {
            Checkpoints kept = Objects.requireNonNull(checkpoints);
            Cut cut = pipeline().cut(CutLease.Kind.CHECKPOINT);
            try {
                CheckpointInfo info = new CheckpointInfo(
                        "one", pipeline().topics(), cut.positions(), journal().syncedControls());
                kept.write(
                        new Cut(++cuts, 0, cut.summaries(), CutLease.unmanaged(), cut.positions(), cut.parts()),
                        info,
                        WatermarkPart.of(pipeline().marks()));
            } finally {
                cut.release();
            }
            note("checkpoint of " + messages.size());
            journal().release(kept.neededFrom(), kept.controlsFrom());
        }

        /** Closes windows as {@link DurableControls} does. */
        private boolean close(String summary, long before) throws IOException, InterruptedException {
            Pipeline.Closed taken = pipeline().closeWindows(summary, before).orElse(null);
            if (taken == null) {
                return false;
            }
            Close close = new Close(summary, before, messages.size());
            uncertainClose = close;
            var unused = journal()
                    .appendControl(new Control(
                            Control.Kind.CLOSE,
                            summary,
                            taken.positions(),
                            new WindowClose(taken.boundaryBefore(), before, List.of())));
            journal().sync();
            uncertainClose = null;
            closed.add(close);
            closes++;
            note("closed " + close);
            return true;
        }

        /** Puts other rows into one of the last closed windows of a summary. */
        private void put() throws Exception {
            String name = random.nextBoolean() ? NAME : "For ever";
            long width = name.equals(NAME) ? MINUTE : 5 * MINUTE;
            long boundary = closed.stream()
                    .filter(close -> close.summary.equals(name))
                    .mapToLong(Close::boundary)
                    .max()
                    .orElse(now);
            long start = Math.floorDiv(boundary, width) * width - random.nextInt(6) * width;
            Map<Long, Sum> rows = new TreeMap<>();
            byte[] file = file(name, start, width, rows);
            Put put = new Put(name, start, rows);
            try (WindowUpload upload = Objects.requireNonNull(closer).beginPut(name, file.length)) {
                upload.write(ByteBuffer.wrap(file));
                uncertainPut = put;
                Objects.requireNonNull(closer).put(name, upload, now, 1);
                note("put " + put);
            } catch (WindowRefusedException e) {
                note("not put " + put + ": " + e.getMessage());
            } finally {
                if (!disk.isKilled()) {
                    uncertainPut = null;
                }
            }
        }

        /** The file of a window with random rows, which are added to {@code rows}. */
        private byte[] file(String name, long start, long width, Map<Long, Sum> rows) throws Exception {
            SimulatedDisk elsewhere = new SimulatedDisk(random);
            try (Pipeline other =
                    Pipeline.start(PLAN, OPTIONS, RejectSink.NONE, PLAN.newSummaries(1_000), SavedIds.none())) {
                MessageBatch batch = other.acquire();
                for (int count = 1 + random.nextInt(5); count > 0; count--) {
                    long key = random.nextInt(4);
                    long value = random.nextInt(1_000);
                    SumPlan.add(batch, "t", key, value, start + random.nextLong(width));
                    rows.merge(key, new Sum(1, value), Sum::plus);
                }
                batch.firstStamp(start + width);
                other.put(batch);
                Cut cut = other.cut();
                try {
                    WindowFolder folder = WindowFolder.open(elsewhere, name, 1, this::note);
                    var unused = folder.write(cut, start, start + width);
                    return elsewhere.bytes(elsewhere.list().get(0)).clone();
                } finally {
                    cut.release();
                }
            }
        }

        /** Journals a put as {@link DurableControls} does. */
        private ClosedWindow put(String summary, DurableControls.Put put) throws IOException, InterruptedException {
            WindowPut prepared = put.prepare();
            Cut cut = pipeline().cut();
            cut.release();
            var unused = journal().appendControl(new Control(Control.Kind.PUT, summary, cut.positions(), prepared));
            journal().sync();
            windowsPut.add(Objects.requireNonNull(uncertainPut));
            uncertainPut = null;
            puts++;
            return put.rename(prepared);
        }

        private void die() throws Exception {
            boolean powerLost = random.nextBoolean();
            note(powerLost ? "power is lost" : "killed");
            end();
            restart(powerLost);
            start();
        }

        private void restart(boolean powerLost) {
            kills++;
            if (powerLost) {
                disk.loseEverythingUnsynced();
            } else {
                disk.restart();
            }
        }

        private void end() throws IOException {
            Journal ended = journal;
            if (ended != null) {
                SimulatedJournals.discard(ended);
            }
            journal = null;
            Pipeline stopped = pipeline;
            if (stopped != null) {
                stopped.close();
            }
            pipeline = null;
        }

        /** Starts a process, and another one when that is killed while starting. */
        private void start() throws Exception {
            if (random.nextInt(3) == 0) {
                disk.killAfter(random.nextInt(60));
            }
            while (true) {
                try {
                    recover();
                    return;
                } catch (IOException | RuntimeException e) {
                    if (!disk.isKilled()) {
                        throw e;
                    }
                    note("killed while it starts");
                    end();
                    restart(random.nextBoolean());
                }
            }
        }

        private void recover() throws Exception {
            Journal opened = SimulatedJournals.open(
                    disk.folder("journal"),
                    new JournalOptions(SEGMENT, 64 * SEGMENT, Compression.NONE),
                    random::nextInt);
            journal = opened;
            if (opened.endSequence() > messages.size()) {
                messages.addAll(uncertainMessages);
            }
            uncertainMessages = List.of();
            assertThat(opened.endSequence()).as(() -> story.toString()).isEqualTo(messages.size());
            Close perhaps = uncertainClose;
            if (perhaps != null && opened.endControl() > closed.size() + windowsPut.size()) {
                closed.add(perhaps);
            }
            uncertainClose = null;
            Put perhapsPut = uncertainPut;
            if (perhapsPut != null && opened.endControl() > closed.size() + windowsPut.size()) {
                windowsPut.add(perhapsPut);
                note("journalled " + perhapsPut);
            }
            uncertainPut = null;
            assertThat(opened.endControl()).as(() -> story.toString()).isEqualTo(closed.size() + windowsPut.size());
            Checkpoints folder = Checkpoints.open(disk.folder("checkpoints"), 1, this::note);
            checkpoints = folder;
            SimulatedDisk windows = (SimulatedDisk) disk.folder("windows");
            WindowFolders folders = WindowFolders.open(List.of(NAME, "For ever"), windows::folder, 1, this::note);
            PipelineRecovery recovery = PipelineRecovery.open(
                    folder,
                    opened,
                    name -> PLAN,
                    () -> new PipelineRecovery.Beginning("one", PLAN, PLAN.newSummaries(1_000)),
                    OPTIONS,
                    RejectSink.NONE,
                    1,
                    new RecoveryProgress(),
                    this::note);
            pipeline = recovery.pipeline();
            int prepared = prepared(windows);
            recovery.replay(folders, RangeSource.NONE, recovery.pipeline().plan(), now);
            assertThat(prepared(windows))
                    .as(() -> "files of unfinished puts\n" + story)
                    .isZero();
            putsFinished += prepared;
            pipeline().useFiles(folders);
            recoveries += recovery.isFirst() ? 0 : 1;
            closer = new WindowCloser(
                    pipeline(),
                    new WindowCloser.Controls() {
                        @Override
                        public boolean closeWindows(String summary, long before)
                                throws IOException, InterruptedException {
                            return close(summary, before);
                        }

                        @Override
                        public ClosedWindow put(String summary, DurableControls.Put put)
                                throws IOException, InterruptedException {
                            return Life.this.put(summary, put);
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
            Objects.requireNonNull(closer).begin();
            note("started with messages=" + messages.size() + " closes=" + closed.size());
        }

        /** Number of files that were prepared for a put. */
        private static int prepared(SimulatedDisk windows) {
            return (int) Stream.of(NAME, "For ever")
                    .flatMap(name -> ((SimulatedDisk) windows.folder(name)).list().stream())
                    .filter(file -> file.endsWith(".put"))
                    .count();
        }

        /** Compares rows, files and fates with the messages and closes so far. Call it after a step of the closer. */
        private void compare() throws Exception {
            Map<Fate, Integer> expectedFates = new EnumMap<>(Fate.class);
            Cut cut = pipeline().cut();
            try {
                compare(NAME, MINUTE, cut, KEEP, expectedFates);
                compare("For ever", 5 * MINUTE, cut, Long.MAX_VALUE, new EnumMap<>(Fate.class));
                LedgerCounts ledger = LedgerCounts.of(cut);
                LedgerAssert.assertSettled(ledger);
                for (Fate fate : List.of(Fate.APPLIED, Fate.UNTIMED, Fate.EARLY, Fate.LATE)) {
                    assertThat(ledger.intoSummary(NAME).count(fate))
                            .as("%s", fate)
                            .isEqualTo(expectedFates.getOrDefault(fate, 0).longValue());
                }
                expectedFates.forEach((fate, count) -> fates.merge(fate, count, Integer::sum));
            } finally {
                cut.release();
            }
            compareFiles();
        }

        private void compare(String name, long width, Cut cut, long keep, Map<Fate, Integer> expectedFates)
                throws IOException {
            Map<Long, Map<Long, Sum>> expected = new TreeMap<>();
            long boundary = Long.MIN_VALUE;
            int next = 0;
            List<Close> ofSummary =
                    closed.stream().filter(close -> close.summary.equals(name)).toList();
            for (int at = 0; at <= messages.size(); at++) {
                while (next < ofSummary.size() && ofSummary.get(next).before <= at) {
                    boundary = Math.max(boundary, ofSummary.get(next++).boundary);
                }
                if (at < messages.size()) {
                    Fate fate = fate(messages.get(at), width, boundary);
                    expectedFates.merge(fate, 1, Integer::sum);
                    if (fate == Fate.APPLIED) {
                        Message message = messages.get(at);
                        long start = Math.floorDiv(Objects.requireNonNull(message.time), width) * width;
                        expected.computeIfAbsent(start, s -> new TreeMap<>())
                                .merge(message.key, new Sum(1, message.value), Sum::plus);
                    }
                }
            }
            windowsPut.stream()
                    .filter(put -> put.summary.equals(name))
                    .forEach(put -> expected.put(put.start, put.rows));
            SummaryView view = cut.summary(name).orElseThrow();
            assertThat(view.closed().boundary()).isEqualTo(Math.max(boundary, Long.MIN_VALUE + 1));
            Map<Long, Map<Long, Sum>> found = new TreeMap<>();
            for (StoreView rows : view.partitions()) {
                assertThat(rows.window()).as("in memory").isGreaterThanOrEqualTo(boundary);
                add(rows, found);
            }
            for (ClosedWindow file : view.closed().files()) {
                assertThat(file.start()).as("in a file").isLessThan(boundary);
                assertThat(found).doesNotContainKey(file.start());
                try (RowSource.Rows rows = file.open(view.layout(), List.of())) {
                    for (StoreView part = rows.next(); part != null; part = rows.next()) {
                        add(part, found);
                    }
                }
            }
            long limit = keep == Long.MAX_VALUE ? Long.MIN_VALUE : now - keep;
            for (Map.Entry<Long, Map<Long, Sum>> window : expected.entrySet()) {
                if (window.getKey() < boundary && window.getKey() + width <= limit) {
                    expired++;
                    assertThat(found).as(() -> "kept too long\n" + story).doesNotContainKey(window.getKey());
                } else {
                    assertThat(found.remove(window.getKey()))
                            .as(() -> name + " window " + window.getKey() + "\n" + story)
                            .isEqualTo(window.getValue());
                }
            }
            assertThat(found).as(() -> name + "\n" + story).isEmpty();
        }

        private Fate fate(Message message, long width, long boundary) {
            if (message.time == null) {
                return Fate.UNTIMED;
            }
            if (message.time - message.arrival > OPTIONS.windows().aheadMicros()) {
                return Fate.EARLY;
            }
            return Math.floorDiv(message.time, width) * width < boundary ? Fate.LATE : Fate.APPLIED;
        }

        private void add(StoreView rows, Map<Long, Map<Long, Sum>> found) {
            int time = rows.layout().keys().get(0).name().equals("w") ? 0 : 1;
            RowCursor cursor = rows.cursor();
            while (cursor.next()) {
                found.computeIfAbsent(cursor.keyLong(time), s -> new TreeMap<>())
                        .merge(cursor.keyLong(1 - time), new Sum(cursor.longValue(0), cursor.longValue(1)), (a, b) -> {
                            throw new AssertionError("a key is there twice\n" + story);
                        });
            }
        }

        /** Files never change, and there is no file without a close. */
        private void compareFiles() {
            for (String name : List.of(NAME, "For ever")) {
                SimulatedDisk folder = (SimulatedDisk) disk.folder("windows").folder(name);
                note("at " + now + " files of " + name + " " + folder.list());
                for (String file : folder.list()) {
                    byte[] bytes = folder.bytes(file);
                    byte[] before = seen.putIfAbsent(name + "/" + file, bytes.clone());
                    if (before == null) {
                        files++;
                    } else {
                        assertThat(bytes).as(() -> file + " changed\n" + story).isEqualTo(before);
                    }
                }
            }
        }

        private void note(String what) {
            story.append(what).append('\n');
        }
    }
}
