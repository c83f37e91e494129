package io.summarizer.core.recovery;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Control;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.journal.JournalReader;
import io.summarizer.core.journal.SimulatedJournals;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.pipeline.SumPlan.Sum;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.state.DamagedStateException;
import io.summarizer.core.store.Cut;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Journal, checkpoints and recovery over a disk that forgets, tears, fails and fills, killed at any call, also while
 * starting: after each start every synced message since the last reset is in the rows once, under the definitions that
 * were in force at its place; of unsynced ones, whole records that follow them, or none. One thread does all work, so a
 * seed determines a life; the seed of keys' hashes, which determines the size of a compressed checkpoint, belongs to
 * it.
 */
@Timeout(900)
class RecoverySimulationTest {
    private record Message(long key, long value) {}

    private static final Message NOTHING = new Message(-1, -1);

    /** A control, and the number of messages before it. */
    private record Change(Control control, long before) {}

    @Test
    void shouldHaveWhatWasSyncedInTheRowsOnce() throws Exception {
        runSeeds(Seeds.count(100));
    }

    @Test
    @Tag("long")
    void shouldHaveWhatWasSyncedInTheRowsOnceForManySeeds() throws Exception {
        runSeeds(Seeds.count(10_000));
    }

    /** Otherwise a failure could not be analysed. */
    @Test
    void shouldLiveTheSameLifeAgain() throws Exception {
        long first = Seeds.first();
        for (long seed = first; seed < first + 10; seed++) {
            assertThat(run(seed)).as("lived before, %s", Seeds.replay(seed)).isEqualTo(run(seed));
        }
    }

    /** Events of all lives together: a simulation without any proves nothing. */
    private int checkpoints;

    private int recoveries;
    private int killedWhileStarting;
    private int damaged;

    private void runSeeds(int seeds) throws Exception {
        long first = Seeds.first();
        for (long seed = first; seed < first + seeds; seed++) {
            var unused = run(seed);
        }
        if (seeds >= 100) {
            assertThat(List.of(checkpoints, recoveries, killedWhileStarting, damaged))
                    .as("checkpoints, starts from one, kills of starts, damaged ones")
                    .allMatch(count -> count > seeds / 4);
        }
    }

    /** Lives a life; returns its story. */
    private String run(long seed) throws Exception {
        Life life = new Life(seed);
        try {
            life.live();
            return life.story();
        } catch (IOException | RuntimeException | Error e) {
            throw new AssertionError("failed with " + Seeds.replay(seed) + "\n" + life.story(), e);
        }
    }

    /** A disk, its successive processes, and their expected state. */
    private final class Life {
        private static final int STEPS = 60;
        private static final long SEGMENT = 64 * 1024;
        private static final PipelineOptions OPTIONS = PipelineOptions.DEFAULT.withMode(PipelineMode.LOCKED, 1);

        private final Random random;
        private final SimulatedDisk disk;
        private final JournalOptions journalOptions;

        /** By sequence: messages that were synced, or found at a start. */
        private final List<Message> messages = new ArrayList<>();
        /** Records that were appended at a sequence and may be found there. */
        private final Map<Long, Set<List<Message>>> attempts = new HashMap<>();
        /** By number. */
        private final TreeMap<Long, Change> changes = new TreeMap<>();
        /** A control that the next process may or may not have. */
        private @Nullable Change uncertain;

        /** Whether something failed since the last start, or may have. */
        private boolean troubled;

        /** Fewest checkpoints that are kept and undamaged. */
        private int sound;

        private final StringBuilder story = new StringBuilder();

        // Belongs to the current process.
        private @Nullable Journal journal;
        private @Nullable Checkpoints folder;
        private @Nullable Pipeline pipeline;
        private int cuts;
        private final List<List<Message>> appended = new ArrayList<>();
        private String definitions = "one";

        Life(long seed) {
            random = new Random(seed);
            disk = new SimulatedDisk(random);
            journalOptions = new JournalOptions(
                    SEGMENT, 64 * SEGMENT, random.nextBoolean() ? Compression.ZSTD : Compression.NONE);
        }

        private Journal journal() {
            return Objects.requireNonNull(journal);
        }

        private Pipeline pipeline() {
            return Objects.requireNonNull(pipeline);
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
                    die(random.nextInt(3) == 0);
                }
            }
            disk.restart();
            die(random.nextBoolean());
            end();
        }

        private void step() throws Exception {
            switch (random.nextInt(24)) {
                case 0 -> disk.killAfter(random.nextInt(80));
                case 1 -> die(true);
                case 2 -> die(false);
                case 3 -> {
                    troubled = true;
                    disk.failing(random.nextInt(3) == 0 ? 0.3 : 0, random.nextInt(3) == 0 ? 0.3 : 0);
                }
                case 4 -> {
                    troubled = true;
                    disk.capacity(random.nextInt(3) > 0 ? Long.MAX_VALUE : SEGMENT * (1 + random.nextInt(8)));
                }
                case 5 -> reset();
                case 6 -> reload();
                case 7, 8, 9, 10 -> checkpoint();
                case 11, 12, 13, 14, 15 -> sync();
                default -> append();
            }
        }

        private void append() throws InterruptedException {
            List<Message> record = new ArrayList<>();
            for (int count = random.nextInt(10) == 0 ? 300 : 1 + random.nextInt(9); count > 0; count--) {
                record.add(new Message(random.nextInt(5), random.nextInt(1_000)));
            }
            MessageBatch batch = batch(record);
            long at = journal().endSequence();
            attempts.computeIfAbsent(at, key -> new HashSet<>()).add(record);
            try {
                assertThat(journal().append(batch, TopicRule.MSGID)).isEqualTo(at);
                appended.add(record);
            } catch (IOException e) {
                note("append fails: " + e.getMessage());
                assertThat(troubled).as(this::story).isTrue();
                handOver(); // it may have synced earlier records
            } finally {
                pipeline().release(batch);
            }
        }

        private boolean sync() throws InterruptedException {
            boolean synced = true;
            try {
                journal().sync();
            } catch (IOException e) {
                note("sync fails: " + e.getMessage());
                assertThat(troubled).as(this::story).isTrue();
                synced = false;
            }
            handOver();
            return synced;
        }

        /** Hands synced messages over to the rows; others that could not be synced are no longer in the journal. */
        private void handOver() throws InterruptedException {
            for (List<Message> record : appended) {
                if (messages.size() < journal().syncedSequence()) {
                    MessageBatch batch = batch(record);
                    batch.firstSequence(messages.size());
                    messages.addAll(record);
                    pipeline().put(batch);
                }
            }
            appended.clear();
            assertThat(journal().syncedSequence()).as(this::story).isEqualTo(messages.size());
            assertThat(journal().endSequence()).as(this::story).isEqualTo(messages.size());
        }

        private MessageBatch batch(List<Message> record) {
            MessageBatch batch = pipeline().acquire();
            for (Message message : record) {
                SumPlan.add(batch, "t", message.key, message.value);
            }
            batch.firstStamp(1 + messages.size());
            return batch;
        }

        private void checkpoint() throws Exception {
            Checkpoints kept = Objects.requireNonNull(folder);
            Cut cut = pipeline().cut(CutLease.Kind.CHECKPOINT);
            try {
                CheckpointInfo info = new CheckpointInfo(
                        definitions,
                        pipeline().topics(),
                        cut.positions(),
                        journal().syncedControls());
                // Without the time of day, whose compressed length differs in each run; ids of cuts begin with it, too.
                kept.write(
                        new Cut(++cuts, 0, cut.summaries(), CutLease.unmanaged(), cut.positions(), cut.parts()), info);
                checkpoints++;
                sound = Math.min(sound + 1, Checkpoints.KEPT);
                note("checkpoint of " + info.end());
            } catch (IOException e) {
                note("checkpoint fails: " + e.getMessage());
                if (!troubled || e instanceof DamagedStateException) {
                    throw e;
                }
                return;
            } finally {
                cut.release();
            }
            journal().release(kept.neededFrom(), kept.controlsFrom());
        }

        private void reset() throws Exception {
            String summary = SumState.SUMMARIES.get(random.nextInt(SumState.SUMMARIES.size()));
            if (!quiet()) {
                return;
            }
            Cut cut = pipeline().reset(summary).orElse(null);
            if (cut != null) {
                List<Long> positions = cut.positions();
                cut.release();
                control(new Control(Control.Kind.RESET, summary, positions));
            }
        }

        private void reload() throws Exception {
            String name = SumState.NAMES.get(random.nextInt(SumState.NAMES.size()));
            if (!quiet()) {
                return;
            }
            List<Long> positions = pipeline().reload(SumState.plan(name)).positions();
            definitions = name;
            control(new Control(Control.Kind.DEFINITIONS, name, positions));
        }

        /** Makes the disk work, and syncs everything: other tests cover controls that cannot be journalled. */
        private boolean quiet() throws Exception {
            disk.failing(0, 0);
            disk.capacity(Long.MAX_VALUE);
            return sync();
        }

        private void control(Control control) throws IOException {
            Change change = new Change(control, messages.size());
            assertThat(control.positions()).as(this::story).containsExactly((long) messages.size());
            uncertain = change;
            long number = journal().appendControl(control);
            journal().sync();
            uncertain = null;
            changes.put(number, change);
            note("control " + number + " " + control);
        }

        /** Ends the process, possibly with a loss of unsynced bytes. */
        private void die(boolean powerLost) throws Exception {
            note(powerLost ? "power is lost" : "killed");
            end();
            if (powerLost) {
                disk.loseEverythingUnsynced();
            } else {
                disk.restart();
            }
            start();
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
            appended.clear();
        }

        /** Starts a process, and another one when that is killed while starting. */
        private void start() throws Exception {
            troubled = false;
            disk.failing(0, 0);
            disk.capacity(Long.MAX_VALUE);
            if (random.nextInt(4) == 0) {
                damage();
            }
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
                    killedWhileStarting++;
                    end();
                    if (random.nextInt(3) == 0) {
                        disk.loseEverythingUnsynced();
                    } else {
                        disk.restart();
                    }
                }
            }
        }

        /** Damages one byte of the newest checkpoint, when the one before it is sound. */
        private void damage() {
            if (sound < Checkpoints.KEPT) {
                return;
            }
            sound--;
            SimulatedDisk folder = (SimulatedDisk) disk.folder("checkpoints");
            disk.restart();
            String newest = folder.list().stream()
                    .filter(name -> name.endsWith(".state"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            int length = folder.bytes(newest).length;
            folder.flip(newest, random.nextInt(length), 1 + random.nextInt(255));
            note("damage to " + newest);
            damaged++;
        }

        private void recover() throws Exception {
            Journal journal = SimulatedJournals.open(disk.folder("journal"), journalOptions, random::nextInt);
            this.journal = journal;
            Checkpoints checkpoints = Checkpoints.open(disk.folder("checkpoints"), 1, this::note);
            folder = checkpoints;
            findUnsynced(journal);
            PipelineRecovery recovery = PipelineRecovery.open(
                    checkpoints,
                    journal,
                    SumState::plan,
                    () -> new PipelineRecovery.Beginning(
                            "one", SumState.plan("one"), SumState.plan("one").newSummaries(1_000)),
                    OPTIONS,
                    RejectSink.NONE,
                    1,
                    new RecoveryProgress(),
                    this::note);
            pipeline = recovery.pipeline();
            recovery.replay(null, RangeSource.NONE, recovery.pipeline().plan(), 0);
            recoveries += recovery.isFirst() ? 0 : 1;
            definitions = recovery.definitions();
            compare();
            attempts.clear();
        }

        /** Finds whole unsynced records, which count from now on. */
        private void findUnsynced(Journal journal) throws IOException {
            long end = journal.endSequence();
            note("journal from " + journal.firstSequence() + " to " + end + ", synced " + messages.size());
            MessageBatch batch = new MessageBatch(1024);
            try (JournalReader reader = journal.read(messages.size())) {
                for (JournalReader.Entry entry = reader.next();
                        entry != JournalReader.Entry.END;
                        entry = reader.next()) {
                    if (entry == JournalReader.Entry.LOST) {
                        assertThat(reader.lost().from()).as(this::story).isGreaterThanOrEqualTo(messages.size());
                        fill(reader.lost().to());
                    }
                    if (entry == JournalReader.Entry.MESSAGES && reader.firstSequence() >= messages.size()) {
                        reader.fill(batch);
                        assertThat(reader.firstSequence()).as(this::story).isEqualTo(messages.size());
                        List<Message> record = messages(batch);
                        assertThat(attempts.getOrDefault(reader.firstSequence(), Set.of()))
                                .as(this::story)
                                .contains(record);
                        messages.addAll(record);
                    }
                }
            }
            fill(end);
            Change perhaps = uncertain;
            uncertain = null;
            if (perhaps != null && journal.endControl() > (changes.isEmpty() ? 0 : changes.lastKey() + 1)) {
                changes.put(journal.endControl() - 1, perhaps);
            }
        }

        /** Fills the sequences of unsynced messages that cannot be read, but are followed by readable ones. */
        private void fill(long end) {
            while (messages.size() < end) {
                messages.add(NOTHING);
            }
        }

        private static List<Message> messages(MessageBatch batch) {
            List<Message> found = new ArrayList<>();
            for (int i = 0; i < batch.count(); i++) {
                IMessage message = batch.message(i);
                String[] words = new String(
                                batch.bytes(),
                                message.offset(MessageBatch.FRAME),
                                message.length(MessageBatch.FRAME),
                                ISO_8859_1)
                        .trim()
                        .split(" ");
                found.add(new Message(Long.parseLong(words[7]), Long.parseLong(words[8])));
            }
            return found;
        }

        private void compare() throws InterruptedException {
            Cut cut = pipeline().cut();
            Map<String, Map<Long, Sum>> found = SumPlan.sums(cut);
            LedgerCounts ledger = LedgerCounts.of(cut);
            cut.release();
            LedgerAssert.assertSettled(ledger);
            assertThat(List.of(ledger.total().received(), ledger.total().count(Fate.LOST)))
                    .as("received, lost\n%s", ledger)
                    .as(this::story)
                    .containsExactly((long) messages.size(), (long) Collections.frequency(messages, NOTHING));
            assertThat(found).as(this::story).isEqualTo(expected());
        }

        private Map<String, Map<Long, Sum>> expected() {
            SumState state = new SumState("one");
            int at = 0;
            for (Change change : changes.values()) {
                for (; at < change.before; at++) {
                    add(messages.get(at), state);
                }
                if (change.control.kind() == Control.Kind.RESET) {
                    state.reset(change.control.name());
                } else {
                    state.define(change.control.name());
                }
            }
            for (; at < messages.size(); at++) {
                add(messages.get(at), state);
            }
            return state.sums();
        }

        private static void add(Message message, SumState state) {
            if (!message.equals(NOTHING)) {
                state.add(message.key, message.value);
            }
        }

        private void note(String what) {
            story.append(what).append('\n');
        }

        private String story() {
            return story.toString();
        }
    }
}
