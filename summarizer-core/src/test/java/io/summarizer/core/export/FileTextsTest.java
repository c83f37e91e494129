package io.summarizer.core.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.archive.WindowRows;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of files in order, whose texts need several times the memory: the files are read in several batches. */
class FileTextsTest {
    @TempDir
    private Path path;

    @Test
    void shouldSortRowsWhoseTextsDoNotFitTheMemory() throws Exception {
        SummaryLayout any = Rows.layout(
                "s",
                List.of(KeyType.INT64, KeyType.TIMESTAMP, KeyType.STRING),
                List.of(AggregateType.MULTISET64, AggregateType.LASTSTRING));
        SummaryLayout layout = WindowRows.layout(any.keys(), 1, any, 0);
        WindowRows rows = new WindowRows(layout);
        rows.feed(6_000, 0, 200, new Random(5));
        Cut memory = rows.inMemory();
        WindowFolder folder = WindowRows.folder(path, layout, new ArrayList<>());
        Cut files = WindowRows.inFiles(memory, folder, start -> start / WindowRows.MINUTE % 7 != 0);
        CsvQuery query = new CsvQuery(
                List.of(),
                "",
                Stream.of("s_v1", "s_k2", "s_k1", "s_k0")
                        .map(name -> new CsvQuery.Order(name, name.equals("s_v1")))
                        .toList(),
                Long.MAX_VALUE,
                CsvProfile.RFC4180,
                Distinct.BOTH,
                null,
                ExportFormat.CSV);
        ExportMemory small = new ExportMemory(ExportMemory.Work.SORT, 400_000, 500_000);
        String expected = csv(memory.summaries().get(0), query, ExportMemory.forSorting());
        assertThat(expected.length()).isGreaterThan(400_000);
        assertThat(csv(files.summaries().get(0), query, small)).isEqualTo(expected);
        assertThat(small.taken()).isZero();
        for (int bytes : List.of(100_000, 400_000)) {
            ExportMemory passes = ExportMemory.forPasses(bytes);
            assertThat(csv(files.summaries().get(0), query, passes)).isEqualTo(expected);
            assertThat(csv(memory.summaries().get(0), query, passes)).isEqualTo(expected);
            assertThat(passes.taken()).isZero();
        }
    }

    /** The sort keys have at most 16 bytes, so each pass has many rows. */
    @Test
    void shouldSortByShortKeysInAMemoryThatNobodyElseUses() throws Exception {
        KeyType number = KeyType.INT64;
        SummaryLayout any = Rows.layout(
                "s",
                List.of(number, KeyType.TIMESTAMP, number, number, KeyType.STRING, KeyType.BOOL),
                List.of(AggregateType.SUMINT64));
        SummaryLayout layout = WindowRows.layout(any.keys(), 1, any, 0);
        WindowRows rows = new WindowRows(layout);
        rows.feed(20_000, 0, 5, new Random(6));
        Cut memory = rows.inMemory();
        WindowFolder folder = WindowRows.folder(path, layout, new ArrayList<>());
        Cut files = WindowRows.inFiles(memory, folder, start -> true);
        CsvQuery query = new CsvQuery(
                List.of(),
                "",
                List.of(new CsvQuery.Order("s_k1", false)),
                Long.MAX_VALUE,
                CsvProfile.RFC4180,
                Distinct.BOTH,
                null,
                ExportFormat.CSV);
        List<String> expected = sorted(csv(memory.summaries().get(0), query, ExportMemory.forSorting()));
        for (int bytes : List.of(100_000, 700_000)) {
            ExportMemory passes = ExportMemory.forPasses(bytes);
            assertThat(sorted(csv(files.summaries().get(0), query, passes))).isEqualTo(expected);
            assertThat(passes.taken()).isZero();
        }
        ExportMemory alone = new ExportMemory(ExportMemory.Work.SORT, 700_000, 700_000);
        assertThat(sorted(csv(files.summaries().get(0), query, alone))).isEqualTo(expected);
    }

    /** Lines in one order: rows of the same window may be in any order. */
    private static List<String> sorted(String csv) {
        return csv.lines().sorted().toList();
    }

    private static String csv(SummaryView view, CsvQuery query, ExportMemory sorting) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CsvExporter exporter = CsvExporter.of(
                view, List.of(), query, new TableCsvCompiler(), sorting, ExportMemory.forGroups(1 << 20));
        long most = 0;
        try (CsvExport export = exporter.start(out::write)) {
            while (!export.step(() -> true)) {
                most = Math.max(most, sorting.taken());
            }
        }
        assertThat(most).as("and the row that did not fit").isBetween(1L, sorting.exportBytesMax() + 10_000);
        return out.toString(StandardCharsets.UTF_8);
    }
}
