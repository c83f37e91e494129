package io.summarizer.flink.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.Seeds;
import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.pipeline.SumPlan;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.ResultNames;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints of a job that is imitated, with files whose texts tell who wrote them. */
class ResultCommitterTest {
    private static final long MINUTE = 60_000_000;
    private static final long TIME = 1_700_000_040_000_000L; // a whole minute
    private static final int KEY_GROUPS = 16;

    @TempDir
    Path folder;

    private long keepMicros = SummaryWindow.FOR_EVER;

    @AfterEach
    void letChangesSucceed() {
        FailingFiles.failAfter(Long.MAX_VALUE);
    }

    private ResultFolder results() {
        return new ResultFolder(FailingFiles.name(folder));
    }

    private ResultCommitter committer(int keep) {
        SummaryWindow window = new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC, 0, keepMicros);
        SummaryLayout minutes = SumPlan.windowed("Minutes", window, SummaryLimit.DEFAULT);
        SummaryLayout plain = new SumPlan(1, List.of("Plain")).summaries().get(0);
        return new ResultCommitter(
                results(), "job", "definitions", KEY_GROUPS, keep, List.of(plain, minutes, minutes.overflow()));
    }

    private static long start(int window) {
        return TIME + window * MINUTE;
    }

    private static long boundary(int closed) {
        return closed == 0 ? ClosedWindows.NO_BOUNDARY : start(closed);
    }

    private static Map<String, Long> boundaries(int closed) {
        return Map.of("Minutes", boundary(closed));
    }

    /**
     * Writes what the subtasks of a checkpoint write.
     *
     * @param text text of the files of rows
     * @param closed number of windows that are closed
     * @param windows texts of the closed windows that owners still have
     */
    private void write(long checkpoint, int owners, String text, int closed, Map<Integer, String> windows)
            throws Exception {
        write(checkpoint, owners, owners, text, closed, windows);
    }

    /** Writes what the first {@code written} subtasks write. */
    private void write(long checkpoint, int owners, int written, String text, int closed, Map<Integer, String> windows)
            throws Exception {
        ResultFolder results = results();
        for (int owner = 0; owner < written; owner++) {
            int first = owner * KEY_GROUPS / owners;
            int last = (owner + 1) * KEY_GROUPS / owners - 1;
            List<OwnerFiles.WindowFile> files = new ArrayList<>();
            for (Map.Entry<Integer, String> window : windows.entrySet()) {
                String name = ResultNames.window("Minutes", start(window.getKey()), checkpoint, owner, owners);
                files.add(new OwnerFiles.WindowFile(
                        "Minutes",
                        start(window.getKey()),
                        start(window.getKey() + 1),
                        1,
                        write(results, name, window.getValue(), first, last)));
            }
            Manifest.RowFile rows = write(results, ResultNames.rows(checkpoint, owner, owners), text, first, last);
            long[] fates = new long[Fate.all().size()];
            fates[Fate.APPLIED.ordinal()] = 10;
            ByteArrayOutputStream ledger = new ByteArrayOutputStream();
            new LedgerCounts(List.of(new Account("kafka", 10, fates)), List.of(), List.of(), LedgerCounts.none(""))
                    .writeTo(ledger);
            results.writeLedger(checkpoint, "evaluate", owner, owners, ledger.toByteArray());
            results.writeOwner(
                    checkpoint,
                    owner,
                    owners,
                    new OwnerFiles(rows, List.of(new OwnerFiles.SummaryBoundary("Minutes", boundary(closed))), files));
        }
    }

    private static Manifest.RowFile write(ResultFolder results, String name, String text, int first, int last)
            throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long length = results.write(name, out -> {
            out.write(bytes);
            return bytes.length;
        });
        return new Manifest.RowFile(name, first, last, length);
    }

    /** Asserts that the newest result is that of a checkpoint, with these rows and windows. */
    private void assertNewest(long checkpoint, int owners, String text, Map<Integer, String> windows) throws Exception {
        List<Long> manifests = results().manifests();
        assertThat(manifests).contains(checkpoint);
        Manifest manifest = results().readManifest(checkpoint);
        assertThat(manifest.ledger().total().received()).isEqualTo(10L * owners);
        assertThat(manifest.files()).hasSize(owners).allSatisfy(file -> assertHas(file, text));
        Map<Integer, String> found = new TreeMap<>();
        for (Manifest.Window window : manifest.summaries().get(1).windows()) {
            int number = (int) ((window.start() - TIME) / MINUTE);
            found.put(
                    number,
                    Files.readString(folder.resolve(window.files().get(0).file())));
            for (Manifest.RowFile file : window.files()) {
                assertHas(file, found.get(number));
            }
            assertThat(window.files().stream()
                            .mapToInt(file -> file.lastKeyGroup() - file.firstKeyGroup() + 1)
                            .sum())
                    .isEqualTo(KEY_GROUPS);
            assertThat(window.rows()).isEqualTo(window.files().size());
        }
        assertThat(found).isEqualTo(windows);
    }

    private void assertHas(Manifest.RowFile file, String text) throws IOException {
        Path path = folder.resolve(file.file());
        assertThat(path).hasContent(text);
        assertThat(Files.size(path)).isEqualTo(file.bytes());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void eachCompletedCheckpointIsAResultAndAnExpiredOneLeavesNoFile() throws Exception {
        ResultCommitter committer = committer(2);
        assertThat(committer.begin()).isEmpty();
        for (int checkpoint = 1; checkpoint <= 4; checkpoint++) {
            write(checkpoint, 2, "c" + checkpoint, 0, Map.of());
            committer.commit(checkpoint, TIME);
            List<String> before = files();
            committer.commit(checkpoint, TIME + 1); // a repetition
            assertThat(files()).isEqualTo(before);
            assertNewest(checkpoint, 2, "c" + checkpoint, Map.of());
        }
        assertThat(results().manifests()).containsExactly(3L, 4L);
        assertThat(files())
                .allSatisfy(file -> assertThat(file).matches(".*0000[34][./].*"))
                .hasSize(2 * 7);
    }

    @Test
    void aWindowKeepsTheFilesOfTheResultThatHadItFirst() throws Exception {
        ResultCommitter committer = committer(1);
        write(1, 2, "c1", 2, Map.of(0, "w0", 1, "w1"));
        committer.commit(1, TIME);
        write(2, 2, "c2", 3, Map.of(0, "again", 1, "again", 2, "w2")); // the owners had not dropped their rows yet
        committer.commit(2, TIME);
        assertNewest(2, 2, "c2", Map.of(0, "w0", 1, "w1", 2, "w2"));
        write(3, 3, "c3", 3, Map.of());
        committer.commit(3, TIME);
        assertNewest(3, 3, "c3", Map.of(0, "w0", 1, "w1", 2, "w2"));
        assertThat(files()).filteredOn(file -> file.startsWith("windows/")).hasSize(2 * 3);
    }

    @Test
    void windowsAreRemovedWhenTheirTimeIsOver() throws Exception {
        keepMicros = 5 * MINUTE;
        ResultCommitter committer = committer(1);
        write(1, 1, "c1", 2, Map.of(0, "w0", 1, "w1"));
        committer.commit(1, start(1) + keepMicros - 1); // the end of the first window is a microsecond too young
        assertNewest(1, 1, "c1", Map.of(0, "w0", 1, "w1"));
        write(2, 1, "c2", 2, Map.of());
        committer.commit(2, start(1) + keepMicros);
        assertNewest(2, 1, "c2", Map.of(1, "w1"));
        assertThat(files()).filteredOn(file -> file.startsWith("windows/")).hasSize(1);
    }

    @Test
    void filesOfAnAbortedCheckpointAreRemoved() throws Exception {
        ResultCommitter committer = committer(3);
        write(1, 2, 1, "aborted", 1, Map.of(0, "aborted"));
        write(2, 2, "c2", 1, Map.of(0, "w0"));
        committer.commit(2, TIME);
        assertNewest(2, 2, "c2", Map.of(0, "w0"));
        assertThat(files()).allSatisfy(file -> assertThat(file).matches(".*0002[-./].*"));
    }

    @Test
    void aResultThatAFailureLeftOutIsMadeAtTheRestore() throws Exception {
        write(7, 2, "c7", 1, Map.of(0, "w0"));
        committer(2).restore(7, TIME, boundaries(1));
        assertNewest(7, 2, "c7", Map.of(0, "w0"));
    }

    @Test
    void resultsOfAnotherJobAreRefused() throws Exception {
        write(1, 1, "c1", 0, Map.of());
        committer(1).commit(1, TIME);
        assertThat(committer(1).begin()).contains("has results of another job");
    }

    @Test
    void aCheckpointWithoutTheFilesOfASubtaskIsNoResult() throws Exception {
        write(1, 3, 2, "c1", 0, Map.of());
        assertThatThrownBy(() -> committer(1).commit(1, TIME)).hasMessageContaining("lacks files of subtasks");
        assertThat(results().manifests()).isEmpty();
    }

    @Test
    void filesThatAnEndedJobLeftBehindAreNotMixedWithThoseOfOneWithOtherSubtasks() throws Exception {
        write(1, 2, 1, "left", 1, Map.of(0, "left"));
        ResultCommitter first = committer(2);
        assertThat(first.begin()).isEmpty();
        write(1, 3, "c1", 1, Map.of(0, "w0"));
        first.commit(1, TIME);
        assertNewest(1, 3, "c1", Map.of(0, "w0"));
        write(2, 3, 1, "left", 2, Map.of(1, "left"));
        ResultCommitter next = committer(2);
        next.restore(1, TIME, boundaries(1));
        write(2, 2, "c2", 2, Map.of(1, "w1"));
        next.commit(2, TIME);
        assertNewest(2, 2, "c2", Map.of(0, "w0", 1, "w1"));
    }

    @Test
    void anOlderSavepointWithoutAResultGoesOnWithItsWindows() throws Exception {
        ResultCommitter committer = committer(2);
        write(4, 2, "c4", 1, Map.of(0, "w0"));
        committer.commit(4, TIME);
        // Checkpoint 5 is a savepoint without a result; the next one has its windows, and one more.
        write(6, 2, "abandoned", 3, Map.of(1, "w1", 2, "abandoned"));
        committer.commit(6, TIME);
        write(7, 2, "abandoned", 4, Map.of(3, "abandoned"));
        committer.commit(7, TIME);
        ResultCommitter next = committer(2);
        next.restore(5, TIME, boundaries(2));
        assertThat(results().manifests()).isEmpty();
        assertThat(files()).filteredOn(file -> file.startsWith("windows/")).hasSize(2 * 2);
        write(6, 3, "c6", 3, Map.of(2, "w2"));
        next.commit(6, TIME);
        assertNewest(6, 3, "c6", Map.of(0, "w0", 1, "w1", 2, "w2"));
        assertThat(results().manifests()).containsExactly(6L);
    }

    /** A checkpoint that Flink has. */
    private record Checkpoint(long number, int closed, String text, int owners, Map<Integer, String> windows) {}

    /** A job that fails at any change of a file, is divided anew, and goes back to older checkpoints. */
    private final class World {
        final Random random;
        final int keep;
        final List<Checkpoint> completed = new ArrayList<>();
        ResultCommitter committer;
        long next = 1;
        int run;
        int closed;
        int owners = 2;
        /** Windows that the owners still have, and all closed windows. */
        final TreeMap<Integer, String> held = new TreeMap<>();

        final TreeMap<Integer, String> all = new TreeMap<>();

        World(Random random) throws IOException {
            this.random = random;
            keep = 1 + random.nextInt(3);
            committer = committer(keep);
            assertThat(committer.begin()).isEmpty();
        }

        void checkpoint(boolean fails) throws Exception {
            for (int more = random.nextInt(3); more > 0; more--) {
                held.put(closed, "w" + closed + " of run " + run);
                all.put(closed, "w" + closed + " of run " + run);
                closed++;
            }
            long number = next++;
            String text = "c" + number + " of run " + run;
            if (fails && random.nextInt(6) == 0) {
                write(number, owners, random.nextInt(owners + 1), text, closed, held);
                return; // aborted
            }
            write(number, owners, text, closed, held);
            completed.add(new Checkpoint(number, closed, text, owners, Map.copyOf(all)));
            if (fails && random.nextInt(5) == 0) {
                return; // a savepoint, which has no result
            }
            FailingFiles.failAfter(fails && random.nextInt(3) == 0 ? random.nextInt(8) : Long.MAX_VALUE);
            try {
                committer.commit(number, TIME);
            } catch (IOException e) {
                restart(last());
                return;
            } finally {
                FailingFiles.failAfter(Long.MAX_VALUE);
            }
            assertNewest(number, owners, text, all);
            if (!fails || random.nextInt(3) > 0) {
                held.clear();
            }
        }

        Checkpoint last() {
            return completed.get(completed.size() - 1);
        }

        /** Goes on from a checkpoint. Later ones are gone. */
        void restart(Checkpoint from) throws Exception {
            FailingFiles.failAfter(Long.MAX_VALUE);
            run++;
            completed.removeIf(checkpoint -> checkpoint.number > from.number);
            closed = from.closed;
            held.clear();
            all.clear();
            all.putAll(from.windows);
            owners = 1 + random.nextInt(3);
            next = random.nextBoolean() && from.equals(last()) ? next : from.number + 1;
            while (true) {
                committer = committer(keep);
                FailingFiles.failAfter(random.nextInt(3) == 0 ? random.nextInt(8) : Long.MAX_VALUE);
                try {
                    committer.restore(from.number, TIME, boundaries(from.closed));
                    return;
                } catch (IOException e) {
                    // The job starts again.
                } finally {
                    FailingFiles.failAfter(Long.MAX_VALUE);
                }
            }
        }
    }

    @Test
    void theNewestResultIsWholeWheneverTheJobFailsAndWhereverItGoesOn() throws Exception {
        Path worlds = folder;
        long seed = Seeds.first();
        for (long last = seed + Seeds.count(50); seed < last; seed++) {
            System.out.println("summarizer.seed=" + seed);
            folder = Files.createDirectories(worlds.resolve("" + seed));
            World world = new World(new Random(seed));
            world.checkpoint(false);
            for (int step = 0; step < 40; step++) {
                int what = world.random.nextInt(12);
                if (what == 0) {
                    world.restart(world.last());
                } else if (what == 1) {
                    int back = world.random.nextInt(Math.min(4, world.completed.size()));
                    world.restart(world.completed.get(world.completed.size() - 1 - back));
                } else {
                    world.checkpoint(true);
                }
            }
            for (int step = 0; step < world.keep; step++) {
                world.checkpoint(false);
            }
            assertThat(results().manifests()).hasSize(world.keep).contains(world.last().number);
        }
    }
}
