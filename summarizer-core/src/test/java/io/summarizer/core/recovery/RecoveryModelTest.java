package io.summarizer.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.journal.JournalWriter;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.pipeline.SumPlan.Sum;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.Cut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that are killed and restarted, possibly with other pipelines and a damaged checkpoint, against a plain list
 * of the journalled messages: after each start, and before each end, every message of the journal since the last reset
 * is in the rows once, under the definitions that were in force when its pipeline reached it.
 */
@Timeout(600)
class RecoveryModelTest {
    private static final String[] TOPICS = {"x", "a", "b"};
    /** The key of messages that are not journalled, and so not compared. */
    private static final long UNJOURNALLED = 1_000;

    @TempDir
    Path folder;

    private record Message(int topic, long key, long value) {}

    /** A change, which for each topic precedes a certain message. */
    private record Change(String definitions, String reset, List<Long> before) {}

    @Test
    void shouldHaveEachJournalledMessageInTheRowsOnceWhateverHappens() throws Exception {
        long seed = Seeds.first();
        for (int i = 0; i < Seeds.count(12); i++) {
            new World(folder.resolve("world-" + i), seed + i).live(40);
        }
    }

    @Test
    @Tag("long")
    void shouldHaveEachJournalledMessageInTheRowsOnceInManyWorlds() throws Exception {
        long seed = Seeds.first();
        for (int i = 0; i < Seeds.count(500); i++) {
            new World(folder.resolve("world-" + i), seed + i).live(60);
        }
    }

    /** A data folder, its successive processes, and their expected state. */
    @SuppressWarnings("NullAway.Init") // set by the start of a process
    private static final class World {
        private final Path folder;
        private final long seed;
        private final Random random;

        /** By sequence. */
        private final List<Message> messages = new ArrayList<>();

        private final List<Change> changes = new ArrayList<>();
        /** Messages before it are in the journal for good. */
        private final AtomicLong acknowledged = new AtomicLong();

        private String definitions = "one";
        private final StringBuilder story = new StringBuilder();

        // Belongs to the current process, like all fields from here to live.
        private MortalDisk disk;
        private Journal journal;
        private JournalWriter writer;
        private DurableControls durable;
        private Pipeline pipeline;
        private Checkpointer checkpointer;
        private PipelineOptions options;

        World(Path folder, long seed) throws IOException {
            this.folder = Files.createDirectories(folder);
            this.seed = seed;
            random = new Random(seed);
        }

        void live(int actions) throws Exception {
            start();
            for (int i = 0; i < actions; i++) {
                switch (random.nextInt(12)) {
                    case 0 -> checkpoint();
                    case 1 -> refusedByTheJournalPerhaps(this::reload);
                    case 2 -> refusedByTheJournalPerhaps(this::reset);
                    case 3 -> compareAtRest();
                    case 4 -> {
                        kill();
                        start();
                    }
                    case 5 -> {
                        stop();
                        start();
                    }
                    default -> send();
                }
            }
            stop();
        }

        private void start() throws Exception {
            note("start");
            disk = new MortalDisk(new FileDisk(folder.resolve("journal")));
            journal = Journal.open(disk, new JournalOptions(64 << 10, 512 << 10, Compression.NONE), line -> {});
            Checkpoints checkpoints = Checkpoints.open(new FileDisk(folder.resolve("checkpoints")), 1, line -> {});
            options = options();
            PipelineRecovery recovery = PipelineRecovery.open(
                    checkpoints,
                    journal,
                    SumState::plan,
                    () -> new PipelineRecovery.Beginning(
                            "one", SumState.plan("one"), SumState.plan("one").newSummaries(options.maxRows())),
                    options,
                    RejectSink.NONE,
                    1,
                    new RecoveryProgress(),
                    line -> {});
            pipeline = recovery.pipeline();
            recovery.replay(null, RangeSource.NONE, recovery.pipeline().plan(), 0);
            assertThat(journal.endSequence()).as(this::story).isBetween(acknowledged.get(), (long) messages.size());
            // Messages missing from the journal were never acknowledged.
            messages.subList((int) journal.endSequence(), messages.size()).clear();
            assertThat(recovery.definitions()).as(this::story).isEqualTo(definitions);
            AtomicReference<@Nullable Checkpointer> asked = new AtomicReference<>();
            Runnable wanted = () -> {
                Checkpointer ready = asked.get();
                if (ready != null) {
                    ready.request();
                }
            };
            writer = JournalWriter.start(
                    journal, pipeline.clock(), listener -> TopicRule.MSGID, pipeline::put, wanted, 4, 1 << 20);
            durable = new DurableControls(recovery, checkpoints, journal, writer, names -> {}, () -> {}, wanted);
            checkpointer = new Checkpointer(durable, Duration.ZERO);
            asked.set(checkpointer);
            checkpointer.start();
            durable.begin();
            compare();
        }

        private PipelineOptions options() {
            PipelineOptions.Stage parse =
                    new PipelineOptions.Stage(QueueKind.LBQ, 2, 1 + random.nextInt(2), WaitPolicy.BLOCKING);
            PipelineOptions.Stage summarize =
                    new PipelineOptions.Stage(QueueKind.MPSC, 2, 1 + random.nextInt(2), WaitPolicy.BLOCKING);
            PipelineOptions chosen = PipelineOptions.queued(parse, summarize).withBatchMessages(random.nextInt(4) * 3);
            return switch (random.nextInt(5)) {
                case 0 -> chosen;
                case 1 -> chosen.withMode(PipelineMode.INLINE, 2);
                case 2 ->
                    chosen.withPipeline(
                            new PipelineOptions.Named("b", List.of(TopicPattern.of("b")), parse, summarize));
                default ->
                    chosen.withPipeline(new PipelineOptions.Named("a", List.of(TopicPattern.of("a")), parse, summarize))
                            .withPipeline(
                                    new PipelineOptions.Named("b", List.of(TopicPattern.of("b")), parse, summarize));
            };
        }

        private void send() throws Exception {
            int batches = random.nextInt(60);
            int spell = random.nextInt(5);
            note("send " + batches + " of " + spell);
            for (int i = 0; i < batches; i++) {
                MessageBatch batch = pipeline.acquire();
                int count = 1 + random.nextInt(9);
                for (int j = 0; j < count; j++) {
                    int topic = spell < TOPICS.length ? spell : random.nextInt(TOPICS.length);
                    Message message = new Message(topic, random.nextInt(5), random.nextInt(1_000));
                    messages.add(message);
                    SumPlan.add(batch, TOPICS[topic], message.key, message.value);
                }
                long end = messages.size();
                batch.receipt(new Receipt() {
                    @Override
                    public void durable() {
                        acknowledged.set(end);
                    }

                    @Override
                    public void applied() {}
                });
                while (!writer.offer(batch)) {
                    Thread.sleep(1);
                }
                if (random.nextInt(4) == 0) {
                    MessageBatch other = pipeline.acquire();
                    SumPlan.add(other, TOPICS[random.nextInt(TOPICS.length)], UNJOURNALLED, 1);
                    pipeline.put(other);
                }
            }
        }

        private void checkpoint() throws Exception {
            note("checkpoint " + durable.checkpoint(random.nextBoolean()).isPresent());
        }

        private interface Step {
            void run() throws Exception;
        }

        /** Performs a control; if it cannot be journalled, it is in the checkpoints then. */
        private void refusedByTheJournalPerhaps(Step control) throws Exception {
            if (random.nextInt(10) > 0) {
                control.run();
                return;
            }
            writer.drain(); // so that the control's force fails
            note("the journal refuses");
            disk.failOneForce(true);
            control.run();
            disk.failOneForce(false);
        }

        private void reload() throws Exception {
            String name = SumState.NAMES.get(random.nextInt(SumState.NAMES.size()));
            Pipeline.Reload reload = durable.reload(SumState.plan(name), () -> name);
            definitions = name;
            changes.add(new Change(name, "", byTopic(reload.positions())));
            note("reload " + name + " at " + reload.positions());
        }

        private void reset() throws Exception {
            String summary = SumState.SUMMARIES.get(random.nextInt(SumState.SUMMARIES.size()));
            durable.reset(summary).ifPresent(cut -> {
                changes.add(new Change("", summary, byTopic(cut.positions())));
                note("reset " + summary + " at " + cut.positions());
                cut.release();
            });
        }

        /**
         * The places of each topic up to which its messages were in the rows, by the pipelines of the current process.
         */
        private List<Long> byTopic(List<Long> positions) {
            List<Long> before = new ArrayList<>();
            for (int topic = 0; topic < TOPICS.length; topic++) {
                int taker = 0;
                for (int i = options.pipelines().size() - 1; i > 0; i--) {
                    taker = options.pipelines().get(i).name().equals(TOPICS[topic]) ? i : taker;
                }
                before.add(positions.get(taker));
            }
            return before;
        }

        private void compareAtRest() throws Exception {
            note("compare");
            writer.drain();
            pipeline.drain();
            compare();
        }

        private void compare() throws Exception {
            Cut cut = pipeline.cut();
            Map<String, Map<Long, Sum>> found = SumPlan.sums(cut);
            cut.release();
            found.values().forEach(rows -> rows.remove(UNJOURNALLED));
            assertThat(found).as(this::story).isEqualTo(expected());
        }

        private Map<String, Map<Long, Sum>> expected() {
            SumState state = new SumState("one");
            boolean[] done = new boolean[messages.size()];
            for (Change change : changes) {
                for (int i = 0; i < done.length; i++) {
                    if (!done[i] && i < change.before.get(messages.get(i).topic)) {
                        state.add(messages.get(i).key, messages.get(i).value);
                        done[i] = true;
                    }
                }
                if (change.definitions.isEmpty()) {
                    state.reset(change.reset);
                } else {
                    state.define(change.definitions);
                }
            }
            for (int i = 0; i < done.length; i++) {
                if (!done[i]) {
                    state.add(messages.get(i).key, messages.get(i).value);
                }
            }
            return state.sums();
        }

        /** Kills the process at any point. */
        private void kill() throws Exception {
            note("kill");
            disk.kill();
            checkpointer.close();
            writer.close();
            try {
                journal.close();
            } catch (IOException e) {
                // it was killed
            }
            pipeline.close();
            damage();
        }

        private void stop() throws Exception {
            note("stop");
            writer.close();
            // Messages that waited for a full journal were not acknowledged, and are dropped.
            messages.subList((int) journal.endSequence(), messages.size()).clear();
            pipeline.drain();
            compare();
            checkpointer.close();
            durable.checkpoint(false);
            journal.close();
            pipeline.close();
            damage();
        }

        /** Damages the newest of two checkpoints. */
        private void damage() throws IOException {
            List<Path> files;
            try (Stream<Path> all = Files.list(folder.resolve("checkpoints"))) {
                files = all.filter(file -> file.toString().endsWith(".state"))
                        .sorted()
                        .toList();
            }
            if (files.size() < 2 || random.nextInt(3) > 0) {
                return;
            }
            Path newest = files.get(files.size() - 1);
            byte[] bytes = Files.readAllBytes(newest);
            int at = random.nextInt(bytes.length);
            if (random.nextBoolean()) {
                bytes[at] ^= (byte) (1 << random.nextInt(8));
            } else {
                bytes = Arrays.copyOf(bytes, at);
            }
            Files.write(newest, bytes);
            note("damage " + newest.getFileName() + " at " + at);
        }

        private void note(String what) {
            story.append("\n  ").append(messages.size()).append(' ').append(what);
        }

        private String story() {
            return "seed " + seed + story;
        }
    }
}
