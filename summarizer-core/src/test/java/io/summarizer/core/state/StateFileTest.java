package io.summarizer.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.bytes.BlockBuffer;
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.ModelSummary;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.UpdateBatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateFileTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldReadBackWhatWasWritten(long seed) throws Exception {
        roundTrip(seed, 2_000);
    }

    /** Each of several summarizers sees a share; together they have the state of one that saw everything. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldUniteSharesToWhatOneWouldHaveSeen(long seed) throws Exception {
        union(seed, 2_000);
    }

    @Test
    @Tag("long")
    void shouldKeepAndUniteAnythingForManySeeds() throws Exception {
        long first = System.nanoTime();
        for (int i = 0; i < 300; i++) {
            roundTrip(first + i, 5_000);
            union(first + i, 5_000);
        }
    }

    /** A small file must not make its readers allocate the size that it claims. */
    @Test
    void shouldRefuseABlockThatClaimsMoreThanAWriterMakes() throws Exception {
        Path file = folder.resolve("claims.state");
        try (OutputStream out = Files.newOutputStream(file)) {
            BlockSink sink = new BlockSink(out);
            BlockBuffer layouts = new BlockBuffer();
            layouts.fill(129 << 20);
            layouts.skip(129 << 20);
            try (BlockSink.Writer writer = sink.new Writer()) {
                writer.write(StateFormat.LAYOUTS, -1, layouts);
            }
            sink.finish(new int[0][]);
        }
        assertThat(Files.size(file)).isLessThan(100_000);
        assertThatThrownBy(() -> StateFile.open(file))
                .isInstanceOf(StateException.class)
                .hasMessageContaining("bytes=" + (129 << 20));
    }

    private void roundTrip(long seed, int records) throws IOException, InterruptedException {
        Random random = new Random(seed);
        List<SummaryLayout> layouts = layouts(random);
        Summaries written = States.empty(layouts);
        feed(layouts, random, records, List.of(written));
        Path file = States.save(written, folder.resolve("one.state"));
        Summaries read = States.empty(layouts);
        assertThat(States.load(file, read)).isEmpty();
        assertThat(States.dump(read)).as("seed %d, %s", seed, layouts).isEqualTo(States.dump(written));
        // The loaded state takes updates and can be written again.
        feed(layouts, new Random(seed), 50, List.of(read, written));
        assertThat(States.dump(read)).as("seed %d, %s", seed, layouts).isEqualTo(States.dump(written));
    }

    private void union(long seed, int records) throws IOException, InterruptedException {
        Random random = new Random(seed);
        List<SummaryLayout> layouts = layouts(random);
        Summaries single = States.empty(layouts);
        List<Summaries> shares = new ArrayList<>();
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            shares.add(States.empty(layouts));
        }
        List<Summaries> all = new ArrayList<>(shares);
        all.add(single);
        feed(layouts, random, records, all);
        Summaries united = States.empty(layouts);
        for (int i = 0; i < shares.size(); i++) {
            States.load(States.save(shares.get(i), folder.resolve(i + ".state")), united);
        }
        assertThat(States.dump(united)).as("seed %d, %s", seed, layouts).isEqualTo(States.dump(single));
    }

    static List<SummaryLayout> layouts(Random random) {
        List<SummaryLayout> layouts = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            layouts.add(States.numbered(ModelSummary.randomLayout("s" + i, 2, random)));
        }
        return layouts;
    }

    /** Applies random records, each with its own stamp: to the last of the targets, and to one of the others. */
    static void feed(List<SummaryLayout> layouts, Random random, int records, List<Summaries> targets) {
        List<ModelSummary> models = layouts.stream()
                .map(layout -> new ModelSummary(layout, 1 + random.nextInt(300), random))
                .toList();
        List<Long> stamps = new ArrayList<>();
        for (long i = 0; i < records; i++) {
            stamps.add(1_000_000 + i);
        }
        Collections.shuffle(stamps, random);
        UpdateBatch batch = new UpdateBatch(1);
        for (long stamp : stamps) {
            int summary = random.nextInt(layouts.size());
            batch.clear();
            models.get(summary).update(batch, random);
            Bytes.putLong(batch.bytes(), UpdateBatch.STAMP_OFFSET, stamp);
            States.apply(targets.get(targets.size() - 1), summary, batch);
            if (targets.size() > 1) {
                States.apply(targets.get(random.nextInt(targets.size() - 1)), summary, batch);
            }
        }
    }

    /** Layout of the small files below, with every feature. */
    static SummaryLayout everything() {
        return States.numbered(Rows.layout(
                "s",
                List.of(KeyType.values()),
                List.of(AggregateType.values()),
                Rows.layout("n", List.of(KeyType.STRING), List.of(AggregateType.SUMINT32, AggregateType.MULTISET64))));
    }

    /** A small state with every feature. */
    static Summaries small() {
        return some(40, 1_000);
    }

    private static Summaries some(int records, int distinct) {
        SummaryLayout layout = everything();
        Summaries state = States.empty(List.of(layout));
        feed(List.of(layout), new Random(5), records, List.of(state));
        UpdateBatch batch = new UpdateBatch(1);
        KeyBuffer key = Rows.key(layout, 1L, 2L, 3L, 4L, true, "five", 6L);
        int sets = AggregateType.MULTISET64.ordinal();
        for (int i = 0; i < distinct; i++) {
            batch.clear();
            batch.beginRow(0, key, key.hash(), 77);
            batch.addLong(sets, new Random(i).nextLong());
            batch.endRow();
            States.apply(state, 0, batch);
        }
        return state;
    }

    @Test
    void shouldRefuseAFileThatWasCutShortAnywhere() throws Exception {
        byte[] whole = Files.readAllBytes(States.save(some(3, 330), folder.resolve("whole.state")));
        Path part = folder.resolve("part.state");
        for (int length = 0; length < whole.length; length++) {
            Files.write(part, Arrays.copyOf(whole, length));
            assertRefused(part, "length " + length);
        }
    }

    @Test
    void shouldRefuseAFileInWhichAnyByteChanged() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] bytes = Files.readAllBytes(States.save(some(3, 330), folder.resolve("whole.state")));
        Path changed = folder.resolve("changed.state");
        for (int at = 0; at < bytes.length; at++) {
            byte before = bytes[at];
            bytes[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(changed, bytes);
            bytes[at] = before;
            assertRefused(changed, "seed " + seed + ", byte " + at + " of " + bytes.length);
        }
    }

    private static void assertRefused(Path file, String what) {
        assertThatThrownBy(() -> States.load(file, States.empty(List.of(everything()))))
                .as(what)
                .isInstanceOf(StateException.class)
                .hasMessageStartingWith(file.toString());
        assertThatThrownBy(() -> verify(file))
                .as(what + ", verified alone")
                .isInstanceOf(StateException.class)
                .hasMessageStartingWith(file.toString());
    }

    private static void verify(Path file) throws IOException, InterruptedException {
        try (StateFile state = StateFile.open(file)) {
            state.verify(2);
        }
    }

    @Test
    void shouldVerifyAWholeFileAndCountTheRowsOfEachTable() throws Exception {
        Summaries state = small();
        Path file = States.save(state, folder.resolve("s.state"));
        verify(file);
        try (StateFile read = StateFile.open(file)) {
            List<StateFile.TableRows> tables = read.tables(0);
            assertThat(tables).extracting(StateFile.TableRows::path).startsWith("s", "s/n");
            SummaryView view = state.freeze(1, 2).summaries().get(0);
            assertThat(tables.get(0).rows()).isPositive().isEqualTo(view.rows(List.of()));
            assertThat(tables.get(1).rows()).isPositive().isEqualTo(view.rows(view.path(List.of("n"))));
        }
    }

    @Test
    void shouldRefuseAFileThatHasNoSummaryOfTheDefinitions() throws Exception {
        Path file = States.save(small(), folder.resolve("s.state"));
        SummaryLayout s = everything();
        SummaryLayout other = new SummaryLayout("other", 0, s.keys(), s.values(), List.of());
        assertThatThrownBy(() -> States.load(file, States.empty(List.of(other))))
                .isInstanceOf(StateException.class)
                .hasMessageStartingWith(
                        file + ": does not go together with these definitions:\n  none of the summaries in"
                                + " the file is defined: there is s; defined is other\n");
    }

    @Test
    void shouldRefuseWhatIsNoStateFile() throws Exception {
        Path text = Files.writeString(folder.resolve("text"), "campaign_id,impressions\n".repeat(10));
        assertThatThrownBy(() -> StateFile.open(text)).hasMessage(text + ": is not a state file");
    }

    @Test
    void shouldWriteTheSameBytesForTheSameStateOnOneThread() throws Exception {
        Cut cut = small().freeze(1, 2);
        ByteArrayOutputStream one = new ByteArrayOutputStream();
        ByteArrayOutputStream other = new ByteArrayOutputStream();
        long bytes = StateWriter.write(cut, one, 1);
        StateWriter.write(cut, other, 1);
        assertThat(one.toByteArray()).isEqualTo(other.toByteArray()).hasSize((int) bytes);
    }

    @Test
    void shouldDeleteWhatKilledProcessesLeftOfTheSameFileAndNothingElse() throws Exception {
        long dead = Integer.MAX_VALUE; // above all process ids
        FileTime old = FileTime.from(Instant.now().minus(Duration.ofHours(1)));
        List<String> stay = List.of(
                ".one.state." + ProcessHandle.current().parent().orElseThrow().pid() + ".tmp", // alive
                ".two.state." + dead + ".tmp",
                ".one.state..tmp",
                ".one.state.x1.tmp",
                "one.state." + dead + ".tmp");
        for (String name : stay) {
            Files.setLastModifiedTime(Files.createFile(folder.resolve(name)), old);
        }
        Path left = Files.createFile(folder.resolve(".one.state." + dead + ".tmp"));
        States.save(small(), folder.resolve("one.state"));
        assertThat(left).as("of a moment ago, perhaps of another container").exists();
        Files.setLastModifiedTime(left, old);
        States.save(small(), folder.resolve("one.state"));
        assertThat(folder.toFile().list())
                .hasSize(stay.size() + 1)
                .contains("one.state")
                .containsAll(stay);
    }

    @Test
    void shouldLeaveNoFileBehindWhenWritingFails() throws Exception {
        Path taken = Files.createDirectory(folder.resolve("taken"));
        assertThatThrownBy(() -> States.save(small(), taken)).isInstanceOf(StateException.class);
        assertThat(folder).isDirectoryNotContaining(path -> path.toString().endsWith(".tmp"));
    }

    @Test
    void shouldSayWhatIsInAFile() throws Exception {
        try (StateFile file = StateFile.open(States.save(small(), folder.resolve("s.state")))) {
            assertThat(file.cutId()).isEqualTo(7);
            assertThat(file.takenAtMicros()).isEqualTo(8);
            assertThat(file.layouts()).containsExactly(everything());
            assertThat(file.updates(0)).isEqualTo(1_040);
            assertThat(file.rows(0, List.of())).isEqualTo(small().limit(0).rows());
        }
    }

    @Test
    void shouldLoadMoreRowsThanTheSummaryMayHave() throws Exception {
        Path file = States.save(small(), folder.resolve("s.state"));
        Summaries read = States.empty(List.of(everything()), 3);
        States.load(file, read);
        assertThat(read.limit(0).rows()).isEqualTo(small().limit(0).rows()).isGreaterThan(3);
        assertThat(read.limit(0).maximum()).isEqualTo(3);
    }

    @Test
    void shouldKnowTheLastStampSoThatNewOnesAreAboveIt() throws Exception {
        Summaries read = States.empty(List.of(everything()));
        States.load(States.save(small(), folder.resolve("s.state")), read);
        assertThat(read.lastStamp()).isBetween(1_000_000L, 1_000_040L);
    }
}
