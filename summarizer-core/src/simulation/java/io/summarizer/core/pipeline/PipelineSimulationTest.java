package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.pipeline.SumPlan.Sum;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutRevokedException;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whole lives of a pipeline on one thread. Sources, parser workers and owners take their steps in an order that follows
 * from a seed, also while somebody waits for a cut, a reset or a reload; queues have room for hardly any batch, so that
 * all of them wait for each other. A plain model predicts each cut: a prefix of the messages that each pipeline took,
 * in whole batches, each once, under the definitions in force at its place; the promises of receipts and places in the
 * journal; and a ledger that balances.
 */
@Timeout(900)
class PipelineSimulationTest {
    private static final List<String> TOPICS = List.of("x", "a", "b");

    /** Events of all lives together: a simulation without any proves nothing. */
    private final Map<String, Integer> met = new TreeMap<>();

    @Test
    void shouldLoseNothingAndCountNothingTwiceWhateverTheOrderOfSteps() {
        runSeeds(Seeds.count(300));
    }

    @Test
    @Tag("long")
    void shouldLoseNothingAndCountNothingTwiceForManySeeds() {
        runSeeds(Seeds.count(20_000));
    }

    @Test
    void shouldLiveTheSameLifeAgain() {
        long first = Seeds.first();
        for (long seed = first; seed < first + 10; seed++) {
            assertThat(live(seed)).as(Seeds.replay(seed)).isEqualTo(live(seed));
        }
    }

    private void runSeeds(int seeds) {
        long first = Seeds.first();
        for (long seed = first; seed < first + seeds; seed++) {
            var unused = live(seed);
        }
        if (seeds >= 100) {
            assertThat(met)
                    .containsKeys(
                            "cut",
                            "cut while a batch was half handed over",
                            "reset",
                            "reset refused",
                            "reload that laid rows out anew",
                            "reload while a batch was half handed over",
                            "interrupted and nothing done",
                            "interrupted and seen through",
                            "no room for a source",
                            "dropped by a source",
                            "cut revoked",
                            "cut read later");
        }
    }

    private void meet(String what) {
        met.merge(what, 1, Integer::sum);
    }

    /** Lives a life; returns its story. */
    private String live(long seed) {
        Life life = new Life(seed);
        try {
            life.live();
            return life.story.toString();
        } catch (Throwable e) {
            throw new AssertionError("failed with " + Seeds.replay(seed) + "\n" + life.lastWords(), e);
        }
    }

    /** Messages of one batch that take one pipeline; they are handed over together. */
    private static final class Part {
        final int taker;
        final List<Integer> keys = new ArrayList<>();
        int messages;
        boolean isTold;
        /** Messages of the batch up to its last one. */
        int end;
        /** Place in the journal after its last message; -1: not journalled. */
        long sequenceEnd = -1;

        Part(int taker) {
            this.taker = taker;
        }
    }

    /** A cut that is held, and its contents. */
    private record Held(Cut cut, Map<String, Map<Long, Sum>> sums) {}

    private final class Life implements AgentRunner {
        private static final int MESSAGES = 120;
        private static final int STUCK = 200_000;

        private final SplittableRandom random;
        private final StringBuilder story = new StringBuilder();
        private final List<Agent> agents = new ArrayList<>();
        private final List<Source> sources = new ArrayList<>();
        private final int pipelines;
        private final int batchMessages;
        /** Whether cuts have room for few copies. */
        private final boolean scarce;

        private final Pipeline pipeline;

        /** The probability that each agent and source takes the next step, for a while. */
        private int[] weights = {};

        private int steps;
        private boolean mayInterrupt;
        /** Whether a worker was inside the gate when it was closed. */
        private boolean inFlight;

        /** Messages that sources had handed over when the current operation began. */
        private long acceptedBefore;

        // The model.
        private int keys;
        private long sequence;
        /** By pipeline, the parts that it took, in order. */
        private final List<List<Part>> taken = new ArrayList<>();
        /** By key, the generation that processed the message, when it was seen. */
        private final Map<Long, Long> generationOf = new HashMap<>();
        /** By defined summary, its first generation, and the rows that resets took out since. */
        private final Map<String, Long> born = new TreeMap<>();

        private final Map<String, Map<Long, Sum>> reset = new TreeMap<>();
        private long generation = 1;
        private long bad;
        private final List<Held> held = new ArrayList<>();

        Life(long seed) {
            random = new SplittableRandom(seed);
            pipelines = 1 + random.nextInt(3);
            batchMessages = random.nextInt(3) == 0 ? 2 : 0;
            scarce = random.nextBoolean();
            PipelineOptions options = PipelineOptions.queued(stage(true), stage(false))
                    .withBatchMessages(batchMessages)
                    .withCutBytesMax(scarce ? 3L * ChunkedBytes.CHUNK_BYTES : 1L << 30)
                    .withQueueBytesMax(random.nextInt(4) == 0 ? 1 : 1L << 30);
            for (int taker = 1; taker < pipelines; taker++) {
                options = options.withPipeline(new PipelineOptions.Named(
                        TOPICS.get(taker), List.of(TopicPattern.of(TOPICS.get(taker))), stage(true), stage(false)));
            }
            for (int taker = 0; taker < pipelines; taker++) {
                taken.add(new ArrayList<>());
            }
            SumPlan plan = plan(List.of("A", "B"));
            pipeline =
                    Pipeline.start(plan, options, RejectSink.NONE, plan.newSummaries(options), SavedIds.none(), this);
            int count = 1 + random.nextInt(3);
            for (int source = 0; source < count; source++) {
                sources.add(new Source(source, source == 0 && random.nextBoolean()));
            }
            agents.forEach(agent -> say(agent.getClass().getSimpleName()));
        }

        private PipelineOptions.Stage stage(boolean parse) {
            List<QueueKind> kinds = parse ? QueueKind.forSharing() : QueueKind.forSingleConsumers();
            return new PipelineOptions.Stage(
                    kinds.get(random.nextInt(kinds.size())),
                    1 + random.nextInt(3),
                    1 + random.nextInt(3),
                    WaitPolicy.BLOCKING);
        }

        /** Definitions of these summaries, whose rows multiply values by the generation. */
        private SumPlan plan(List<String> summaries) {
            List<SummaryLayout> layouts = new ArrayList<>();
            for (String name : summaries) {
                List<SummaryLayout.ValueColumn> values = new ArrayList<>(List.of(
                        new SummaryLayout.ValueColumn("n", 1, AggregateType.COUNT, 0, 0),
                        new SummaryLayout.ValueColumn("s", 2, AggregateType.SUMINT64, 0, 0)));
                if (random.nextBoolean()) {
                    values.add(random.nextInt(3), new SummaryLayout.ValueColumn("m", 3, AggregateType.MAXINT64, 0, 0));
                }
                layouts.add(new SummaryLayout(
                        name,
                        0,
                        // A wider key has another hash, so rows move to other owners.
                        List.of(new SummaryLayout.KeyColumn("k", 1, generation > 2 ? KeyType.INT64 : KeyType.UINT32)),
                        values,
                        List.of()));
            }
            summaries.forEach(name -> born.putIfAbsent(name, generation));
            summaries.forEach(name -> reset.putIfAbsent(name, new HashMap<>()));
            born.keySet().retainAll(summaries);
            reset.keySet().retainAll(summaries);
            return SumPlan.of(generation, layouts);
        }

        void live() throws Exception {
            while (keys < MESSAGES) {
                step();
                if (random.nextInt(12) == 0) {
                    operate();
                }
            }
            settle();
            Cut end = pipeline.cut();
            Set<Integer> all = check(end);
            assertThat(all).as("rows in the end").isEqualTo(keysOf(taken));
            LedgerCounts counts = LedgerCounts.of(end);
            LedgerAssert.assertSettled(counts);
            assertThat(counts.total().count(Fate.APPLIED)).isEqualTo(all.size());
            assertThat(counts.total().count(Fate.PAYLOAD)).isEqualTo(bad);
            for (Source source : sources) {
                source.checkEnd(counts);
            }
            assertThat(end.positions()).as("all pipelines are idle").allMatch(position -> position == sequence);
            end.release();
            readHeld();
            held.forEach(each -> each.cut.release());
            assertThat(pipeline.gauges().cutMemory().heldBytes()).isZero();
            assertThat(pipeline.gauges().failures()).isZero();
            pipeline.close();
            assertThat(agents).allMatch(Agent::isDone);
        }

        /** Goes on until nobody has work: then nobody may wait for room either. */
        private void settle() throws InterruptedException {
            boolean some = true;
            while (some) {
                some = false;
                for (int actor = 0; actor < agents.size() + sources.size(); actor++) {
                    some |= act(actor, false);
                }
            }
            for (Source source : sources) {
                assertThat(source.intake.waiting())
                        .as("batches of %s that nobody calls for", source)
                        .isZero();
                assertThat(source.journalled).isEmpty();
            }
        }

        // The runner

        @Override
        public boolean takes(Agent agent) {
            agents.add(agent);
            return true;
        }

        @Override
        public void pause(int looks) throws InterruptedException {
            inFlight |= looks < SPINS; // only a wait for workers to leave looks so soon
            passTime();
        }

        @Override
        public void park() throws InterruptedException {
            passTime();
        }

        private void passTime() throws InterruptedException {
            if (mayInterrupt && random.nextInt(20) == 0) {
                mayInterrupt = false;
                say("interrupt");
                throw new InterruptedException();
            }
            for (int i = random.nextInt(4); i >= 0; i--) {
                step();
            }
        }

        @Override
        public boolean await(CountDownLatch latch, long millis) throws InterruptedException {
            if (latch.getCount() > 0) {
                passTime();
            }
            return latch.getCount() == 0;
        }

        private void step() throws InterruptedException {
            if (steps++ % 40 == 0) {
                weights = random.ints(agents.size() + sources.size(), 0, 5)
                        .map(weight -> weight * weight)
                        .toArray();
                weights[random.nextInt(weights.length)]++;
            }
            assertThat(steps).as("steps").isLessThan(STUCK);
            int draw = random.nextInt(Arrays.stream(weights).sum());
            int actor = 0;
            while (draw >= weights[actor]) {
                draw -= weights[actor++];
            }
            boolean unused = act(actor, keys < MESSAGES);
        }

        private boolean act(int actor, boolean mayBegin) throws InterruptedException {
            boolean did;
            if (actor < agents.size()) {
                Agent agent = agents.get(actor);
                did = !agent.isDone() && agent.doWork();
            } else {
                did = sources.get(actor - agents.size()).act(mayBegin);
            }
            if (did) {
                say(Integer.toString(actor));
            }
            return did;
        }

        /** Cuts, resets and reloads, and the reading of cuts. */
        private void operate() throws Exception {
            inFlight = false;
            acceptedBefore = accepted();
            mayInterrupt = random.nextBoolean();
            List<Part> told = parts(part -> part.isTold);
            try {
                switch (random.nextInt(8)) {
                    case 0, 1 -> cut(told);
                    case 2, 3 -> reset(told);
                    case 4 -> reload();
                    case 5 -> readHeld();
                    case 6 -> pipeline.drain();
                    default -> {
                        if (!held.isEmpty()) {
                            held.remove(random.nextInt(held.size())).cut.release();
                        }
                    }
                }
            } catch (InterruptedException e) {
                meet("interrupted and nothing done");
            } finally {
                mayInterrupt = false;
                if (Thread.interrupted()) {
                    meet("interrupted and seen through");
                }
            }
        }

        private void cut(List<Part> told) throws InterruptedException {
            say("cut");
            // Beyond its budget, owners would wait several ms for a checkpoint.
            boolean isCheckpoint = !scarce && random.nextInt(4) == 0;
            Cut cut = pipeline.cut(isCheckpoint ? CutLease.Kind.CHECKPOINT : CutLease.Kind.READ);
            meet(inFlight ? "cut while a batch was half handed over" : "cut");
            try {
                Set<Integer> keys = check(cut);
                for (Part part : told) {
                    assertThat(keys).as("receipts were told before the cut").containsAll(part.keys);
                }
                hold(cut);
            } catch (CutRevokedException e) {
                assertThat(cut.isRevoked() && scarce).isTrue();
                meet("cut revoked");
                cut.release();
            }
        }

        /** Keeps a cut for a while, or not. */
        private void hold(Cut cut) {
            if (random.nextInt(3) == 0) {
                held.add(new Held(cut, SumPlan.sums(cut)));
            } else {
                cut.release();
            }
        }

        private void reset(List<Part> told) throws InterruptedException {
            String name = random.nextInt(3) == 0 ? "C" : random.nextBoolean() ? "A" : "B";
            say("reset " + name);
            Optional<Cut> last;
            try {
                last = pipeline.reset(name);
            } catch (ResetRefusedException e) {
                meet("reset refused");
                return;
            }
            assertThat(last.isPresent()).as("%s is defined", name).isEqualTo(born.containsKey(name));
            if (last.isPresent()) {
                meet("reset");
                Cut cut = last.get();
                Map<Long, Sum> rows = SumPlan.rows(cut, name);
                assertThat(cut.summaries().get(0).updates()).isEqualTo(rows.size());
                rows.forEach((key, sum) -> assertThat(of(reset, name).put(key, sum))
                        .as("row %s again", key)
                        .isNull());
                if (name.equals("A")) {
                    Set<Integer> all = checkPrefix(of(reset, "A"), cut.positions(), false);
                    told.forEach(part -> assertThat(all).containsAll(part.keys));
                }
                LedgerAssert.assertBalances(LedgerCounts.of(cut));
                hold(cut);
            }
        }

        private void reload() throws InterruptedException {
            Map<String, Long> bornBefore = new TreeMap<>(born);
            Map<String, Map<Long, Sum>> resetBefore = new TreeMap<>(reset);
            generation++;
            List<String> names = new ArrayList<>(List.of("A"));
            if (random.nextInt(3) > 0) {
                names.add(random.nextInt(names.size() + 1), "B");
            }
            if (random.nextBoolean()) {
                names.add(random.nextInt(names.size() + 1), "C");
            }
            say("reload " + names);
            boolean done = false;
            try {
                Pipeline.Reload reload = pipeline.reload(plan(names));
                done = true;
                meet(inFlight ? "reload while a batch was half handed over" : "reload");
                if (reload.match().changes().stream().anyMatch(change -> change.ofField())) {
                    meet("reload that laid rows out anew");
                }
            } catch (ReloadRefusedException e) {
                meet("reload refused");
            } finally {
                if (!done) {
                    generation--;
                    born.clear();
                    born.putAll(bornBefore);
                    reset.clear();
                    reset.putAll(resetBefore);
                }
            }
        }

        private void readHeld() {
            for (Held each : held) {
                try {
                    assertThat(SumPlan.sums(each.cut)).isEqualTo(each.sums);
                    meet("cut read later");
                } catch (CutRevokedException e) {
                    assertThat(each.cut.isRevoked()).isTrue();
                    meet("cut revoked");
                }
            }
        }

        // Expectation

        /** Checks a cut of all summaries; returns the keys of the messages that were processed before it. */
        private Set<Integer> check(Cut cut) {
            Map<String, Map<Long, Sum>> sums = SumPlan.sums(cut);
            assertThat(sums.keySet()).isEqualTo(born.keySet());
            for (SummaryView summary : cut.summaries()) {
                assertThat(summary.updates())
                        .as("updates of %s", summary.layout().name())
                        .isEqualTo(of(sums, summary.layout().name()).size());
            }
            sums.forEach((name, rows) -> of(reset, name)
                    .forEach((key, sum) -> assertThat(rows.put(key, sum))
                            .as("row %s of %s again", key, name)
                            .isNull()));
            Set<Integer> keys = checkPrefix(of(sums, "A"), cut.positions(), true);
            sums.forEach((name, rows) -> {
                Map<Long, Sum> expected = new HashMap<>(of(sums, "A"));
                expected.keySet().removeIf(key -> generationOf.getOrDefault(key, 0L) < of(born, name));
                assertThat(rows).as("rows of %s", name).isEqualTo(expected);
            });
            LedgerCounts counts = LedgerCounts.of(cut);
            LedgerAssert.assertBalances(counts);
            assertThat(counts.total().count(Fate.APPLIED)).as("applied").isEqualTo(keys.size());
            assertThat(counts.total().received()).isBetween(acceptedBefore, accepted());
            return keys;
        }

        private long accepted() {
            return sources.stream().mapToLong(source -> source.accepted).sum();
        }

        /** Checks that rows are those of the first messages of each pipeline, in whole parts; returns their keys. */
        private Set<Integer> checkPrefix(Map<Long, Sum> rows, List<Long> positions, boolean exact) {
            Set<Integer> found = new HashSet<>();
            for (int taker = 0; taker < pipelines; taker++) {
                boolean ended = false;
                long last = 0;
                for (Part part : taken.get(taker)) {
                    boolean isIn = !part.keys.isEmpty() && rows.containsKey((long) part.keys.get(0));
                    for (int key : part.keys) {
                        Sum sum = rows.get((long) key);
                        assertThat(sum != null)
                                .as("message %s of %s", key, part.keys)
                                .isEqualTo(isIn);
                        if (sum != null) {
                            long of = sum.sum() / (key + 1);
                            assertThat(sum).isEqualTo(new Sum(1, of * (key + 1)));
                            assertThat(of).as("generation of message %s", key).isBetween(Math.max(1, last), generation);
                            Long before = generationOf.put((long) key, of);
                            assertThat(before == null || before == of).isTrue();
                            last = of;
                            found.add(key);
                        }
                    }
                    assertThat(isIn && ended)
                            .as("part %s behind a gap", part.keys)
                            .isFalse();
                    ended |= !isIn && !part.keys.isEmpty();
                    if (part.sequenceEnd >= 0 && !part.keys.isEmpty()) {
                        assertThat(part.sequenceEnd <= positions.get(taker))
                                .as("position %s of pipeline %s, for %s", positions.get(taker), taker, part.sequenceEnd)
                                .isEqualTo(isIn);
                    }
                }
            }
            if (exact) {
                assertThat(found).as("rows that nobody sent").hasSameSizeAs(rows.keySet());
            }
            return found;
        }

        private List<Part> parts(Predicate<Part> test) {
            return taken.stream().flatMap(List::stream).filter(test).toList();
        }

        private Set<Integer> keysOf(List<List<Part>> parts) {
            Set<Integer> keys = new HashSet<>();
            parts.forEach(ofPipeline -> ofPipeline.forEach(part -> keys.addAll(part.keys)));
            return keys;
        }

        private static <T> T of(Map<String, T> map, String name) {
            return Objects.requireNonNull(map.get(name), name);
        }

        private void say(String what) {
            story.append(what).append(' ');
        }

        private String lastWords() {
            return story.substring(Math.max(0, story.length() - 2_000));
        }

        /** A connection, or the reader of a journal, which submits batches and waits for room. */
        private final class Source implements BatchSink.Receiver {
            private final int number;
            private final boolean isJournal;
            private final Intake intake = pipeline.intake(this);
            /** Parts that were submitted and not taken, in the order of the pipeline's parts. */
            private final Deque<Part> waiting = new ArrayDeque<>();
            /** Parts of a journal that are still to be offered. */
            private final Deque<MessageBatch> journalled = new ArrayDeque<>();

            /** Calls that are due for refusals. */
            private int calls;

            private boolean mayResume;
            long accepted;

            Source(int number, boolean isJournal) {
                this.number = number;
                this.isJournal = isJournal;
            }

            boolean act(boolean mayBegin) {
                if (isJournal) {
                    return actAsJournal(mayBegin);
                }
                if (mayResume) {
                    mayResume = false;
                    intake.resume();
                    return true;
                }
                if (intake.waiting() > 0) {
                    if (mayBegin && random.nextInt(40) == 0) {
                        drop();
                        return true;
                    }
                    return false; // not read while it waits
                }
                if (mayBegin) {
                    List<Part> parts = new ArrayList<>();
                    MessageBatch batch = fill(parts);
                    waiting.addAll(parts);
                    intake.submit(batch, new Told(parts));
                }
                return mayBegin;
            }

            /** Does the work of {@link Pipeline#put} without waiting. */
            private boolean actAsJournal(boolean mayBegin) {
                if (journalled.isEmpty()) {
                    if (mayBegin) {
                        List<Part> parts = new ArrayList<>();
                        MessageBatch batch = fill(parts);
                        batch.firstSequence(sequence);
                        batch.firstStamp(1_000_000 + sequence);
                        parts.forEach(part -> part.sequenceEnd = sequence + part.end);
                        sequence += batch.count();
                        waiting.addAll(parts);
                        pipeline.split(batch, journalled::add);
                    }
                    return mayBegin;
                }
                if (!pipeline.offer(journalled.getFirst())) {
                    return false;
                }
                taken(journalled.removeFirst().count());
                if (journalled.isEmpty()) {
                    pipeline.handedOver(sequence);
                }
                return true;
            }

            /** A batch of several messages, and its expected parts. */
            private MessageBatch fill(List<Part> parts) {
                MessageBatch batch = pipeline.acquire();
                batch.listener(number);
                int count = 1 + random.nextInt(5);
                boolean oneTopic = random.nextBoolean();
                int first = random.nextInt(TOPICS.size());
                int[] takers = new int[count];
                int[] keyOf = new int[count];
                for (int i = 0; i < count; i++) {
                    int topic = oneTopic ? first : random.nextInt(TOPICS.size());
                    takers[i] = topic < pipelines ? topic : 0;
                    if (random.nextInt(15) == 0) {
                        keyOf[i] = -1;
                        bad++;
                        SumPlan.addBad(batch, TOPICS.get(topic));
                    } else {
                        keyOf[i] = keys++;
                        SumPlan.add(batch, TOPICS.get(topic), keyOf[i], keyOf[i] + 1L);
                    }
                }
                boolean isWhole = (batchMessages == 0 || count <= batchMessages)
                        && Arrays.stream(takers).allMatch(taker -> taker == takers[0]);
                @Nullable Part[] open = new Part[pipelines];
                for (int i = 0; i < count; i++) {
                    int taker = takers[i];
                    Part part = open[taker] == null ? new Part(taker) : open[taker];
                    open[taker] = part;
                    part.messages++;
                    part.end = i + 1;
                    if (keyOf[i] >= 0) {
                        part.keys.add(keyOf[i]);
                    }
                    if (!isWhole && part.messages == batchMessages) {
                        parts.add(part);
                        open[taker] = null;
                    }
                }
                Arrays.stream(open).filter(part -> part != null).forEach(parts::add);
                return batch;
            }

            /** Ends the connection: its waiting batches were never received. */
            private void drop() {
                int messages = waiting.stream().mapToInt(part -> part.messages).sum();
                assertThat(intake.drop()).isEqualTo(messages);
                for (Part part : waiting) {
                    bad -= part.messages - part.keys.size();
                }
                waiting.clear();
                meet("dropped by a source");
            }

            @Override
            public void taken(int messages) {
                Part part = waiting.removeFirst();
                assertThat(messages).isEqualTo(part.messages);
                accepted += messages;
                taken.get(part.taker).add(part);
            }

            @Override
            public void refused() {
                calls++;
                meet("no room for a source");
            }

            @Override
            public void onRoom() {
                assertThat(calls--).as("calls for refusals").isPositive();
                mayResume = true;
            }

            void checkEnd(LedgerCounts counts) {
                for (Account account : counts.listeners()) {
                    if (account.name().equals("listener-" + number)) {
                        assertThat(account.received()).isEqualTo(accepted);
                    }
                }
            }
        }

        /** Expects one notification that a batch is in the rows. */
        private final class Told implements Receipt {
            private final List<Part> parts;
            private boolean isTold;

            Told(List<Part> parts) {
                this.parts = parts;
            }

            @Override
            public void durable() {
                throw new AssertionError("nothing is journalled here");
            }

            @Override
            public void applied() {
                assertThat(isTold).as("told twice").isFalse();
                isTold = true;
                for (Part part : parts) {
                    assertThat(taken.get(part.taker)).contains(part);
                    part.isTold = true;
                }
            }
        }
    }
}
