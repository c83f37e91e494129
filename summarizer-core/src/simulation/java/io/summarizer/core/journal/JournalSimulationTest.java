package io.summarizer.core.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A journal over a disk that forgets, tears, fails and fills, killed at any call: synced messages are read back exactly
 * once and in order, others as whole records or not at all, damage costs only what it hit, and losses are reported.
 *
 * <p>A failure names its seed, see {@link Seeds}.
 */
class JournalSimulationTest {
    @Test
    void keepsWhatWasSynced() {
        runSeeds(Seeds.count(300));
    }

    @Test
    @Tag("long")
    void keepsWhatWasSyncedForManySeeds() {
        runSeeds(Seeds.count(10_000));
    }

    /**
     * In the first, numbers were reused: power was lost after a segment whose name was not synced had replaced an
     * abandoned one. In the second, messages that a start had found were missing at the next: they followed a damaged
     * control whose number was reused.
     */
    @ParameterizedTest
    @ValueSource(longs = {71190373009296L, 71927864652560L})
    void keepsWhatWasSyncedForSeedsThatFailedOnce(long seed) {
        run(seed);
    }

    private static void runSeeds(int seeds) {
        long first = Seeds.first();
        for (long seed = first; seed < first + seeds; seed++) {
            run(seed);
        }
    }

    private static void run(long seed) {
        try {
            new Simulation(new Random(seed)).run();
        } catch (IOException | RuntimeException | Error e) {
            throw new AssertionError("failed with " + Seeds.replay(seed), e);
        }
    }

    /** A control, and the sequence of the first message after it. */
    private record PlacedControl(Control control, long end) {}

    private static final class Simulation {
        private static final int STEPS = 80;
        private static final long SEGMENT = 64 * 1024;

        private final Random random;
        private final SimulatedDisk disk;
        private final JournalOptions options;

        private @Nullable Journal journal;

        /** The expected contents: messages that were synced, or were found at the last start. */
        private final TreeMap<Long, String> messages = new TreeMap<>();

        private final TreeMap<Long, PlacedControl> controls = new TreeMap<>();
        private long synced;
        private long syncedControls;
        private long released;
        private long releasedControls;
        /**
         * The place to which the journal was told to skip, which it has forgotten at the next start unless something
         * was appended.
         */
        private long skipped;

        private long skippedControls;

        /** Whole records that were appended at a sequence and may or may not exist. */
        private final Map<Long, Set<List<String>>> attempts = new HashMap<>();

        private final Map<Long, Set<Control>> controlAttempts = new HashMap<>();

        /** Sequences known to be missing. */
        private final Set<Long> holes = new TreeSet<>();

        Simulation(Random random) {
            this.random = random;
            disk = new SimulatedDisk(random);
            Compression compression = random.nextBoolean() ? Compression.ZSTD : Compression.NONE;
            options = new JournalOptions(SEGMENT, (4 + random.nextInt(6)) * SEGMENT, compression);
        }

        private Journal journal() {
            Journal journal = this.journal;
            if (journal == null) {
                throw new AssertionError("no journal is open");
            }
            return journal;
        }

        void run() throws IOException {
            open();
            for (int step = 0; step < STEPS; step++) {
                try {
                    step();
                } catch (SimulatedDisk.Killed e) {
                    die(random.nextBoolean());
                }
            }
            disk.restart();
            disk.failing(0, 0);
            disk.capacity(Long.MAX_VALUE);
            die(random.nextBoolean());
        }

        private void step() throws IOException {
            switch (random.nextInt(32)) {
                case 0 -> disk.killAfter(random.nextInt(60));
                case 1 -> die(true);
                case 2 -> die(false);
                case 3 -> closeAndOpen();
                case 4 -> disk.failing(random.nextInt(3) == 0 ? 0.3 : 0, random.nextInt(3) == 0 ? 0.3 : 0);
                case 5 ->
                    disk.capacity(
                            random.nextBoolean() ? Long.MAX_VALUE : disk.used() + random.nextInt((int) (2 * SEGMENT)));
                case 6, 7 -> appendControl();
                case 8, 9, 10 -> release();
                case 11 -> attempt(() -> journal().markSynced());
                case 12 -> readSome();
                case 13, 14, 15, 16, 17, 18, 19 -> attempt(() -> journal().sync());
                default -> append();
            }
            assertThat(journal().bytes()).as("bytes").isLessThanOrEqualTo(options.maxBytes() + 2 * SEGMENT);
            assertThat(disk.used()).as("bytes on the disk").isLessThanOrEqualTo(options.maxBytes() + 3 * SEGMENT);
        }

        private interface Attempt {
            void run() throws IOException;
        }

        /** Runs an operation that may fail; then the journal has only what was synced. */
        private void attempt(Attempt attempt) {
            try {
                attempt.run();
            } catch (IOException e) {
                assertThat(journal().endSequence()).isEqualTo(journal().syncedSequence());
                assertThat(journal().endControl()).isEqualTo(journal().syncedControls());
                if (random.nextBoolean()) {
                    disownControls();
                }
            }
            long nowSynced = journal().syncedSequence();
            long nowSyncedControls = journal().syncedControls();
            assertThat(nowSynced).isGreaterThanOrEqualTo(synced);
            assertThat(nowSyncedControls).isGreaterThanOrEqualTo(syncedControls);
            synced = nowSynced;
            syncedControls = nowSyncedControls;
            messages.tailMap(journal().endSequence()).clear();
            controls.tailMap(journal().endControl()).clear();
        }

        /** Disowns controls: from then on no control that is not in the journal may ever be found. */
        private void disownControls() {
            try {
                journal().disownControls();
                controlAttempts.clear();
            } catch (IOException e) {
                // uncertain
            }
        }

        private void append() {
            List<String> texts = random.nextInt(60) == 0
                    ? List.of("x".repeat((int) SEGMENT + random.nextInt((int) SEGMENT)))
                    : Messages.random(random, random.nextInt(8) == 0 ? 200 : 5, 3_000);
            MessageBatch batch = Messages.batch(texts);
            batch.listener(random.nextInt(3));
            if (!journal().hasRoom(batch)) {
                if (random.nextBoolean()) {
                    release(synced, syncedControls);
                }
                return;
            }
            attempt(() -> {
                // Its place on success; when a segment has to be begun for it and that fails, it has none.
                long first = journal().endSequence();
                attempts.computeIfAbsent(first, key -> new HashSet<>()).add(texts);
                for (int i = 0; i < texts.size(); i++) {
                    messages.put(first + i, texts.get(i));
                }
                long given = journal().append(batch, TopicRule.values()[batch.listener()]);
                assertThat(given).isEqualTo(first);
                assertThat(batch.firstSequence()).isEqualTo(first);
            });
        }

        private void appendControl() {
            Control control = new Control(
                    random.nextBoolean() ? Control.Kind.RESET : Control.Kind.DEFINITIONS,
                    "c" + random.nextInt(1000),
                    LongStream.range(0, random.nextInt(4)).boxed().toList());
            attempt(() -> {
                long number = journal().endControl();
                controlAttempts.computeIfAbsent(number, key -> new HashSet<>()).add(control);
                controls.put(number, new PlacedControl(control, journal().endSequence()));
                assertThat(journal().appendControl(control)).isEqualTo(number);
            });
        }

        private void release() {
            release(
                    released + random.nextInt((int) (synced - released) + 1),
                    random.nextInt(4) == 0 ? releasedControls : syncedControls);
        }

        private void release(long sequence, long control) {
            released = Math.max(released, sequence);
            releasedControls = Math.max(releasedControls, control);
            journal().release(sequence, control);
        }

        private void closeAndOpen() throws IOException {
            try {
                journal().close();
                synced = journal().syncedSequence();
                syncedControls = journal().syncedControls();
            } catch (IOException e) {
                journal().discard();
                forgetUnsynced();
            }
            journal = null;
            open();
        }

        private void die(boolean powerLost) throws IOException {
            Journal journal = this.journal;
            if (journal != null) {
                journal.discard();
            }
            this.journal = null;
            if (powerLost) {
                disk.loseEverythingUnsynced();
            } else {
                disk.restart();
            }
            forgetUnsynced();
            open();
        }

        private void forgetUnsynced() {
            messages.tailMap(synced).clear();
            controls.tailMap(syncedControls).clear();
        }

        /** Opens the journal, possibly after damage, and compares all of its contents. */
        private void open() throws IOException {
            disk.failing(0, 0);
            disk.capacity(Long.MAX_VALUE);
            Damage damage = null;
            if (random.nextInt(4) == 0) {
                disk.restart(); // damage is compared at once
                damage = damage();
            }
            Journal journal = Journal.open(disk, options, note -> {}, random::nextInt, Runnable::run);
            this.journal = journal;
            if (damage == null) {
                assertThat(Math.max(skipped, journal.endSequence())).isGreaterThanOrEqualTo(synced);
                assertThat(Math.max(skippedControls, journal.endControl())).isGreaterThanOrEqualTo(syncedControls);
            } else {
                holes.addAll(damage.messages);
                damage.messages.forEach(messages::remove);
                damage.controls.forEach(controls::remove);
            }
            // Recovery does the same for messages that a checkpoint covers: no sequence is used twice.
            skipped = journal.endSequence() < synced ? synced : 0;
            skippedControls = journal.endControl() < syncedControls ? syncedControls : 0;
            journal.skipTo(synced, syncedControls);
            Content content = read(released);
            compare(content, damage);
            synced = journal.endSequence();
            syncedControls = journal.endControl();
            attempts.clear();
            controlAttempts.clear();
        }

        /** The result of reading. */
        private static final class Content {
            final TreeMap<Long, List<String>> records = new TreeMap<>();
            final TreeMap<Long, PlacedControl> controls = new TreeMap<>();
            final Set<Long> lost = new TreeSet<>();
            long lostControls;
        }

        private Content read(long from) throws IOException {
            Content content = new Content();
            MessageBatch batch = new MessageBatch(1024);
            long expected = 0;
            try (JournalReader reader = journal().read(from)) {
                while (true) {
                    JournalReader.Entry entry = reader.next();
                    switch (entry) {
                        case MESSAGES -> {
                            reader.fill(batch);
                            assertThat(reader.firstSequence()).isGreaterThanOrEqualTo(expected);
                            assertThat(batch.firstSequence()).isEqualTo(reader.firstSequence());
                            assertThat(batch.firstStamp()).isEqualTo(1_000);
                            assertThat(reader.topicRule()).isEqualTo(TopicRule.values()[batch.listener()]);
                            expected = reader.firstSequence() + batch.count();
                            content.records.put(reader.firstSequence(), Messages.of(batch));
                        }
                        case CONTROL ->
                            content.controls.put(
                                    reader.controlNumber(),
                                    new PlacedControl(reader.control(), reader.firstSequence()));
                        case RANGE -> throw new AssertionError("nobody appended a range");
                        case LOST -> {
                            Lost lost = reader.lost();
                            LongStream.range(Math.max(from, lost.from()), lost.to())
                                    .forEach(content.lost::add);
                            content.lostControls += lost.controls();
                        }
                        case END -> {
                            return content;
                        }
                    }
                }
            }
        }

        private void compare(Content content, @Nullable Damage damage) {
            long end = journal().endSequence();
            TreeMap<Long, String> found = new TreeMap<>();
            content.records.forEach((first, texts) -> {
                if (first >= synced) {
                    assertThat(attempts.getOrDefault(first, Set.of()))
                            .as("a record that was not synced, at %d", first)
                            .contains(texts);
                }
                for (int i = 0; i < texts.size(); i++) {
                    found.put(first + i, texts.get(i));
                }
            });
            found.headMap(released).clear();
            // The damage may have left it readable: a flip of an irrelevant bit.
            if (damage != null) {
                damage.messages.forEach(sequence -> {
                    if (found.containsKey(sequence)) {
                        holes.remove(sequence);
                        messages.put(sequence, damage.before.getOrDefault(sequence, ""));
                    }
                });
            }
            messages.headMap(released).clear();
            // Unreadable messages that were not synced never existed: their sequences are reused.
            holes.removeIf(sequence -> sequence < released || sequence >= end);
            assertThat(found.headMap(synced).keySet())
                    .as("sequences that were synced")
                    .isEqualTo(messages.headMap(synced).keySet());
            assertThat(found.headMap(synced)).as("what was synced").isEqualTo(messages.headMap(synced));
            found.tailMap(synced).forEach(messages::put);
            for (long sequence = Math.max(released, synced); sequence < end; sequence++) {
                if (!found.containsKey(sequence)) {
                    holes.add(sequence);
                }
            }
            // Missing messages at the very end are not known to be missing.
            Set<Long> expectedHoles = new TreeSet<>(holes);
            long last = found.isEmpty() ? released : found.lastKey() + 1;
            expectedHoles.removeIf(sequence -> sequence >= last && !content.lost.contains(sequence));
            assertThat(content.lost).as("what is said to be missing").isEqualTo(expectedHoles);

            TreeMap<Long, PlacedControl> wanted = new TreeMap<>();
            controls.headMap(syncedControls).forEach((number, control) -> {
                boolean kept = number >= releasedControls && control.end() >= released;
                if (kept && !(damage != null && damage.controls.contains(number))) {
                    wanted.put(number, control);
                }
            });
            assertThat(content.controls).as("controls").containsAllEntriesOf(wanted);
            if (!content.controls.isEmpty()) {
                long missing = content.controls.lastKey() - content.controls.firstKey() + 1 - content.controls.size();
                assertThat(content.lostControls)
                        .as("controls said to be missing")
                        .isGreaterThanOrEqualTo(missing);
            }
            content.controls.tailMap(syncedControls).forEach((number, control) -> {
                assertThat(controlAttempts.getOrDefault(number, Set.of())).contains(control.control());
                controls.put(number, control);
            });
        }

        /** Reads from any place while the journal is written; unsynced messages may be read or not. */
        private void readSome() throws IOException {
            disk.killAfter(Integer.MAX_VALUE);
            long from = released + random.nextInt((int) (synced - released) + 1);
            Content content = read(from);
            TreeMap<Long, String> found = new TreeMap<>();
            content.records.forEach((first, texts) -> {
                for (int i = 0; i < texts.size(); i++) {
                    found.put(first + i, texts.get(i));
                }
            });
            assertThat(found.subMap(Math.min(from, synced), synced))
                    .as("from %d", from)
                    .isEqualTo(messages.subMap(Math.min(from, synced), synced));
            List<Long> numbers = journal().controls(from).stream()
                    .map(Journal.NumberedControl::number)
                    .toList();
            assertThat(numbers)
                    .containsAll(controls.headMap(syncedControls).entrySet().stream()
                            .filter(entry -> entry.getKey() >= releasedControls
                                    && entry.getValue().end() >= from)
                            .map(Map.Entry::getKey)
                            .toList());
        }

        /** The possible cost of a damaged place. */
        private static final class Damage {
            final Set<Long> messages = new TreeSet<>();
            final Set<Long> controls = new TreeSet<>();
            final Map<Long, String> before = new HashMap<>();
        }

        private @Nullable Damage damage() throws IOException {
            List<SegmentName> names = SegmentName.among(disk.list());
            if (names.isEmpty()) {
                return null;
            }
            String file = names.get(random.nextInt(names.size())).file();
            int size = disk.bytes(file).length;
            if (size == 0) {
                return null;
            }
            // Mostly where there are contents.
            long position = random.nextInt(random.nextBoolean() ? size : Math.min(size, 16 * 1024));
            long from = position / 512 * 512;
            long to = from + 512;
            Damage damage = new Damage();
            int how = random.nextInt(3);
            if (how == 0) {
                from = position;
                to = position + 1;
            } else if (how == 2) {
                from = position / 4096 * 4096; // a block is read as a whole
                to = from + 4096;
            }
            try (JournalReader reader = Journal.inspect(disk, 0, true)) {
                MessageBatch batch = new MessageBatch(1024);
                JournalReader.Entry entry;
                while ((entry = reader.next()) != JournalReader.Entry.END) {
                    if (entry == JournalReader.Entry.LOST
                            || !reader.file().equals(file)
                            || reader.position() >= to
                            || reader.position() + reader.storedBytes() <= from) {
                        continue;
                    }
                    if (entry == JournalReader.Entry.CONTROL) {
                        damage.controls.add(reader.controlNumber());
                    } else {
                        reader.fill(batch);
                        List<String> texts = Messages.of(batch);
                        for (int i = 0; i < texts.size(); i++) {
                            damage.messages.add(reader.firstSequence() + i);
                            damage.before.put(reader.firstSequence() + i, texts.get(i));
                        }
                    }
                }
            }
            switch (how) {
                case 0 -> disk.flip(file, position, 1 << random.nextInt(8));
                case 1 -> disk.zero(file, position);
                default -> disk.makeUnreadable(file, position);
            }
            return damage;
        }
    }
}
