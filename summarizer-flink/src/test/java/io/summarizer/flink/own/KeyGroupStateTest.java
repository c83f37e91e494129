package io.summarizer.flink.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.summarizer.core.Seeds;
import io.summarizer.core.dedup.SavedIds;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.Evaluator;
import io.summarizer.core.pipeline.RangeOwner;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.RecordFramer;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.state.FileWindow;
import io.summarizer.core.state.StateException;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.flink.job.JobDefinition;
import io.summarizer.flink.job.JobKeys;
import io.summarizer.flink.job.JobPlan;
import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.record.GroupUpdates;
import io.summarizer.server.cli.Commands;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupStatePartitionStreamProvider;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.memory.MemCheckpointStreamFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Owners that are frozen, written, and divided anew, again and again, compared with one owner that has all key groups
 * all the time.
 */
class KeyGroupStateTest {
    /** Batches that were combined or compressed. */
    private int smaller;

    private static final long TIME = 1_700_000_040_000_000L; // a whole minute
    private static final long MINUTE = Duration.ofMinutes(1).toNanos() / 1000;
    private static final JobKeys KEYS = JobKeys.draw();

    private static final String EVENTS = """
            syntax = "proto3";
            message Order {
                int64 customer = 1; string country = 2; double amount = 3; int64 at = 4; int64 id = 5; string note = 6;
                int64 big = 7;
            }
            """;

    private static final String DEFINITIONS = """
            import "events.proto";
            event Order on "shop.order.#" as csv dedup by id within 1h;
            summary Sales {
                key { string country = 1; }
                value {
                    count orders = 1; sumcurrency revenue = 2; multiset64 customers = 3; maxint64 last = 4;
                    sumint64 big = 5; sumdouble exact = 6; firststring first = 7; laststring latest = 8;
                    summary Customer {
                        key { int64 customer = 1; }
                        value {
                            count orders = 1; laststring note = 2;
                            summary Note { key { string note = 1; } value { count n = 1; multiset64 ids = 2; } }
                            repeated Note notes = 3;
                        }
                    }
                    repeated Customer top = 9;
                }
            }
            summary Minutes {
                window minute every 1m close after 10s;
                key { timestamp minute = 1; int64 customer = 2; }
                value { count orders = 1; sumcurrency revenue = 2; laststring note = 3; }
            }
            summary Capped {
                limit keys = 20 overflow = other;
                window minute every 1m close after 10s;
                key { timestamp minute = 1; int64 customer = 2; }
                value { count orders = 1; }
            }
            map Order into Sales where amount > 0 {
                key { country; }
                orders += 1; revenue += amount; customers += customer; last += at; big += big; exact += amount;
                first += note; latest += note;
                top[customer] { orders += 1; note += note; notes[note] { n += 1; ids += id; } }
            }
            map Order into Minutes { key { minute = timestamp(at); customer; } orders += 1; revenue += amount; note += note; }
            map Order into Capped { key { minute = timestamp(at); customer; } orders += 1; }
            """;

    private static final List<String> EXACT = List.of("Sales", "Sales/top", "Sales/top/notes", "Minutes");

    @TempDir
    Path folder;

    /** Definitions with options of a job. */
    private record Job(Map<String, String> texts, JobOptions options) {
        Job(String definitions, int keyGroups) {
            this(
                    Map.of("events.proto", EVENTS, "orders.summ", definitions),
                    new JobOptions(
                            new Input.Files(List.of(), Framing.AUTO),
                            false,
                            "",
                            1,
                            Duration.ofSeconds(1),
                            null,
                            null,
                            0,
                            keyGroups,
                            ZoneOffset.UTC,
                            1 << 16));
        }

        JobPlan plan(double share) {
            return JobPlan.compile(texts, options, share);
        }

        Partitions all() {
            return Partitions.of(options.keyGroups());
        }

        Summaries empty(Partitions here) {
            JobPlan plan = plan(share(here));
            return plan.newSummaries(here, plan.options(1));
        }

        private static double share(Partitions here) {
            return (double) (here.end() - here.first()) / here.count();
        }

        RangeOwner owner(Summaries state) {
            JobPlan plan = plan(share(state.here()));
            return new RangeOwner(plan, plan.options(1), state, SavedIds.none(KEYS.idKey()));
        }
    }

    /** Messages of one source, or the boundary that all owners get. */
    private record Step(int source, long stamp, List<String> payloads, long boundary) {}

    /** A completed checkpoint. */
    private record Saved(List<KeyGroupsStateHandle> state, LedgerCounts counts) {}

    private static String message(String payload) {
        return "<13>1 - - - - shop.order - " + payload;
    }

    private static MessageBatch batch(JobDefinition job, Step step) {
        RecordFramer framer = new RecordFramer(job.recordRule());
        MessageBatch batch = new MessageBatch(1024);
        batch.firstStamp(step.stamp);
        batch.source(step.source);
        for (String payload : step.payloads) {
            framer.take(batch, ByteBuffer.wrap(message(payload).getBytes(StandardCharsets.UTF_8)), null);
        }
        return batch;
    }

    /** The owners of all key groups, which are replaced when the state is divided anew. */
    private final class Owners {
        final Job job;
        final Evaluator evaluator;
        final JobDefinition definition;
        private final GroupUpdates.Packer packer = new GroupUpdates.Packer();
        private final GroupUpdates.Unpacker unpacker = new GroupUpdates.Unpacker();
        List<RangeOwner> owners = new ArrayList<>();

        Owners(Job job, int[] ends) throws Exception {
            this.job = job;
            definition = new JobDefinition(job.texts, job.options, KEYS, List.of());
            JobPlan plan = job.plan(1);
            evaluator = new Evaluator(
                    plan, plan.options(1), job.all(), SavedIds.none(KEYS.idKey()), this::apply, RejectSink.NONE);
            restore(new Saved(List.of(), LedgerCounts.NONE), ends);
        }

        private void apply(int keyGroup, UpdateBatch updates) {
            GroupUpdates packed = packer.pack(keyGroup, updates);
            smaller += packed.length() < packed.plainBytes() ? 1 : 0;
            UpdateBatch sent = unpacker.unpack(packed);
            owners.stream()
                    .filter(owner -> owner.here().first() <= keyGroup
                            && keyGroup < owner.here().end())
                    .forEach(owner -> owner.apply(sent));
        }

        void perform(Step step) throws InterruptedException {
            if (step.payloads.isEmpty()) {
                evaluator.flush();
                for (RangeOwner owner : owners) {
                    owner.closeBefore(1, step.boundary);
                    owner.closeBefore(2, step.boundary);
                }
            } else {
                evaluator.process(batch(definition, step));
            }
        }

        List<RangeOwner.Frozen> freeze() {
            evaluator.flush();
            return owners.stream().map(RangeOwner::freeze).toList();
        }

        /** Begins with this state, in owners whose ranges end at {@code ends}. */
        void restore(Saved saved, int[] ends) throws Exception {
            owners = new ArrayList<>();
            int first = 0;
            for (int end : ends) {
                Summaries state = job.empty(job.all().range(first, end));
                Map<Integer, SavedIds> ids = KeyGroupState.read(providers(saved.state, first, end), state, folder);
                RangeOwner owner = job.owner(state);
                ids.forEach(owner::load);
                owner.restore(first == 0 ? saved.counts : LedgerCounts.NONE);
                owners.add(owner);
                first = end;
            }
        }

        Saved write(List<RangeOwner.Frozen> frozen) throws Exception {
            List<KeyGroupsStateHandle> handles = new ArrayList<>();
            LedgerCounts counts = LedgerCounts.NONE;
            for (int i = 0; i < frozen.size(); i++) {
                Partitions here = owners.get(i).here();
                handles.add((KeyGroupsStateHandle) KeyGroupState.write(
                        frozen.get(i),
                        new KeyGroupRange(here.first(), here.end() - 1),
                        1,
                        TIME,
                        new MemCheckpointStreamFactory(64 << 20)));
                counts = counts.plus(frozen.get(i).counts());
            }
            return new Saved(handles, counts);
        }
    }

    /** The key groups of a range, each from the place that the handle names, in any order of handles. */
    private static List<KeyGroupStatePartitionStreamProvider> providers(
            List<KeyGroupsStateHandle> handles, int first, int end) throws IOException {
        List<KeyGroupStatePartitionStreamProvider> all = new ArrayList<>();
        for (KeyGroupsStateHandle handle : handles) {
            for (int keyGroup : handle.getKeyGroupRange()) {
                if (first <= keyGroup && keyGroup < end) {
                    FSDataInputStream in = handle.openInputStream();
                    in.seek(handle.getOffsetForKeyGroup(keyGroup));
                    all.add(new KeyGroupStatePartitionStreamProvider(in, keyGroup));
                }
            }
        }
        return all;
    }

    private static int[] ends(Random random, int keyGroups) {
        TreeSet<Integer> ends = new TreeSet<>(List.of(keyGroups));
        int owners = 1 + random.nextInt(4);
        while (ends.size() < owners) {
            ends.add(1 + random.nextInt(keyGroups - 1));
        }
        return ends.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Messages with the times of a few minutes; some have an id again. */
    private static final class Orders {
        final Random random;
        final List<String> sent = new ArrayList<>();
        /** All messages, with those that came again. */
        final List<String> messages = new ArrayList<>();

        final long[] stamps = new long[3];

        Orders(Random random) {
            this.random = random;
            Arrays.fill(stamps, TIME);
        }

        Step next() {
            int source = random.nextInt(stamps.length);
            List<String> payloads = new ArrayList<>();
            for (int left = 1 + random.nextInt(200); left > 0; left--) {
                if (!sent.isEmpty() && random.nextInt(8) == 0) {
                    payloads.add(sent.get(random.nextInt(sent.size())));
                    continue;
                }
                int id = sent.size();
                long at = TIME / 1000 + id * 20L - random.nextInt(90_000);
                int customer = (int) Math.abs(random.nextGaussian() * 30);
                String payload = customer + "," + "DE FR IT ES PT NL".split(" ")[random.nextInt(6)] + ","
                        + random.nextInt(-2_000, 100_000) / 100.0 + "," + at + "," + id + ",n" + random.nextInt(5) + ","
                        + random.nextLong(Long.MIN_VALUE / 2, Long.MAX_VALUE);
                sent.add(payload);
                payloads.add(payload);
            }
            payloads.forEach(payload -> messages.add(message(payload)));
            Step step = new Step(source, stamps[source], payloads, 0);
            // Stamps of different sources are often equal.
            stamps[source] += payloads.size() + 1000L * random.nextInt(3);
            return step;
        }

        /** The boundary that follows the messages so far. */
        Step close() {
            long progress = TIME + sent.size() * 20_000L - 60_000_000L;
            return new Step(0, 0, List.of(), TIME + Math.floorDiv(progress - TIME, MINUTE) * MINUTE);
        }
    }

    @Test
    void stateThatIsDividedAnewAtRandomMomentsGoesOnAsThatOfOneOwner() throws Exception {
        long seed = Seeds.first();
        for (long last = seed + Seeds.count(3); seed < last; seed++) {
            System.out.println(Seeds.replay(seed));
            dividesAnew(new Random(seed), folder.resolve("" + seed));
        }
        assertThat(smaller).isPositive();
    }

    private void dividesAnew(Random random, Path out) throws Exception {
        Files.createDirectories(out);
        Job job = new Job(DEFINITIONS, random.nextBoolean() ? 16 : 32);
        Owners one = new Owners(job, new int[] {job.options.keyGroups()});
        Owners many = new Owners(job, ends(random, job.options.keyGroups()));
        Orders orders = new Orders(random);
        Map<String, byte[]> windows = new TreeMap<>();
        Saved completed = many.write(many.freeze());
        List<Step> since = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            Step step = random.nextInt(10) == 0 ? orders.close() : orders.next();
            one.perform(step);
            many.perform(step);
            since.add(step);
            int what = random.nextInt(12);
            if (what == 0) {
                // The state is written while the owners go on.
                List<RangeOwner.Frozen> frozen = many.freeze();
                List<Step> after = new ArrayList<>();
                for (int left = random.nextInt(4); left > 0; left--) {
                    Step next = orders.next();
                    one.perform(next);
                    many.perform(next);
                    after.add(next);
                }
                completed = many.write(frozen);
                addWindows(frozen, many, windows);
                since = after;
                drop(frozen, many);
                frozen.forEach(RangeOwner.Frozen::release);
            } else if (what == 1) {
                // The owners fail, and go on from the last checkpoint in other ranges.
                many.evaluator.flush();
                many.restore(completed, ends(random, job.options.keyGroups()));
                for (Step again : since) {
                    many.perform(again);
                }
            }
        }
        LedgerCounts expectedCounts = counts(one);
        Path expected = merged(job, one, Map.of(), out.resolve("one.state"));
        Path actual = merged(job, many, windows, out.resolve("many.state"));
        for (String table : EXACT) {
            assertThat(rows(actual, table)).as(table).isNotEmpty().isEqualTo(rows(expected, table));
        }
        Map<String, Long> byMinute = total(rows(expected, "Minutes"), 2);
        for (Path state : List.of(expected, actual)) {
            List<String> overflow = rows(state, "Capped.overflow");
            assertThat(overflow).isNotEmpty();
            List<String> all = new ArrayList<>(rows(state, "Capped"));
            all.addAll(overflow);
            assertThat(total(all, 2)).isEqualTo(byMinute);
        }
        assertThat(withoutOrder(rows(actual, "Sales"))).isEqualTo(withoutOrder(run(out, orders.messages)));
        LedgerCounts counts = counts(many);
        for (String summary : List.of("Sales", "Minutes", "Capped")) {
            for (Fate fate : List.of(Fate.DUPLICATE, Fate.LATE)) {
                assertThat(counts.intoSummary(summary).count(fate))
                        .as("%s of %s", fate, summary)
                        // Events of different sources with an equal stamp count once when their updates come in one
                        // batch.
                        .isCloseTo(expectedCounts.intoSummary(summary).count(fate), withinPercentage(1));
            }
        }
        assertThat(counts.intoSummary("Sales").count(Fate.DUPLICATE)).isPositive();
        assertThat(counts.intoSummary("Minutes").count(Fate.LATE)).isPositive();
        assertThat(windows).isNotEmpty();
    }

    private static LedgerCounts counts(Owners owners) {
        LedgerCounts counts = LedgerCounts.NONE;
        for (RangeOwner.Frozen frozen : owners.freeze()) {
            counts = counts.plus(frozen.counts());
            frozen.release();
        }
        return counts;
    }

    /** Adds the windows that are closed, which no earlier checkpoint has. */
    private static void addWindows(List<RangeOwner.Frozen> frozen, Owners owners, Map<String, byte[]> windows)
            throws IOException, InterruptedException {
        for (RangeOwner.Frozen state : frozen) {
            for (RangeOwner.Frozen.ClosedRows closed : state.closed(1, TIME)) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                StateWriter.write(closed.cut(), new FileWindow(closed.start(), closed.end()), bytes, 1);
                String range = owners.owners.get(frozen.indexOf(state)).here().first() + "";
                byte[] before = windows.put(closed.summary() + closed.start() + " from " + range, bytes.toByteArray());
                assertThat(before).isNull();
            }
        }
    }

    private static void drop(List<RangeOwner.Frozen> frozen, Owners owners) {
        for (int i = 0; i < frozen.size(); i++) {
            long[] boundaries = frozen.get(i).boundaries();
            for (int summary = 0; summary < boundaries.length; summary++) {
                owners.owners.get(i).dropBefore(summary, boundaries[summary]);
            }
        }
    }

    /** One state file of all rows. */
    private Path merged(Job job, Owners owners, Map<String, byte[]> windows, Path file) throws Exception {
        List<RangeOwner.Frozen> frozen = owners.freeze();
        Map<String, byte[]> all = new TreeMap<>(windows);
        addWindows(frozen, owners, all);
        Saved saved = owners.write(frozen);
        frozen.forEach(RangeOwner.Frozen::release);
        Summaries rows = job.empty(job.all());
        var unused = KeyGroupState.read(providers(saved.state, 0, job.options.keyGroups()), rows, folder);
        for (byte[] window : all.values()) {
            Path one = Files.write(folder.resolve("window.state"), window);
            try (StateFile saved1 = StateFile.open(one)) {
                assertThat(saved1.addTo(rows, 1)).isEmpty();
            }
        }
        try (OutputStream out = Files.newOutputStream(file)) {
            StateWriter.write(rows.freeze(1, TIME), out, 1);
        }
        return file;
    }

    private static List<String> rows(Path state, String table) {
        Commands.Outcome outcome = Commands.run("state", state.toString(), table);
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return outcome.out().lines().skip(1).sorted().toList();
    }

    /** By minute, the sum of a column. */
    private static Map<String, Long> total(List<String> rows, int column) {
        Map<String, Long> sums = new TreeMap<>();
        for (String row : rows) {
            String[] cells = row.split(",", -1);
            sums.merge(cells[0], Long.parseLong(cells[column]), Long::sum);
        }
        return sums;
    }

    /** The rows of a run over the same messages. */
    private static List<String> run(Path folder, List<String> messages) throws IOException {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("events.proto"), EVENTS);
        Files.writeString(definitions.resolve("orders.summ"), DEFINITIONS);
        Path log = Files.write(folder.resolve("sent.log"), messages);
        Path run = folder.resolve("run");
        Commands.Outcome outcome =
                Commands.run("run", "--definitions", definitions.toString(), "--out", run.toString(), log.toString());
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return Files.readAllLines(run.resolve("Sales.csv")).stream()
                .skip(1)
                .sorted()
                .toList();
    }

    /** The columns that do not depend on the stamps of messages, which a run draws itself. */
    /** Rows without first and last texts, and with rounded sums of doubles: both depend on the order of the updates. */
    private static List<String> withoutOrder(List<String> sales) {
        return sales.stream()
                .map(row -> List.of(row.split(",", -1)))
                .map(row -> String.join(",", row.subList(0, 6))
                        + String.format(Locale.ROOT, ",%.6f", Double.parseDouble(row.get(6))))
                .toList();
    }

    @Test
    void anEventThatComesAgainAfterARestoreIsNotCounted() throws Exception {
        Job job = new Job(DEFINITIONS, 16);
        Owners owners = new Owners(job, new int[] {5, 16});
        Step event = new Step(0, TIME, List.of("1,DE,2.5," + TIME / 1000 + ",77,n,1"), 0);
        owners.perform(event);
        List<RangeOwner.Frozen> frozen = owners.freeze();
        owners.restore(owners.write(frozen), new int[] {1, 2, 9, 16});
        frozen.forEach(RangeOwner.Frozen::release);
        owners.perform(new Step(0, TIME + 5, event.payloads, 0)); // sent again
        owners.perform(new Step(1, TIME, event.payloads, 0)); // of another source, with an equal stamp
        owners.perform(new Step(1, TIME + 9, List.of("1,DE,4," + TIME / 1000 + ",78,n,1"), 0));
        LedgerCounts counts = counts(owners);
        assertThat(counts.intoSummary("Sales").count(Fate.DUPLICATE)).isEqualTo(2);
        assertThat(rows(merged(job, owners, Map.of(), folder.resolve("all.state")), "Sales"))
                .singleElement()
                .asString()
                .startsWith("DE,2,6.500000,1,");
    }

    /** One partition is behind by more than the window, but by less than the window and the lag. */
    @Test
    void anEventOfAPartitionThatIsBehindIsNotCountedAgainAfterARestore() throws Exception {
        Job job = new Job(DEFINITIONS, 16);
        Owners owners = new Owners(job, new int[] {16});
        long behind = TIME - TimeUnit.MINUTES.toMicros(69);
        Step event = new Step(1, behind, List.of("1,DE,2.5," + TIME / 1000 + ",77,n,1"), 0);
        owners.perform(event);
        owners.perform(new Step(0, TIME, List.of("1,DE,4," + TIME / 1000 + ",78,n,1"), 0));
        List<RangeOwner.Frozen> frozen = owners.freeze();
        owners.restore(owners.write(frozen), new int[] {16});
        frozen.forEach(RangeOwner.Frozen::release);
        owners.perform(new Step(1, behind + TimeUnit.MINUTES.toMicros(1), event.payloads, 0));
        assertThat(counts(owners).intoSummary("Sales").count(Fate.DUPLICATE)).isEqualTo(1);
    }

    /** Closed windows are in files, and have a boundary, also when no row of the summary is left. */
    @Test
    void windowsMustStay() throws Exception {
        Saved saved = new Owners(new Job(DEFINITIONS, 16), new int[] {16})
                .write(new Owners(new Job(DEFINITIONS, 16), new int[] {16}).freeze());
        for (String windows : List.of("window minute every 5m close after 10s;", "")) {
            Job other = new Job(DEFINITIONS.replaceFirst("window minute every 1m close after 10s;", windows), 16);
            assertThatThrownBy(() -> new Owners(other, new int[] {16}).restore(saved, new int[] {16}))
                    .isInstanceOf(SuppressRestartsException.class)
                    .rootCause()
                    .hasMessageContaining("the windows of Minutes differ from those in the savepoint");
        }
        Job longer = new Job(DEFINITIONS.replace("close after 10s", "close after 20s keep 1d"), 16);
        new Owners(longer, new int[] {16}).restore(saved, new int[] {16});
    }

    @Test
    void fieldsMayBeAddedAndDroppedButKeysMustStay() throws Exception {
        Job job = new Job(DEFINITIONS, 16);
        Owners owners = new Owners(job, new int[] {16});
        owners.perform(new Step(0, TIME, List.of("1,DE,2.5," + TIME / 1000 + ",77,n,1"), 0));
        Saved saved = owners.write(owners.freeze());
        Job changed = new Job(
                DEFINITIONS
                        .replace("sumdouble exact = 6;", "minint64 least = 60;")
                        .replace("exact += amount;", "least += at;"),
                16);
        Owners others = new Owners(changed, new int[] {3, 16});
        others.restore(saved, new int[] {3, 16});
        others.perform(new Step(0, TIME + 1, List.of("1,DE,1,7,78,n,1"), 0));
        assertThat(rows(merged(changed, others, Map.of(), folder.resolve("all.state")), "Sales"))
                .containsExactly("DE,2,3.500000,1," + TIME / 1000 + ",2,7,n,n");
        for (String key : List.of("int64 country", "string land = 2; string country")) {
            Job other = new Job(
                    DEFINITIONS
                            .replace("key { string country = 1; }", "key { " + key + " = 1; }")
                            .replace(
                                    "key { country; }",
                                    "key { "
                                            + (key.startsWith("int64")
                                                    ? "country = customer;"
                                                    : "land = country; country;")
                                            + " }"),
                    16);
            assertThatThrownBy(() -> new Owners(other, new int[] {16}).restore(saved, new int[] {16}))
                    .isInstanceOf(SuppressRestartsException.class)
                    .rootCause()
                    .hasMessageContaining("the key of Sales differs from that in the savepoint");
        }
        Job another = new Job(
                DEFINITIONS.replace("maxint64 last", "laststring last").replace("last += at", "last += note"), 16);
        assertThatThrownBy(() -> new Owners(another, new int[] {16}).restore(saved, new int[] {16}))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("last");
    }
}
