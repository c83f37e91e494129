package io.summarizer.core.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.Seeds;
import io.summarizer.core.archive.WindowRows;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.TableCsvCompiler;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryView;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results of three owners: four minutes from 1970 on, of which the first two are closed in the first result. */
class ResultFolderTest {
    private static final long MINUTE = WindowRows.MINUTE;

    @TempDir
    private Path folder;

    private final Random random = new Random(Seeds.first());
    private final WindowRows rows = new WindowRows(WindowRows.randomLayout(random));

    @SuppressWarnings("NullAway.Init")
    private ResultFixture job;

    @SuppressWarnings("NullAway.Init")
    private Manifest first;

    @BeforeEach
    void write() throws Exception {
        job = new ResultFixture(folder, 3);
        rows.feed(2_000, 0, 4, random);
        first = job.write(rows.state(), 1, 2 * MINUTE, LedgerCounts.NONE);
    }

    private static String csv(Cut cut) throws Exception {
        StringBuilder all = new StringBuilder();
        for (SummaryView view : cut.summaries()) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            long unused = CsvExporter.of(view, List.of(), CsvQuery.ALL, new TableCsvCompiler())
                    .writeTo(out);
            all.append(out.toString(StandardCharsets.UTF_8));
        }
        return all.toString();
    }

    private Path path(int file) {
        return folder.resolve(first.allFiles().get(file).file());
    }

    @Test
    void goesForwardToTheNewestResult() throws Exception {
        try (ResultFolder results = new ResultFolder(folder)) {
            assertThatThrownBy(results::acquire).hasMessage("no result was looked for yet");
            assertThat(results.look()).isTrue();
            assertThat(results.look()).isFalse();
            rows.feed(500, 2 * MINUTE, 3, random);
            Manifest second = job.write(rows.state(), 2, 3 * MINUTE, LedgerCounts.NONE);
            rows.feed(500, 3 * MINUTE, 3, random);
            Manifest third = job.write(rows.state(), 10, 4 * MINUTE, LedgerCounts.NONE);
            assertThat(second.checkpoint()).isEqualTo(2);
            assertThat(results.look()).isTrue();
            Cut cut = results.acquire();
            assertThat(cut.id()).isEqualTo(10);
            assertThat(results.filesOpen()).isEqualTo(third.allFiles().size());
            cut.release();
        }
    }

    /** Files that a held cut needs may be deleted; those of no held cut are closed. */
    @Test
    void readsTheFilesOfAHeldCutAfterTheyWereDeleted() throws Exception {
        ResultFolder results = new ResultFolder(folder);
        assertThat(results.look()).isTrue();
        Cut old = results.acquire();
        String before = csv(old);
        Manifest second = job.write(rows.state(), 2, 3 * MINUTE, LedgerCounts.NONE);
        job.remove(first, second);
        assertThat(path(0)).doesNotExist();
        assertThat(results.look()).isTrue();
        assertThat(csv(old)).isEqualTo(before);
        assertThat(before.lines().count()).isGreaterThan(10);
        old.release();
        assertThat(results.filesOpen()).isEqualTo(second.allFiles().size());
        results.close();
        assertThat(results.filesOpen()).isZero();
        assertThat(old.acquire()).isFalse();
    }

    /** Beyond the bound, files of the newest windows are not held. */
    @Test
    void boundsTheFilesThatItKeepsOpen() throws Exception {
        int all = first.allFiles().size();
        try (ResultFolder results = new ResultFolder(folder, all - 1)) {
            assertThat(results.look()).isTrue();
            assertThat(results.filesOpen()).isEqualTo(all - 1);
            Cut cut = results.acquire();
            assertThat(csv(cut).lines().count()).isGreaterThan(10);
            assertThat(results.filesOpen()).isEqualTo(all - 1);
            Files.delete(path(all - 1));
            assertThatThrownBy(() -> csv(cut)).isInstanceOf(java.nio.file.NoSuchFileException.class);
            cut.release();
        }
    }

    @Test
    void takesTheNewestResultThatIsComplete() throws Exception {
        try (ResultFolder results = new ResultFolder(folder)) {
            Manifest second = job.write(rows.state(), 2, 2 * MINUTE, LedgerCounts.NONE);
            Path missing = folder.resolve(second.files().get(1).file());
            byte[] bytes = Files.readAllBytes(missing);
            Files.delete(missing);
            Files.writeString(folder.resolve("manifests/00000000000000000003.json"), "{\"version\":1,");
            Files.copy(folder.resolve(ResultNames.manifest(2)), folder.resolve("manifests/00000000000000000004.json"));
            Files.writeString(folder.resolve("manifests/5.json"), "not a manifest by its name");
            assertThat(results.look()).isTrue();
            Cut cut = results.acquire();
            assertThat(cut.id()).isEqualTo(1);
            cut.release();
            assertThat(results.problems()).isEqualTo(3);
            assertThat(results.problem())
                    .isEqualTo("the result of checkpoint 4 cannot be read: "
                            + folder.resolve("manifests/00000000000000000004.json")
                            + ": is the manifest of checkpoint 2, which is not that of its name");
            Files.write(missing, bytes);
            assertThat(results.look()).isTrue();
            assertThat(results.filesOpen()).isEqualTo(second.allFiles().size());
        }
    }

    @Test
    void namesWhatIsWrongWithAFile() throws Exception {
        try (ResultFolder results = new ResultFolder(folder)) {
            byte[] bytes = Files.readAllBytes(path(0));
            Files.write(path(0), java.util.Arrays.copyOf(bytes, bytes.length - 1));
            assertThat(results.look()).isFalse();
            assertThat(results.problem()).contains(first.files().get(0).file() + ": was cut short");
            int other = 1; // a file of another size; the seeds of hashes decide which one that is
            while (Files.size(path(other)) == bytes.length) {
                other++;
            }
            Files.write(path(0), Files.readAllBytes(path(other)));
            assertThat(results.look()).isFalse();
            assertThat(results.problem()).matches(".*has \\d+ bytes, and the manifest says .*");
            Files.write(path(0), bytes);
            int window = first.files().size();
            Files.delete(path(window));
            assertThat(results.look()).isFalse();
            assertThat(results.problem())
                    .contains(first.allFiles().get(window).file() + " is not there; the job may have removed");
            assertThat(results.filesOpen())
                    .as("files of results that were not opened")
                    .isZero();
        }
    }

    /** Damage in the rows is found when they are read, and by {@link ResultFolder#verify}. */
    @Test
    void findsDamagedRows() throws Exception {
        for (Manifest.RowFile file : first.allFiles()) {
            byte[] bytes = Files.readAllBytes(folder.resolve(file.file()));
            byte[] damaged = bytes.clone();
            damaged[bytes.length / 2]++;
            Files.write(folder.resolve(file.file()), damaged);
            try (ResultFolder results = new ResultFolder(folder)) {
                if (results.look()) {
                    assertThatThrownBy(() -> results.verify(1)).hasMessageContaining(file.file());
                } else {
                    assertThat(results.problem()).contains(file.file());
                }
            }
            Files.write(folder.resolve(file.file()), bytes);
        }
        try (ResultFolder results = new ResultFolder(folder)) {
            assertThat(results.look()).isTrue();
            results.verify(2);
        }
    }

    @Test
    void refusesFilesThatAreNotAsTheManifestSays() throws Exception {
        Manifest.OfSummary windows = first.summaries().get(0);
        Manifest.Window window = windows.windows().get(0);
        Manifest.Window more =
                new Manifest.Window(window.start(), window.end(), window.rows() + 1, window.bytes(), 0, window.files());
        Manifest.Window later =
                new Manifest.Window(window.start() + 1, window.end(), window.rows(), window.bytes(), 0, window.files());
        assertThat(problem(of(windows.name(), more))).contains("rows, and the manifest says");
        assertThat(problem(of(windows.name(), later))).contains("is not a file of the window that the manifest says");
        assertThat(problem(of("Other", window))).contains("the manifest has the summaries");
    }

    private Manifest of(String name, Manifest.Window window) {
        List<Manifest.OfSummary> summaries = List.of(
                new Manifest.OfSummary(name, 0, 2 * MINUTE, List.of(window)),
                first.summaries().get(1));
        return new Manifest(1, "", 1_000_000, "", first.keyGroups(), first.files(), summaries, LedgerCounts.NONE);
    }

    private String problem(Manifest manifest) {
        HeldFiles files = new HeldFiles(new FileDisk(folder), 100);
        try {
            Result result = Result.open(files, manifest, null);
            return result.manifest() + " was opened";
        } catch (java.io.IOException e) {
            assertThat(files.size()).isZero();
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void holdsRowsBeyondTheBoundOnFiles() throws Exception {
        HeldFiles files = new HeldFiles(new FileDisk(folder), 0);
        String name = first.files().get(0).file();
        assertThat(files.hold(name, false)).isFalse();
        assertThat(files.hold(name, true)).isTrue();
        files.release(name);
        assertThat(files.size()).isZero();
    }

    /** Each manifest stands alone: the next one may have other summaries, columns and owners. */
    @Test
    void readsTheNextResultWithOtherDefinitions() throws Exception {
        try (ResultFolder results = new ResultFolder(folder)) {
            assertThat(results.look()).isTrue();
            Cut old = results.acquire();
            String before = csv(old);
            WindowRows others = new WindowRows(WindowRows.randomLayout(new Random(random.nextLong())));
            others.feed(1_000, 0, 4, random);
            Manifest next = new ResultFixture(folder, 2).write(others.state(), 2, 3 * MINUTE, LedgerCounts.NONE);
            assertThat(next.files()).hasSize(2);
            assertThat(results.look()).as("%s", results.problem()).isTrue();
            Cut cut = results.acquire();
            assertThat(csv(cut).lines().sorted().toList())
                    .isEqualTo(csv(others.inMemory()).lines().sorted().toList());
            assertThat(csv(old)).isEqualTo(before);
            cut.release();
            old.release();
        }
    }

    @Test
    void readsTheResultOfOneManifest() throws Exception {
        Manifest second = job.write(rows.state(), 2, 2 * MINUTE, LedgerCounts.NONE);
        assertThat(second.checkpoint()).isEqualTo(2);
        try (ResultFolder results = ResultFolder.ofManifest(folder.resolve(ResultNames.manifest(1)))) {
            Cut cut = results.acquire();
            assertThat(cut.id()).isEqualTo(1);
            cut.release();
        }
        Path elsewhere = Files.copy(folder.resolve(ResultNames.manifest(1)), folder.resolve("m.json"));
        assertThatThrownBy(() -> ResultFolder.ofManifest(elsewhere))
                .hasMessageContaining("is not in the folder manifests");
    }

    /** A closed window is written as one state file, whatever the number of its owners. */
    @Test
    void joinsTheFilesOfAWindow() throws Exception {
        try (ResultFolder results = new ResultFolder(folder)) {
            assertThat(results.look()).isTrue();
            Cut cut = results.acquire();
            for (ClosedWindow window : cut.summaries().get(0).closed().files()) {
                Path joined = folder.resolve("joined.state");
                try (var out = Files.newOutputStream(joined)) {
                    window.copyTo(out);
                }
                Cut loaded = ResultFixture.load(joined).freeze(1, 1);
                assertThat(loaded.summaries().get(0).rows(List.of())).isEqualTo(window.rows());
            }
            cut.release();
        }
    }
}
