package io.summarizer.core.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.Seeds;
import io.summarizer.core.export.CsvExport;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvProfile;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQuery.Every;
import io.summarizer.core.export.CsvQuery.Grouping;
import io.summarizer.core.export.CsvQuery.Order;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.Distinct;
import io.summarizer.core.export.ExportFormat;
import io.summarizer.core.export.TableCsvCompiler;
import io.summarizer.core.export.WindowRange;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.result.ResultFixture;
import io.summarizer.core.result.ResultFolder;
import io.summarizer.core.state.StateWriter;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.time.CalendarUnit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows in files of closed windows, and in files of results, are exported like rows in memory. */
class WindowExportTest {
    private static final long FIRST = -2 * WindowRows.MINUTE;

    @TempDir
    private Path path;

    @Test
    void shouldExportFilesLikeMemory() throws Exception {
        compare(Seeds.first(), Seeds.count(12));
    }

    @Test
    @Tag("long")
    void shouldExportFilesLikeMemoryForManySeeds() throws Exception {
        compare(System.nanoTime(), 400);
    }

    private void compare(long first, int count) throws Exception {
        for (long seed = first; seed < first + count; seed++) {
            try {
                compare(seed, path.resolve(Long.toString(seed)));
            } catch (Exception | AssertionError e) {
                throw new AssertionError(Seeds.replay(seed), e);
            }
        }
    }

    private static CsvQuery allOf(WindowRange windows) {
        CsvQuery all = CsvQuery.ALL;
        return new CsvQuery(
                List.of(), "", List.of(), all.limit(), all.profile(), all.distinct(), null, all.format(), windows);
    }

    private static void compare(long seed, Path path) throws Exception {
        Random random = new Random(seed);
        SummaryLayout layout = WindowRows.randomLayout(random);
        WindowRows rows = new WindowRows(layout);
        rows.feed(random.nextInt(600), FIRST, 1 + random.nextInt(6), random);
        Cut memory = rows.inMemory();
        List<String> notes = new ArrayList<>();
        WindowFolder folder = WindowRows.folder(path, layout, notes);
        int closed = random.nextInt(64);
        Cut files = WindowRows.inFiles(
                memory, folder, start -> (closed >>> ((start - FIRST) / WindowRows.MINUTE) & 1) != 0);
        long boundary = FIRST + random.nextInt(7) * WindowRows.MINUTE;
        var unused = new ResultFixture(path.resolve("results"), 1 + random.nextInt(5))
                .write(rows.state(), 7, boundary, LedgerCounts.NONE);
        try (ResultFolder results = new ResultFolder(path.resolve("results"))) {
            assertThat(results.look()).as("%s", results.problem()).isTrue();
            Cut result = results.acquire();
            compare(memory, result, layout, random);
            // A state file of the result has the rows that are in no closed window.
            Path state = path.resolve("joined.state");
            long bytes = StateWriter.write(result, state, 2);
            assertThat(bytes).isEqualTo(Files.size(state));
            WindowRange open = new WindowRange(boundary, Long.MAX_VALUE, WindowRange.Closed.YES);
            CsvQuery ofOpen = allOf(open);
            Cut loaded = ResultFixture.load(state).freeze(1, 1);
            assertThat(lines(loaded.summaries().get(0), CsvQuery.ALL))
                    .isEqualTo(lines(memory.summaries().get(0), ofOpen));
            result.release();
        }
        compare(memory, files, layout, random);
        assertThat(notes).isEmpty();
    }

    private static void compare(Cut memory, Cut files, SummaryLayout layout, Random random) throws Exception {
        for (int summary = 0; summary < 2; summary++) {
            SummaryView inMemory = memory.summaries().get(summary);
            SummaryView inFiles = files.summaries().get(summary);
            assertThat(inFiles.closed().files().stream()
                                    .mapToLong(file -> file.rows())
                                    .sum()
                            + inFiles.rows(List.of()))
                    .as("rows of %s", inMemory)
                    .isEqualTo(inMemory.rows(List.of()));
            for (List<String> fields : tables(layout)) {
                for (int i = 0; i < 6; i++) {
                    CsvQuery query = query(layout, fields, inMemory.layout().isKeyless(), random);
                    assertThat(csv(inFiles, fields, query, random))
                            .as("%s of %s", query, fields)
                            .isEqualTo(csv(inMemory, fields, query, random));
                }
            }
        }
    }

    /** All tables by their fields. */
    private static List<List<String>> tables(SummaryLayout layout) {
        List<List<String>> tables = new ArrayList<>();
        tables.add(List.of());
        for (SummaryLayout nested : layout.nested()) {
            for (List<String> below : tables(nested)) {
                List<String> fields = new ArrayList<>(List.of(nested.name()));
                fields.addAll(below);
                tables.add(fields);
            }
        }
        return tables;
    }

    private static CsvQuery query(SummaryLayout layout, List<String> fields, boolean keyless, Random random) {
        List<KeyColumn> keys = new ArrayList<>(layout.keys());
        SummaryLayout table = layout;
        for (String field : fields) {
            table = table.nested().stream()
                    .filter(below -> below.name().equals(field))
                    .findFirst()
                    .orElseThrow();
            keys.addAll(table.keys());
        }
        List<String> names = new ArrayList<>(keys.stream().map(KeyColumn::name).toList());
        Collections.shuffle(names, random);
        Grouping grouping = null;
        if (!keyless && random.nextInt(3) == 0 && !table.values().isEmpty()) {
            Every every = random.nextBoolean() ? null : new Every(1 + random.nextInt(3), CalendarUnit.MINUTE);
            names.removeIf(name -> every != null && name.equals("minute"));
            names = names.subList(0, random.nextInt(names.size() + 1));
            grouping = new Grouping(names, "", every);
            names = new ArrayList<>(names);
            if (every != null) {
                names.add("minute");
            }
        }
        List<Order> order = names.stream()
                .map(name -> new Order(name, random.nextInt(4) == 0))
                .toList();
        List<String> columns = new ArrayList<>(names);
        columns.addAll(table.values().stream().map(ValueColumn::name).toList());
        Collections.shuffle(columns, random);
        WindowRange range = random.nextBoolean()
                ? WindowRange.ALL
                : new WindowRange(
                        FIRST + random.nextInt(3) * WindowRows.MINUTE - random.nextInt(2),
                        FIRST + random.nextInt(7) * WindowRows.MINUTE + random.nextInt(2),
                        WindowRange.Closed.YES);
        return new CsvQuery(
                random.nextBoolean() || columns.isEmpty()
                        ? List.of()
                        : columns.subList(0, 1 + random.nextInt(columns.size())),
                "",
                order,
                random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(40),
                CsvProfile.RFC4180,
                random.nextBoolean() ? Distinct.ESTIMATE : Distinct.BOTH,
                grouping,
                random.nextInt(4) == 0 ? ExportFormat.NDJSON : ExportFormat.CSV,
                range);
    }

    private static String csv(SummaryView view, List<String> fields, CsvQuery query, @Nullable Random pauses)
            throws IOException, CsvQueryException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CsvExporter exporter = CsvExporter.of(view, fields, query, new TableCsvCompiler());
        try (CsvExport export = exporter.start(out::write)) {
            while (!export.step(() -> pauses != null && pauses.nextInt(10) == 0)) {
                assertThat(pauses).isNotNull();
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static String lines(SummaryView view, CsvQuery query) throws IOException, CsvQueryException {
        String[] lines = csv(view, List.of(), query, null).split("\n");
        Arrays.sort(lines, 1, lines.length);
        return String.join("\n", lines);
    }

    /** Windows outside the range are not read at all: their files may be gone. */
    @Test
    void shouldReadOnlyTheWindowsOfTheRange() throws Exception {
        Random random = new Random(5);
        SummaryLayout layout = plain();
        WindowRows rows = new WindowRows(layout);
        rows.feed(200, 0, 4, random);
        Cut memory = rows.inMemory();
        WindowFolder folder = WindowRows.folder(path, layout, new ArrayList<>());
        SummaryView all = memory.summaries().get(0);
        SummaryView view = WindowRows.inFiles(memory, folder, start -> start < 2 * WindowRows.MINUTE)
                .summaries()
                .get(0);
        Files.delete(path.resolve("19700101T000000Z.state"));
        long minute = WindowRows.MINUTE;
        for (WindowRange.Closed closed : WindowRange.Closed.values()) {
            WindowRange range = new WindowRange(minute, 3 * minute, closed);
            long from = closed == WindowRange.Closed.NO ? 2 * minute : minute;
            long until = closed == WindowRange.Closed.ONLY ? 2 * minute : 3 * minute;
            String expected = lines(all, allOf(new WindowRange(from, until, WindowRange.Closed.YES)));
            assertThat(lines(view, allOf(range))).as("%s", closed).isEqualTo(expected);
            assertThat(expected.lines().count()).isGreaterThan(5);
        }
        assertThatThrownBy(() -> csv(view, List.of(), CsvQuery.ALL, null))
                .isInstanceOf(java.nio.file.NoSuchFileException.class);
    }

    @Test
    void shouldNameAFileThatNoLongerFitsBeforeAnythingIsWritten() throws Exception {
        SummaryLayout layout = plain();
        WindowRows rows = new WindowRows(layout);
        rows.feed(200, 0, 4, new Random(5));
        Cut memory = rows.inMemory();
        WindowFolder folder = WindowRows.folder(path, layout, new ArrayList<>());
        SummaryView view = WindowRows.inFiles(memory, folder, start -> start == WindowRows.MINUTE)
                .summaries()
                .get(0);
        List<KeyColumn> keys = new ArrayList<>(layout.keys());
        keys.add(new KeyColumn("more", 50, KeyType.INT64));
        SummaryLayout changed = WindowRows.layout(keys, 1, layout, 20);
        SummaryView now = new SummaryView(changed, List.of(), 0, view.closed());
        assertThatThrownBy(() -> csv(now, List.of(), CsvQuery.ALL, null))
                .isInstanceOf(CsvQueryException.class)
                .hasMessageStartingWith(
                        path + "/19700101T000100Z.state: this closed window does not go together with the"
                                + " present definitions:\n  s: key column 50 (more) is not in the file")
                .extracting(e -> ((CsvQueryException) e).reason())
                .isEqualTo(CsvQueryException.Reason.CONFLICT);
        WindowRange others = new WindowRange(2 * WindowRows.MINUTE, Long.MAX_VALUE, WindowRange.Closed.YES);
        assertThat(csv(now, List.of(), allOf(others), null).lines()).hasSize(1);
    }

    @Test
    void shouldRefuseWindowsOfSummariesWithoutWindows() {
        SummaryLayout layout = io.summarizer.core.store.Rows.layout("s", List.of(KeyType.INT64), List.of());
        SummaryView view = new SummaryView(layout, List.of(), 0);
        for (WindowRange range : List.of(
                new WindowRange(1, Long.MAX_VALUE, WindowRange.Closed.YES),
                new WindowRange(Long.MIN_VALUE, 1, WindowRange.Closed.YES),
                new WindowRange(Long.MIN_VALUE, Long.MAX_VALUE, WindowRange.Closed.NO))) {
            assertThatThrownBy(() -> csv(view, List.of(), allOf(range), null))
                    .hasMessage("from, until and closed choose time windows, and `s` has none");
        }
    }

    private static SummaryLayout plain() {
        SummaryLayout any = io.summarizer.core.store.Rows.layout(
                "s",
                List.of(KeyType.STRING, KeyType.TIMESTAMP, KeyType.INT64),
                List.of(io.summarizer.core.store.AggregateType.values()));
        return WindowRows.layout(any.keys(), 1, any, 20);
    }
}
