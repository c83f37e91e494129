package io.summarizer.core.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.LogLines;
import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.archive.WindowRows;
import io.summarizer.core.deliver.Export.Format;
import io.summarizer.core.deliver.Export.Schedule;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.export.CsvName;
import io.summarizer.core.export.ExportMemory;
import io.summarizer.core.export.TableCsvCompiler;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.SummaryLayout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ExportJobTest {
    private static final long MINUTE = WindowRows.MINUTE;
    private static final long SECOND = 1_000_000;
    private static final long NANOS = 1_000_000_000;
    private static final Path OUT = Path.of("/out");
    private static final SummaryLayout ANY = Rows.layout(
            "s", List.of(KeyType.STRING, KeyType.TIMESTAMP), List.of(AggregateType.COUNT, AggregateType.LASTSTRING));
    private static final SummaryLayout LAYOUT = WindowRows.layout(ANY.keys(), 1, ANY, 50);

    @TempDir
    private Path path;

    private final Random random = new Random(7);
    /** The folders {@code out} and {@code marks}. */
    private final SimulatedDisk disk = new SimulatedDisk(random);

    private final AtomicBoolean stopping = new AtomicBoolean();
    private boolean targetExists = true;
    private long clock;
    private long now;

    private SummaryLayout layout = LAYOUT;

    @SuppressWarnings("NullAway.Init")
    private WindowFolder folder;

    /** Rows of the windows that start at 0 to 3 minutes. */
    @SuppressWarnings("NullAway.Init")
    private Cut rows;

    @BeforeEach
    void feed() throws IOException {
        WindowRows fed = new WindowRows(LAYOUT);
        fed.feed(200, 0, 4, new Random(5));
        rows = fed.inMemory();
        folder = WindowRows.folder(path, LAYOUT, new ArrayList<>());
    }

    private void close(long minute) throws IOException, InterruptedException {
        folder.write(rows, minute * MINUTE, (minute + 1) * MINUTE);
    }

    private static Export onClose(Format format) {
        return new Export(
                new CsvName("s", List.of()),
                Schedule.CLOSE,
                format,
                FilePattern.of(OUT.resolve("{summary}-{window}." + format.word())),
                null,
                "");
    }

    private static Export each(long period, String name) {
        return new Export(
                new CsvName("s", List.of()),
                new Schedule(period, 0),
                Format.CSV,
                FilePattern.of(OUT.resolve(name)),
                null,
                "");
    }

    private ExportJob open(Export export) throws IOException {
        ExportJob job = ExportJob.open(
                export,
                new ExportJob.Means(
                        new WindowSource(layout, () -> folder, rows),
                        this::target,
                        new TableCsvCompiler(),
                        ExportMemory.forPasses(),
                        ExportMemory.forGroups(),
                        stopping::get),
                disk.folder("marks"));
        job.begin(now);
        return job;
    }

    private Disk target(Path folder) throws IOException {
        assertThat(folder).isEqualTo(OUT);
        if (!targetExists) {
            throw new NoSuchFileException(folder.toString());
        }
        return out();
    }

    private SimulatedDisk out() {
        return (SimulatedDisk) disk.folder("out");
    }

    /** Steps until nothing can be done now. */
    private void run(ExportJob job) throws InterruptedException {
        while (job.step(clock, now)) {
            clock++;
        }
    }

    private Map<String, String> files() {
        Map<String, String> files = new TreeMap<>();
        for (String name : out().list()) {
            files.put(name, new String(out().bytes(name), StandardCharsets.ISO_8859_1));
        }
        return files;
    }

    private String file(String name) {
        return new String(out().bytes(name), StandardCharsets.ISO_8859_1);
    }

    @Test
    void shouldDeliverWindowsThatCloseLater() throws Exception {
        close(0);
        ExportJob job = open(onClose(Format.CSV));
        run(job);
        assertThat(files()).isEmpty();
        close(1);
        close(2);
        run(job);
        assertThat(files().keySet())
                .containsExactly(
                        "s-19700101T000100Z.csv",
                        "s-19700101T000100Z.csv.manifest.json",
                        "s-19700101T000200Z.csv",
                        "s-19700101T000200Z.csv.manifest.json");
        assertThat(job.made()).isEqualTo(2);
        assertThat(job.pending()).isZero();
        String csv = file("s-19700101T000100Z.csv");
        List<String> lines = csv.lines().toList();
        assertThat(lines.get(0)).isEqualTo("s_k0,s_k1,s_v0,s_v1");
        List<String> keys = lines.stream()
                .skip(1)
                .map(line -> line.substring(0, line.indexOf(",1970")))
                .toList();
        assertThat(keys).containsExactly("\"\"", "a", "a\u0000", "\"b\"\"\"", "\"long, enough to matter\"", ""); // null
        assertThat(files().get("s-19700101T000100Z.csv.manifest.json"))
                .isEqualTo(
                        "{\"summary\":\"s\",\"columns\":[\"s_k0\",\"s_k1\",\"s_v0\",\"s_v1\"],\"rows\":" + keys.size()
                                + ",\"cut\":1,\"window\":{\"start\":\"1970-01-01T00:01:00.000000Z\","
                                + "\"end\":\"1970-01-01T00:02:00.000000Z\"},\"sha256\":\"" + sha256(csv) + "\"}\n");
    }

    private static String sha256(String bytes) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Test
    void shouldNotDeliverAgainWhatAConsumerTookAway() throws Exception {
        run(open(onClose(Format.CSV)));
        close(0);
        run(open(onClose(Format.CSV)));
        assertThat(files()).hasSize(2);
        files().keySet().forEach(out()::delete);
        ExportJob again = open(onClose(Format.CSV));
        close(1);
        run(again);
        assertThat(files().keySet()).containsExactly("s-19700101T000100Z.csv", "s-19700101T000100Z.csv.manifest.json");
    }

    @Test
    void shouldDeliverAfterARestartWhatClosedMeanwhile() throws Exception {
        run(open(onClose(Format.CSV)));
        close(0);
        close(1);
        run(open(onClose(Format.CSV)));
        assertThat(files()).hasSize(4);
    }

    @Test
    void shouldDeliverAllWindowsWhenItsMarksWereEmptied() throws Exception {
        close(0);
        run(open(onClose(Format.CSV)));
        assertThat(files()).isEmpty();
        SimulatedDisk marks = (SimulatedDisk) disk.folder("marks");
        marks.list().forEach(name -> marks.put(name, new byte[0]));
        run(open(onClose(Format.CSV)));
        assertThat(files()).hasSize(2);
    }

    @Test
    void shouldDeliverAWindowAgainThatWasReplaced() throws Exception {
        ExportJob job = open(onClose(Format.CSV));
        close(0);
        run(job);
        Map<String, String> before = files();
        WindowRows others = new WindowRows(LAYOUT);
        others.feed(20, 0, 1, new Random(6));
        folder.write(others.inMemory(), 0, MINUTE);
        run(job);
        assertThat(files().keySet()).isEqualTo(before.keySet());
        assertThat(files().get("s-19700101T000000Z.csv")).isNotEqualTo(before.get("s-19700101T000000Z.csv"));
        assertThat(job.made()).isEqualTo(2);
    }

    @Test
    void shouldTryAgainAfterAGrowingPause() throws Exception {
        ExportJob job = open(onClose(Format.CSV));
        targetExists = false;
        close(0);
        run(job);
        assertThat(job.failures()).isEqualTo(1);
        assertThat(job.pending()).isEqualTo(1);
        List<Long> pauses = new ArrayList<>();
        long last = clock;
        for (int i = 0; i < 4_000 && pauses.size() < 11; i++) {
            clock += NANOS;
            long failures = job.failures();
            run(job);
            if (job.failures() > failures) {
                pauses.add((clock - last) / NANOS);
                last = clock;
            }
        }
        assertThat(pauses).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L, 300L);
        targetExists = true;
        close(1); // a new window is tried at once, and then the others
        run(job);
        assertThat(files()).hasSize(4);
        assertThat(job.pending()).isZero();
        assertThat(job.lost()).isZero();
    }

    @Test
    void shouldFailCleanlyOnAFullOrBrokenDisk() throws Exception {
        ExportJob job = open(onClose(Format.CSV));
        close(0);
        run(job);
        Map<String, String> first = files();
        disk.capacity(used() + 200);
        close(1);
        run(job);
        assertThat(job.failures()).isEqualTo(1);
        assertThat(files()).isEqualTo(first);
        disk.capacity(Long.MAX_VALUE);
        disk.failing(1, 0);
        clock += 10 * NANOS;
        run(job);
        assertThat(job.failures()).isEqualTo(2);
        assertThat(files()).isEqualTo(first);
        disk.failing(0, 0);
        clock += 10 * NANOS;
        run(job);
        assertThat(files()).hasSize(4);
    }

    private long used() {
        return out().used() + ((SimulatedDisk) disk.folder("marks")).used();
    }

    /** A window that cannot be exported holds up no other one. */
    @Test
    void shouldGoOnWithOtherWindows() throws Exception {
        ExportJob job = open(onClose(Format.CSV));
        close(0);
        close(1);
        Path damaged = path.resolve("19700101T000000Z.state");
        byte[] bytes = java.nio.file.Files.readAllBytes(damaged);
        bytes[bytes.length / 2] ^= 1;
        java.nio.file.Files.write(damaged, bytes);
        LogLines logged = LogLines.of(ExportJob.class);
        try (logged) {
            run(job);
            assertThat(job.failures()).isEqualTo(1);
            clock += 2 * NANOS;
            run(job);
        }
        assertThat(files().keySet()).containsExactly("s-19700101T000100Z.csv", "s-19700101T000100Z.csv.manifest.json");
        assertThat(job.pending()).isEqualTo(1);
        assertThat(logged.lines())
                .as("the damaged one is still missing")
                .anyMatch(line -> line.contains("could not be written"))
                .noneMatch(line -> line.contains("was written again"));
    }

    @Test
    void shouldCountWindowsThatKeepDeletedAsLost() throws Exception {
        ExportJob job = open(onClose(Format.CSV));
        targetExists = false;
        close(0);
        close(1);
        run(job);
        folder.expire(MINUTE);
        run(job);
        assertThat(job.lost()).isEqualTo(1);
        assertThat(job.pending()).isEqualTo(1);
        targetExists = true;
        clock += 10 * NANOS;
        run(job);
        assertThat(files()).hasSize(2);
    }

    @Test
    void shouldNotCountDeliveredWindowsAsLost() throws Exception {
        ExportJob job = open(onClose(Format.CSV));
        close(0);
        run(job);
        folder.expire(MINUTE);
        run(job);
        assertThat(job.lost()).isZero();
    }

    @Test
    void shouldEndWithoutAFileWhenTheServiceStops() throws Exception {
        ExportJob job = open(onClose(Format.CSV));
        close(0);
        stopping.set(true);
        run(job);
        assertThat(files()).isEmpty();
        assertThat(job.failures()).isZero();
        stopping.set(false);
        run(job);
        assertThat(files()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteTheSameBytesAgain(Format format) throws Exception {
        ExportJob job = open(onClose(format));
        close(0);
        run(job);
        Map<String, String> first = files();
        disk.folder("marks").list().forEach(((SimulatedDisk) disk.folder("marks"))::delete);
        WindowFolder later = folder;
        folder = WindowRows.folder(path.resolve("none"), LAYOUT, new ArrayList<>());
        ExportJob again = open(onClose(format));
        folder = later;
        run(again);
        assertThat(again.made()).isEqualTo(1);
        assertThat(files()).isEqualTo(first).hasSize(2);
    }

    @Test
    void shouldCopyTheStateFileOfAWindow() throws Exception {
        ExportJob job = open(onClose(Format.STATE));
        close(0);
        run(job);
        assertThat(out().bytes("s-19700101T000000Z.state"))
                .isEqualTo(java.nio.file.Files.readAllBytes(path.resolve("19700101T000000Z.state")));
    }

    /** A process that is killed at any call leaves no file that does not go with its manifest, and the next repeats. */
    @Test
    void shouldSurviveKillsBetweenAllSteps() throws Exception {
        WindowFolder before = WindowRows.folder(path.resolve("before"), LAYOUT, new ArrayList<>());
        before.write(rows, 0, MINUTE);
        WindowFolder later = folder;
        close(0);
        ExportJob first = open(onClose(Format.CSV));
        close(1);
        close(2);
        run(first);
        Map<String, String> whole = files();
        int kills = 0;
        for (int calls = 1; ; calls++) {
            boolean power = calls % 2 == 0;
            out().list().forEach(out()::delete);
            SimulatedDisk marks = (SimulatedDisk) disk.folder("marks");
            marks.list().forEach(marks::delete);
            folder = before;
            var unused = open(onClose(Format.CSV));
            folder = later;
            out().sync();
            disk.killAfter(calls);
            try {
                run(open(onClose(Format.CSV)));
            } catch (SimulatedDisk.Killed e) {
                assertThat(disk.isKilled()).isTrue();
            }
            boolean killed = disk.isKilled();
            kills += killed ? 1 : 0;
            if (power) {
                disk.loseEverythingUnsynced();
            } else {
                disk.restart();
            }
            assertManifestsAreRight();
            run(open(onClose(Format.CSV)));
            assertThat(files()).as("killed after call %d", calls).containsAllEntriesOf(whole);
            // A loss of power may garble a mark, so that a delivery is repeated that need not be.
            assertThat(power || files().equals(whole))
                    .as("killed after call %d", calls)
                    .isTrue();
            if (!killed) {
                break;
            }
        }
        assertThat(kills).isGreaterThan(20);
    }

    private void assertManifestsAreRight() throws Exception {
        Map<String, String> files = files();
        for (Map.Entry<String, String> file : files.entrySet()) {
            Matcher hash = Pattern.compile("\"sha256\":\"(\\w+)\"").matcher(file.getValue());
            if (file.getKey().endsWith(".manifest.json") && hash.find()) {
                String of = file.getKey().replace(".manifest.json", "");
                assertThat(files).containsKey(of);
                assertThat(sha256(file(of))).isEqualTo(hash.group(1));
            }
        }
    }

    @Test
    void shouldDeliverTheWholeTableAtItsTimes() throws Exception {
        now = 90 * SECOND;
        ExportJob job = open(each(60 * SECOND, "{summary}-{date}-{cut}.csv"));
        run(job);
        assertThat(files()).isEmpty();
        now = 120 * SECOND;
        run(job);
        assertThat(files().keySet()).containsExactly("s-1970-01-01-77.csv", "s-1970-01-01-77.csv.manifest.json");
        assertThat(file("s-1970-01-01-77.csv").lines().count())
                .isEqualTo(1 + rows.summaries().get(0).rows(List.of()));
        assertThat(file("s-1970-01-01-77.csv.manifest.json")).contains("\"cut\":77,\"window\":null,");
        files().keySet().forEach(out()::delete);
        now = 179 * SECOND;
        run(open(each(60 * SECOND, "{summary}-{date}-{cut}.csv")));
        assertThat(files()).isEmpty();
        now = 400 * SECOND;
        ExportJob later = open(each(60 * SECOND, "{summary}-{date}-{cut}.csv"));
        run(later);
        assertThat(later.made()).as("files for times that are over").isEqualTo(1);
        assertThat(later.lost()).isZero();
    }

    @Test
    void shouldGoOnWhenTheClockIsSetBack() throws Exception {
        now = 60 * SECOND;
        ExportJob job = open(each(60 * SECOND, "latest.csv"));
        run(job);
        now = 6_000 * SECOND; // for a while, the clock was wrong
        run(job);
        assertThat(job.made()).isEqualTo(1);
        now = 119 * SECOND;
        run(job);
        assertThat(job.made()).as("files of times that were delivered").isEqualTo(1);
        job = open(each(60 * SECOND, "latest.csv"));
        now = 120 * SECOND;
        run(job);
        now = 119 * SECOND; // by less than a period
        run(job);
        now = 120 * SECOND;
        run(job);
        assertThat(job.made()).isEqualTo(1);
        assertThat(job.lost()).isZero();
    }

    @Test
    void shouldLoseATableThatCouldNotBeWrittenBeforeTheNext() throws Exception {
        ExportJob job = open(each(60 * SECOND, "latest.csv"));
        targetExists = false;
        now = 60 * SECOND;
        run(job);
        now = 120 * SECOND;
        clock += 10 * NANOS;
        run(job);
        assertThat(job.lost()).isEqualTo(1);
        targetExists = true;
        clock += 10 * NANOS;
        run(job);
        assertThat(files().keySet()).containsExactly("latest.csv", "latest.csv.manifest.json");
        now = 180 * SECOND;
        run(job);
        assertThat(job.made()).isEqualTo(2);
    }

    @Test
    void shouldHaveTimesOfTheDay() {
        long day = 86_400 * SECOND;
        Schedule at = new Schedule(day, 300 * SECOND);
        assertThat(at.due(10 * day + 300 * SECOND)).isEqualTo(10 * day + 300 * SECOND);
        assertThat(at.due(10 * day + 299 * SECOND)).isEqualTo(9 * day + 300 * SECOND);
        assertThatThrownBy(() -> new Schedule(0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldExportOverflow() throws Exception {
        layout = WindowRows.layout(ANY.keys(), 1, ANY, 4);
        folder = WindowRows.folder(path.resolve("small"), layout, new ArrayList<>());
        WindowRows many = new WindowRows(layout);
        many.feed(200, 0, 1, new Random(5));
        rows = many.inMemory();
        Export export = new Export(
                new CsvName(layout.overflow().name(), List.of()),
                Schedule.CLOSE,
                Format.NDJSON,
                FilePattern.of(OUT.resolve("{window}.json")),
                null,
                "");
        ExportJob job = open(export);
        close(0);
        run(job);
        assertThat(file("19700101T000000Z.json").lines()).hasSize(1);
        assertThat(file("19700101T000000Z.json.manifest.json")).contains("\"rows\":1,");
        close(1);
        WindowRows few = new WindowRows(layout);
        few.feed(2, 0, 1, new Random(5));
        rows = few.inMemory();
        close(0);
        run(job);
        assertThat(file("19700101T000000Z.json"))
                .as("the overflow is empty now")
                .isEmpty();
        assertThat(file("19700101T000000Z.json.manifest.json")).contains("\"rows\":0,");
        assertThat(job.lost()).isZero();
        assertThat(files())
                .as("a window that never had an overflow has no file")
                .hasSize(2);
    }
}
