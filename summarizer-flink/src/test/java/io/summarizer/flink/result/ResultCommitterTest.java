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
import io.summarizer.core.window.LateUpdates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
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

    /** Number that is part of the names of windows' files, as the random number of a run of an owner is. */
    private int attempt;

    /** The late updates that each subtask of the next checkpoint has counted. */
    private LateUpdates late = new LateUpdates();

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
        for (int owner = 0; owner < written; owner++) {
            writeOwner(checkpoint, owner, owners, text, closed, windows);
        }
    }

    /** Writes what one subtask writes. */
    private void writeOwner(
            long checkpoint, int owner, int owners, String text, int closed, Map<Integer, String> windows)
            throws Exception {
        ResultFolder results = results();
        int first = owner * KEY_GROUPS / owners;
        int last = (owner + 1) * KEY_GROUPS / owners - 1;
        List<OwnerFiles.WindowFile> files = new ArrayList<>();
        results.writeWindowNames(
                checkpoint,
                owner,
                owners,
                attempt,
                windows.keySet().stream()
                        .map(window -> window(window, checkpoint, owner, owners))
                        .toList());
        for (Map.Entry<Integer, String> window : windows.entrySet()) {
            String name = window(window.getKey(), checkpoint, owner, owners);
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
                new OwnerFiles(
                        rows, List.of(new OwnerFiles.SummaryBoundary("Minutes", boundary(closed))), files, late));
    }

    private String window(int window, long checkpoint, int owner, int owners) {
        return ResultNames.window("Minutes", start(window), checkpoint, owner, owners, attempt);
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
                .hasSize(2 * 9);
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

    private List<Long> late(long checkpoint) throws IOException {
        return results().readManifest(checkpoint).summaries().get(1).windows().stream()
                .map(Manifest.Window::late)
                .toList();
    }

    @Test
    void aWindowHasTheLateUpdatesOfAllSubtasksUpToTheCheckpoint() throws Exception {
        ResultCommitter committer = committer(9);
        write(1, 2, "c1", 2, Map.of(0, "w0", 1, "w1"));
        committer.commit(1, TIME);
        assertThat(late(1)).containsExactly(0L, 0L);
        late.add("Minutes", start(1), 3);
        late.add("Minutes", start(5), 4); // no window of this time has rows
        late.add("Plain", start(0), 5);
        write(2, 2, "c2", 3, Map.of(2, "w2"));
        committer.commit(2, TIME);
        assertThat(late(2)).containsExactly(0L, 6L, 0L);
        late.add("Minutes", start(1), 1);
        write(3, 3, "c3", 3, Map.of());
        committer.commit(3, TIME);
        assertThat(late(3)).containsExactly(0L, 12L, 0L);
        // A job that goes on from checkpoint 2 has the numbers of this checkpoint.
        late = new LateUpdates();
        late.add("Minutes", start(1), 6);
        ResultCommitter next = committer(9);
        next.restore(2, TIME, boundaries(3));
        write(3, 1, "c3 again", 3, Map.of());
        next.commit(3, TIME);
        assertThat(late(3)).containsExactly(0L, 6L, 0L);
    }

    @Test
    void theLateUpdatesOfManySubtasksHaveNoBound() throws Exception {
        ResultCommitter committer = committer(9);
        late.add("Minutes", start(0), 1);
        writeOwner(1, 0, 2, "c1", 1, Map.of(0, "w0"));
        late = new LateUpdates();
        for (int window = 1; window <= LateUpdates.WINDOWS_MAX; window++) {
            late.add("Minutes", start(window), 1);
        }
        writeOwner(1, 1, 2, "c1", 1, Map.of(0, "w0"));
        committer.commit(1, TIME);
        assertThat(late(1)).containsExactly(1L);
    }

    @Test
    void filesOfAnOwnerOfTheVersionBeforeHaveNoLateUpdates() throws Exception {
        late.add("Minutes", 4, 2);
        OwnerFiles files = new OwnerFiles(
                new Manifest.RowFile("rows", 0, 15, 7),
                List.of(new OwnerFiles.SummaryBoundary("Minutes", 5)),
                List.of(),
                late);
        byte[] bytes = files.toBytes();
        assertThat(OwnerFiles.of(bytes).late().of("Minutes")).isEqualTo(Map.of(4L, 2L));
        byte[] before = Arrays.copyOf(bytes, bytes.length - Integer.BYTES - late.toBytes().length);
        before[3] = 1;
        assertThat(OwnerFiles.of(before).boundaries()).isEqualTo(files.boundaries());
        assertThat(OwnerFiles.of(before).late().of("Minutes")).isEmpty();
        before[3] = 3;
        assertThatThrownBy(() -> OwnerFiles.of(before)).hasMessageContaining("version=3, expected 2");
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
    void filesOfACheckpointThatEndsAtAnyChangeAreRemoved() throws Exception {
        ResultCommitter committer = committer(1);
        write(1, 2, "c1", 1, Map.of(0, "w0"));
        committer.commit(1, TIME);
        List<String> before = files();
        int changes = 1 + 2 * 3 + 2 + 1 + 1; // the names, three windows, the rows, the ledger, the list
        for (int succeeding = 0; succeeding <= changes; succeeding++) {
            attempt++;
            end(2, succeeding);
            committer(1).restore(1, TIME, boundaries(1));
            assertThat(files()).isEqualTo(before);
        }
        for (int succeeding = 0; succeeding <= changes; succeeding++) {
            int ended = 2 + 2 * succeeding;
            end(ended, succeeding);
            write(ended + 1, 2, "c", 1, Map.of());
            committer.commit(ended + 1, TIME);
            assertNewest(ended + 1, 2, "c", Map.of(0, "w0"));
            assertThat(files()).noneMatch(file -> file.contains("%020d".formatted(ended)));
        }
    }

    /** Ends a checkpoint while its first owner writes. */
    private void end(int checkpoint, int succeeding) throws Exception {
        FailingFiles.failAfter(succeeding);
        try {
            writeOwner(checkpoint, 0, 2, "ended", 3, Map.of(0, "ended", 1, "ended", 2, "ended"));
        } catch (IOException e) {
            assertThat(e).hasMessage(FailingFiles.MESSAGE);
        } finally {
            FailingFiles.failAfter(Long.MAX_VALUE);
        }
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
        assertThat(files()).filteredOn(file -> file.startsWith("windows/")).hasSize(2 * 4);
        write(6, 3, "c6", 3, Map.of(2, "w2"));
        next.commit(6, TIME);
        assertNewest(6, 3, "c6", Map.of(0, "w0", 1, "w1", 2, "w2"));
        assertThat(files()).filteredOn(file -> file.startsWith("windows/")).hasSize(2 * 2 + 3);
        assertThat(results().manifests()).containsExactly(6L);
    }

    @Test
    void anOlderSavepointDeletesNoResultBeforeItsWindowsAreKept() throws Exception {
        ResultCommitter committer = committer(2);
        write(6, 2, "c6", 1, Map.of(0, "w0"));
        committer.commit(6, TIME);
        long noTime = Long.MIN_VALUE; // in a manifest, this is a text that is no time
        assertThatThrownBy(() -> committer(2).restore(5, TIME, Map.of("Minutes", noTime)))
                .isInstanceOf(IOException.class);
        assertNewest(6, 2, "c6", Map.of(0, "w0"));
        committer(2).restore(5, TIME, boundaries(0));
        assertThat(results().manifests()).isEmpty();
    }

    @Test
    void aSavepointStaysStartableWhenTheJobFailsAfterIt() throws Exception {
        ResultCommitter committer = committer(2);
        write(4, 2, "c4", 1, Map.of(0, "w0"));
        committer.commit(4, TIME);
        write(5, 2, "savepoint", 2, Map.of(1, "w1")); // owners write no rows of w1 to its state
        committer(2).restore(4, TIME, boundaries(1)); // Flink goes on from the checkpoint before a savepoint
        committer(2).restore(4, TIME, boundaries(1));
        assertNewest(4, 2, "c4", Map.of(0, "w0"));
        assertThat(results().checkpoints()).containsExactly(4L);
        ResultCommitter next = committer(2);
        next.restore(5, TIME, boundaries(2));
        write(6, 3, "c6", 3, Map.of(2, "w2"));
        next.commit(6, TIME);
        assertNewest(6, 3, "c6", Map.of(0, "w0", 1, "w1", 2, "w2"));
        assertThat(results().lists(ResultFolder.Windows.LEFT)).isEmpty();
        assertThat(files()).filteredOn(file -> file.startsWith("windows/")).hasSize(2 * 2 + 3);
    }

    @Test
    void aSavepointWithAResultStaysStartableWhenTheJobFailsAfterIt() throws Exception {
        ResultCommitter committer = committer(2);
        write(4, 2, "c4", 1, Map.of(0, "w0"));
        committer.commit(4, TIME);
        write(5, 2, "savepoint", 2, Map.of(1, "w1"));
        committer.commit(5, TIME);
        committer(2).restore(4, TIME, boundaries(1));
        ResultCommitter next = committer(2);
        next.restore(5, TIME, boundaries(2));
        write(6, 1, "c6", 3, Map.of(2, "w2"));
        next.commit(6, TIME);
        assertNewest(6, 1, "c6", Map.of(0, "w0", 1, "w1", 2, "w2"));
    }

    @Test
    void windowsThatStayForASavepointGoWithTheNextCommit() throws Exception {
        ResultCommitter committer = committer(2);
        write(4, 2, "c4", 1, Map.of(0, "w0"));
        committer.commit(4, TIME);
        for (int number = 5; number < 5 + 2 * ResultCommitter.LEFT_MAX; number++) {
            write(number, 2, "c", 2, Map.of(1, "w1"));
            committer(2).restore(4, TIME, boundaries(1));
        }
        assertThat(results().lists(ResultFolder.Windows.LEFT)).hasSize(ResultCommitter.LEFT_MAX);
        assertThat(files()).filteredOn(file -> file.startsWith("windows/")).hasSize(2 + 2 * ResultCommitter.LEFT_MAX);
        ResultCommitter next = committer(2);
        next.restore(4, TIME, boundaries(1));
        write(40, 2, "c40", 2, Map.of(1, "again"));
        next.commit(40, TIME);
        assertNewest(40, 2, "c40", Map.of(0, "w0", 1, "again"));
        assertThat(results().lists(ResultFolder.Windows.LEFT)).isEmpty();
        assertThat(files()).filteredOn(file -> file.startsWith("windows/")).hasSize(2 + 2);
    }

    @Test
    void theWindowsOfTheFirstSavepointStayHoweverManyOlderListsThereAre() throws Exception {
        int older = ResultCommitter.LEFT_MAX + 4;
        ResultCommitter committer = committer(older + 1);
        write(4, 2, "c4", 1, Map.of(0, "w0"));
        committer.commit(4, TIME);
        for (int number = 5; number < 5 + older; number++) {
            write(number, 2, "abandoned", 1, Map.of());
            committer.commit(number, TIME);
        }
        committer(2).restore(4, TIME, boundaries(1));
        write(5, 2, "savepoint", 2, Map.of(1, "w1"));
        write(6, 2, "later", 2, Map.of(1, "w1"));
        committer(2).restore(4, TIME, boundaries(1));
        assertThat(results().lists(ResultFolder.Windows.LEFT))
                .hasSize(ResultCommitter.LEFT_MAX)
                .contains(5L, 6L);
        ResultCommitter next = committer(2);
        next.restore(5, TIME, boundaries(2));
        write(6, 1, "c6", 2, Map.of());
        next.commit(6, TIME);
        assertNewest(6, 1, "c6", Map.of(0, "w0", 1, "w1"));
    }

    @Test
    void aSavepointHasTheWindowsThatAListOfALaterCheckpointKept() throws Exception {
        ResultCommitter committer = committer(2);
        write(4, 2, "c4", 1, Map.of(0, "w0"));
        committer.commit(4, TIME);
        // Checkpoint 7 is a savepoint without a result.
        write(8, 2, "abandoned", 3, Map.of(1, "w1", 2, "abandoned"));
        committer.commit(8, TIME);
        committer(2).restore(4, TIME, boundaries(1));
        ResultCommitter next = committer(2);
        next.restore(7, TIME, boundaries(2));
        write(8, 1, "c8", 2, Map.of());
        next.commit(8, TIME);
        assertNewest(8, 1, "c8", Map.of(0, "w0", 1, "w1"));
    }

    @Test
    void aFileThatASubtaskDidNotFinishStopsNoStart() throws Exception {
        write(4, 2, "c4", 1, Map.of(0, "w0"));
        committer(2).commit(4, TIME);
        List<String> before = files();
        for (String torn : List.of("ledger-evaluate-001-of-002.bin", "owner-001-of-002.bin", names(0, 2))) {
            write(5, 2, "torn", 2, Map.of(1, "w1"));
            Path file = folder.resolve(ResultNames.checkpoint(5) + '/' + torn);
            Files.write(file, Arrays.copyOf(Files.readAllBytes(file), "windows".length()));
            if (torn.equals(names(0, 2))) {
                Files.delete(folder.resolve(ResultNames.checkpoint(5) + "/owner-001-of-002.bin"));
            }
            committer(2).restore(4, TIME, boundaries(1));
            assertThat(results().lists(ResultFolder.Windows.LEFT)).isEmpty();
            assertNewest(4, 2, "c4", Map.of(0, "w0"));
            assertThat(files()).isEqualTo(before);
        }
    }

    private String names(int owner, int owners) {
        return "windows-%03d-of-%03d-%08x.txt".formatted(owner, owners, attempt);
    }

    private void reject(long checkpoint, long bytes) throws IOException {
        results().writeRejected(checkpoint, 0, 1, new byte[0]);
        try (RandomAccessFile file = new RandomAccessFile(
                folder.resolve("rejected/%020d-000-of-001.frames".formatted(checkpoint))
                        .toFile(),
                "rw")) {
            file.setLength(bytes); // takes no space
        }
    }

    private List<Long> rejected() throws IOException {
        return results().rejected().stream()
                .map(ResultFolder.Rejected::checkpoint)
                .toList();
    }

    @Test
    void rejectedMessagesStayWhenTheirResultGoesUntilThereAreTooMany() throws Exception {
        ResultCommitter committer = committer(1);
        long third = ResultCommitter.REJECTED_BYTES_MAX / 3;
        for (long checkpoint = 1; checkpoint <= 4; checkpoint++) {
            reject(checkpoint, checkpoint == 4 ? third + 2 : third);
            write(checkpoint, 1, "c", 0, Map.of());
            committer.commit(checkpoint, TIME);
        }
        assertThat(results().manifests()).containsExactly(4L);
        assertThat(rejected()).containsExactly(4L, 3L);
        for (int file = 0; file < ResultCommitter.REJECTED_FILES_MAX; file++) {
            results().writeRejected(5, file, ResultCommitter.REJECTED_FILES_MAX, new byte[0]);
        }
        write(5, 1, "c", 0, Map.of());
        committer.commit(5, TIME);
        assertThat(rejected()).hasSize(ResultCommitter.REJECTED_FILES_MAX).containsOnly(5L);
    }

    @Test
    void rejectedMessagesThatComeAgainAreRemoved() throws Exception {
        for (long checkpoint = 1; checkpoint <= 3; checkpoint++) {
            reject(checkpoint, 1);
        }
        write(2, 1, "c2", 0, Map.of());
        committer(1).restore(2, TIME, boundaries(0));
        assertThat(rejected()).containsExactly(2L, 1L);
        reject(3, 1);
        Files.delete(folder.resolve(ResultNames.manifest(2)));
        assertThat(committer(1).begin()).isEmpty();
        assertThat(rejected()).isEmpty();
    }

    /**
     * A checkpoint of a job.
     *
     * @param closedBefore number of closed windows at the checkpoint before
     * @param closed number of closed windows
     * @param text text of the files of rows
     * @param windows texts of all closed windows
     * @param isSavepoint whether nobody is notified of it
     */
    private record Checkpoint(
            long number,
            int closedBefore,
            int closed,
            String text,
            Map<Integer, String> windows,
            boolean isSavepoint) {}

    /**
     * A savepoint that the job did not go on from.
     *
     * @param history the checkpoints up to the savepoint
     */
    private record Orphan(Checkpoint savepoint, List<Checkpoint> history) {}

    /** A message of the coordinator to an owner: the barrier of a checkpoint, or the news that it was committed. */
    private record Message(Checkpoint checkpoint, boolean isBarrier) {}

    /** The event after which an owner removes closed windows from memory. */
    private enum Drop {
        /** The coordinator's news of a commit, as in {@link io.summarizer.flink.own.OwnOperator}. */
        COMMITTED,
        /** Flink's notification of a complete checkpoint, which each task gets or misses by itself. */
        NOTIFIED
    }

    /** An owner of a job. */
    private static final class Owner {
        /** Messages that it did not take yet. */
        final ArrayDeque<Message> inbox = new ArrayDeque<>();
        /** Closed windows in memory. */
        final TreeMap<Integer, String> held = new TreeMap<>();
    }

    /**
     * A job whose coordinator and owners run apart from each other, miss notifications, and die at any moment. It fails
     * at any change of a file, is divided anew, and goes back to older checkpoints.
     */
    private final class World {
        final Random random;
        final int keep;
        final Drop drop;
        /** Checkpoints that Flink has. */
        final List<Checkpoint> completed = new ArrayList<>();

        /** Savepoints after the checkpoint from which the job went on, until the next commit. */
        final List<Orphan> orphans = new ArrayList<>();

        ResultCommitter committer;
        long next = 1;
        int run;
        /** Number of the checkpoint from which the job went on. */
        long started;

        int closed;
        int closedBefore;
        /** Texts of all closed windows. */
        final TreeMap<Integer, String> all = new TreeMap<>();

        List<Owner> owners = List.of(new Owner(), new Owner());
        /** Number of owners that have written a running checkpoint. */
        final TreeMap<Long, Integer> written = new TreeMap<>();
        /** Notifications that the coordinator did not take yet. */
        final ArrayDeque<Checkpoint> notifications = new ArrayDeque<>();

        World(Random random, Drop drop) throws IOException {
            this.random = random;
            this.drop = drop;
            keep = 1 + random.nextInt(3);
            committer = committer(keep);
            assertThat(committer.begin()).isEmpty();
        }

        void step() throws Exception {
            int what = random.nextInt(32);
            if (what == 0 && !completed.isEmpty()) {
                fail();
            } else if (what == 2 && !orphans.isEmpty()) {
                Orphan orphan = orphans.get(random.nextInt(orphans.size()));
                orphans.clear();
                completed.clear();
                completed.addAll(orphan.history);
                restart(orphan.savepoint, false);
            } else if (what == 1 && !completed.isEmpty()) {
                Checkpoint from = completed.get(completed.size() - 1 - random.nextInt(Math.min(4, completed.size())));
                orphans.clear();
                restart(from, false);
            } else if (what < 8) {
                begin(random.nextInt(5) == 0);
            } else if (what < 16) {
                commit(true);
            } else {
                take(random.nextInt(owners.size()), true);
            }
        }

        /** The coordinator closes windows, and passes the barrier of a checkpoint. */
        void begin(boolean isSavepoint) {
            for (int more = random.nextInt(3); more > 0; more--) {
                all.put(closed, "w" + closed + " of run " + run);
                closed++;
            }
            long number = next++;
            Checkpoint begun = new Checkpoint(
                    number, closedBefore, closed, "c" + number + " of run " + run, Map.copyOf(all), isSavepoint);
            closedBefore = closed;
            written.put(number, 0);
            owners.forEach(owner -> owner.inbox.add(new Message(begun, true)));
        }

        /** An owner takes a message. */
        void take(int number, boolean fails) throws Exception {
            Owner owner = owners.get(number);
            Message message = owner.inbox.poll();
            if (message == null) {
                return;
            }
            Checkpoint checkpoint = message.checkpoint;
            if (!message.isBarrier) {
                if (drop == Drop.COMMITTED) {
                    owner.held.headMap(checkpoint.closed).clear();
                }
                return;
            }
            for (int window = checkpoint.closedBefore; window < checkpoint.closed; window++) {
                owner.held.put(window, checkpoint.windows.get(window));
            }
            Integer others = written.get(checkpoint.number);
            if (others == null || (fails && random.nextInt(12) == 0)) {
                written.remove(checkpoint.number); // aborted
                return;
            }
            FailingFiles.failAfter(fails && random.nextInt(12) == 0 ? random.nextInt(8) : Long.MAX_VALUE);
            try {
                writeOwner(checkpoint.number, number, owners.size(), checkpoint.text, checkpoint.closed, owner.held);
            } catch (IOException e) {
                assertThat(e).hasMessage(FailingFiles.MESSAGE);
                written.remove(checkpoint.number); // aborted
                return;
            } finally {
                FailingFiles.failAfter(Long.MAX_VALUE);
            }
            written.put(checkpoint.number, others + 1);
            if (others + 1 == owners.size()) {
                complete(checkpoint, fails);
            }
        }

        /** Flink has the states of all tasks. Each task is notified, or misses the notification. */
        private void complete(Checkpoint checkpoint, boolean fails) {
            written.headMap(checkpoint.number, true).clear();
            completed.add(checkpoint);
            orphans.removeIf(orphan -> orphan.savepoint.number == checkpoint.number);
            if (checkpoint.isSavepoint) {
                return;
            }
            if (!fails || random.nextInt(4) > 0) {
                notifications.add(checkpoint);
            }
            for (Owner owner : owners) {
                if (drop == Drop.NOTIFIED && (!fails || random.nextInt(4) > 0)) {
                    owner.held.headMap(checkpoint.closed).clear();
                }
            }
        }

        /** The coordinator takes a notification. */
        void commit(boolean fails) throws Exception {
            Checkpoint checkpoint = notifications.poll();
            if (checkpoint == null) {
                return;
            }
            FailingFiles.failAfter(fails && random.nextInt(4) == 0 ? random.nextInt(8) : Long.MAX_VALUE);
            try {
                committer.commit(checkpoint.number, TIME);
            } catch (IOException e) {
                assertThat(e).hasMessage(FailingFiles.MESSAGE);
                orphans.clear(); // they may be gone, or not
                fail();
                return;
            } finally {
                FailingFiles.failAfter(Long.MAX_VALUE);
            }
            assertNewest(checkpoint.number, owners.size(), checkpoint.text, checkpoint.windows);
            orphans.clear();
            owners.forEach(owner -> owner.inbox.add(new Message(checkpoint, false)));
        }

        Checkpoint last() {
            return completed.get(completed.size() - 1);
        }

        /**
         * All processes die. Flink goes on from the newest checkpoint that is no savepoint, or from the savepoint from
         * which the job was started.
         */
        void fail() throws Exception {
            Checkpoint from = completed.stream()
                    .filter(checkpoint -> !checkpoint.isSavepoint || checkpoint.number == started)
                    .reduce((one, later) -> later)
                    .orElse(last());
            for (Checkpoint savepoint : completed) {
                if (savepoint.number > from.number) {
                    orphans.add(new Orphan(
                            savepoint,
                            completed.subList(0, completed.indexOf(savepoint) + 1).stream()
                                    .toList()));
                }
            }
            restart(from, true);
        }

        /** The job goes on from a checkpoint. Later ones are gone, except orphans. Flink counts on after a failure. */
        void restart(Checkpoint from, boolean isFailure) throws Exception {
            FailingFiles.failAfter(Long.MAX_VALUE);
            run++;
            started = from.number;
            attempt++;
            next = isFailure ? Math.max(next, from.number + 1) : from.number + 1;
            completed.removeIf(checkpoint -> checkpoint.number > from.number);
            closed = from.closed;
            closedBefore = closed;
            all.clear();
            all.putAll(from.windows);
            owners = Stream.generate(Owner::new).limit(1 + random.nextInt(3)).toList();
            written.clear();
            notifications.clear();
            while (true) {
                committer = committer(keep);
                FailingFiles.failAfter(random.nextInt(3) == 0 ? random.nextInt(8) : Long.MAX_VALUE);
                try {
                    committer.restore(from.number, TIME, boundaries(from.closed));
                    orphans.removeIf(orphan -> orphan.savepoint.number <= from.number);
                    return;
                } catch (IOException e) {
                    assertThat(e).hasMessage(FailingFiles.MESSAGE); // the job starts again
                } finally {
                    FailingFiles.failAfter(Long.MAX_VALUE);
                }
            }
        }

        /** A checkpoint without any failure, after which nothing is under way. */
        void checkpoint() throws Exception {
            begin(false);
            for (int owner = 0; owner < owners.size(); owner++) {
                while (!owners.get(owner).inbox.isEmpty()) {
                    take(owner, false);
                }
            }
            while (!notifications.isEmpty()) {
                commit(false);
            }
        }
    }

    /** Runs worlds of one seed after the other. */
    private void run(long seed, int worlds, Drop drop) throws Exception {
        Path parent = folder;
        for (int number = 0; number < worlds; number++) {
            System.out.println("summarizer.seed=" + (seed + number));
            folder = Files.createDirectories(parent.resolve(drop + "-" + number));
            World world = new World(new Random(seed + number), drop);
            for (int step = 0; step < 150; step++) {
                world.step();
            }
            for (int step = 0; step < world.keep; step++) {
                world.checkpoint();
            }
            assertThat(results().manifests()).hasSize(world.keep).contains(world.last().number);
        }
        folder = parent;
    }

    @Test
    void theNewestResultIsWholeWheneverTheJobFailsWhoeverMissesNotificationsAndWhereverItGoesOn() throws Exception {
        run(Seeds.first(), Seeds.count(50), Drop.COMMITTED);
    }

    @Test
    void ownersThatDropWindowsBeforeTheCommitLoseThem() {
        assertThatThrownBy(() -> run(1, 25, Drop.NOTIFIED)).isInstanceOf(AssertionError.class);
    }
}
