package io.summarizer.core.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.archive.WindowRows;
import io.summarizer.core.deliver.Export.Format;
import io.summarizer.core.deliver.Export.Schedule;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvName;
import io.summarizer.core.export.ExportMemory;
import io.summarizer.core.export.TableCsvCompiler;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.SummaryLayout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An export on a disk that fails, runs full and is killed at any call, while windows close, are replaced and are
 * deleted, and a consumer takes complete files away. Each file that goes with its manifest is complete and has the rows
 * of its window. In the end the consumer has seen the present rows of each window that closed after the export's first
 * start. Only a kill or a failure repeats a delivery. One thread does all work, so a seed determines a life.
 */
class ExportSimulationTest {
    private static final long MINUTE = WindowRows.MINUTE;
    private static final SummaryLayout ANY = Rows.layout(
            "s", List.of(KeyType.STRING, KeyType.TIMESTAMP), List.of(AggregateType.COUNT, AggregateType.LASTSTRING));
    private static final SummaryLayout LAYOUT = WindowRows.layout(ANY.keys(), 1, ANY, 50);
    private static final Export EXPORT = new Export(
            new CsvName("s", List.of()),
            Schedule.CLOSE,
            Format.CSV,
            FilePattern.of(Path.of("/out/{window}.csv")),
            null,
            "");
    private static final Pattern SHA = Pattern.compile("\"sha256\":\"(\\w+)\"");

    private int kills;
    private int failures;
    private int taken;
    private int replaced;
    private int expired;

    @Test
    void shouldDeliverEachWindow() throws Exception {
        runSeeds(Seeds.count(150));
    }

    @Test
    @Tag("long")
    void shouldDeliverEachWindowForManySeeds() throws Exception {
        runSeeds(Seeds.count(20_000));
    }

    private void runSeeds(int seeds) throws Exception {
        long first = Seeds.first();
        for (long seed = first; seed < first + seeds; seed++) {
            try {
                new Life(seed).live();
            } catch (Exception | AssertionError e) {
                throw new AssertionError("failed with " + Seeds.replay(seed), e);
            }
        }
        if (seeds >= 100) {
            assertThat(List.of(kills, failures, taken, replaced, expired))
                    .as("kills, failures, files that were taken, replaced windows, deleted windows")
                    .allMatch(count -> count > seeds / 2);
        }
    }

    private final class Life {
        private static final int STEPS = 60;

        private final Random random;
        /** The folders {@code out} and {@code marks}. */
        private final SimulatedDisk disk;

        private final WindowFolder folder;
        /** The present rows of each window, as a file should have them. */
        private final Map<Long, String> present = new TreeMap<>();
        /** All rows that a window ever had. */
        private final Map<Long, Set<String>> ever = new HashMap<>();
        /** The windows whose present rows the consumer has. */
        private final Map<Long, String> seen = new HashMap<>();

        private long minutes;
        private long clock;
        private int killsOfLife;
        private int failuresOfLife;
        private int repeats;
        private @Nullable ExportJob job;

        Life(long seed) throws IOException {
            random = new Random(seed);
            disk = new SimulatedDisk(random);
            folder = WindowFolder.open(new SimulatedDisk(new Random(seed)), "s", 1, note -> {});
        }

        void live() throws Exception {
            closeOne(); // before the export is new, so it is not delivered
            Set<Long> before = new HashSet<>(present.keySet());
            open();
            for (int i = 0; i < STEPS; i++) {
                clock += random.nextInt(3) * 1_000_000_000L;
                switch (random.nextInt(12)) {
                    case 0, 1, 2, 3 -> closeOne();
                    case 4 -> before.remove(replaceOne());
                    case 5 -> expireOne();
                    case 6 -> disk.failing(random.nextInt(3) * 0.2, random.nextInt(3) * 0.1);
                    case 7 -> disk.capacity(random.nextInt(3) == 0 ? random.nextInt(3_000) : Long.MAX_VALUE);
                    case 8 -> take();
                    case 9 -> restart();
                    default -> run(random.nextBoolean() ? random.nextInt(40) : Integer.MAX_VALUE);
                }
            }
            restart();
            take();
            assertThat(before).noneMatch(seen::containsKey);
            present.keySet().removeAll(before);
            assertThat(seen).containsAllEntriesOf(present);
            assertThat(repeats)
                    .as("repeated deliveries after %d kills and %d failures", killsOfLife, failuresOfLife)
                    .isLessThanOrEqualTo(killsOfLife + failuresOfLife);
            for (String file : out().list()) {
                assertThat(file).doesNotEndWith(".tmp");
            }
        }

        private void closeOne() throws Exception {
            write(minutes++ * MINUTE);
        }

        private @Nullable Long replaceOne() throws Exception {
            if (present.isEmpty()) {
                return null;
            }
            List<Long> starts = new ArrayList<>(present.keySet());
            long start = starts.get(random.nextInt(starts.size()));
            write(start);
            replaced++;
            return start;
        }

        private void write(long start) throws Exception {
            WindowRows rows = new WindowRows(LAYOUT);
            rows.feed(1 + random.nextInt(20), start, 1, random);
            Cut cut = rows.inMemory();
            folder.write(cut, start, start + MINUTE);
            ByteArrayOutputStream csv = new ByteArrayOutputStream();
            CsvExporter.of(cut.summaries().get(0), List.of(), EXPORT.query(LAYOUT), new TableCsvCompiler())
                    .writeTo(csv);
            String text = csv.toString(StandardCharsets.ISO_8859_1);
            present.put(start, text);
            ever.computeIfAbsent(start, key -> new HashSet<>()).add(text);
            seen.remove(start);
        }

        private void expireOne() {
            if (random.nextBoolean() && !present.isEmpty()) {
                long start = present.keySet().iterator().next();
                folder.expire(start + MINUTE);
                present.keySet().removeIf(each -> each <= start);
                expired++;
            }
        }

        private SimulatedDisk out() {
            return (SimulatedDisk) disk.folder("out");
        }

        private void open() throws IOException {
            if (job != null) {
                failuresOfLife += (int) job.failures();
                failures += (int) job.failures();
            }
            ExportJob opened = ExportJob.open(
                    EXPORT,
                    new ExportJob.Means(
                            new WindowSource(LAYOUT, () -> folder, new WindowRows(LAYOUT).inMemory()),
                            path -> out(),
                            new TableCsvCompiler(),
                            ExportMemory.forPasses(),
                            ExportMemory.forGroups(),
                            () -> false),
                    disk.folder("marks"));
            opened.begin(0);
            job = opened;
        }

        /** Goes on until nothing can be done, or the process is killed. */
        private void run(int calls) throws Exception {
            disk.killAfter(calls);
            try {
                while (job().step(clock, clock / 1_000)) {
                    clock++;
                }
            } catch (SimulatedDisk.Killed e) {
                assertThat(disk.isKilled()).isTrue();
            }
            if (disk.isKilled()) {
                kills++;
                killsOfLife++;
                disk.restart();
                disk.failing(0, 0);
                disk.capacity(Long.MAX_VALUE);
                open();
            } else {
                disk.killAfter(Integer.MAX_VALUE);
            }
        }

        private ExportJob job() {
            assert job != null;
            return job;
        }

        /** Ends the process in order, with a disk that works, and begins the next one. */
        private void restart() throws Exception {
            disk.failing(0, 0);
            disk.capacity(Long.MAX_VALUE);
            clock += 600_000_000_000L;
            run(Integer.MAX_VALUE);
            assertThat(job().pending()).isZero();
            open();
            run(Integer.MAX_VALUE);
            assertThat(job().made()).as("files that the next process repeats").isZero();
        }

        /** Takes all files that have a manifest, and deletes them. */
        private void take() throws Exception {
            disk.failing(0, 0);
            disk.capacity(Long.MAX_VALUE);
            for (String name : out().list()) {
                if (!name.endsWith(".manifest.json")) {
                    continue;
                }
                String file = name.replace(".manifest.json", "");
                byte[] bytes = out().bytes(file);
                String manifest = new String(out().bytes(name), StandardCharsets.ISO_8859_1);
                Matcher sha = SHA.matcher(manifest);
                assertThat(sha.find()).isTrue();
                assertThat(sha.group(1))
                        .isEqualTo(HexFormat.of()
                                .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
                long minute = Long.parseLong(file.substring(9, 11)) * 60 + Long.parseLong(file.substring(11, 13));
                String csv = new String(bytes, StandardCharsets.ISO_8859_1);
                assertThat(ever.get(minute * MINUTE)).contains(csv);
                repeats += csv.equals(seen.put(minute * MINUTE, csv)) ? 1 : 0;
                taken++;
                out().delete(name);
                out().delete(file);
            }
        }
    }
}
