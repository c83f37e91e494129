package io.summarizer.dsl.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.export.CsvName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every table of valid definitions has its own file; definitions in which two share one are refused. */
class CsvFilesTest {
    private static final int RUNS = 3_000;
    private static final List<String> NAMES = List.of(
            "A", "a", "B", "overflow", "Overflow", "OVERFLOW", "reset", "days", "Days", "a-overflow", "ledger", "csv");

    /** A summary or a nested one. */
    private record Table(String name, boolean overflows, List<Table> nested) {}

    private final Random random;

    CsvFilesTest() {
        random = new Random();
    }

    @Test
    void noTwoTablesOfAnyDefinitionsShareAFile() {
        long seed = random.nextLong();
        random.setSeed(seed);
        int refused = 0;
        for (int run = 0; run < RUNS; run++) {
            List<Table> tables = tables(1 + random.nextInt(3), 0);
            String text = text(tables);
            CheckResult result = DefinitionsCompiler.check(Map.of("t.summ", text));
            boolean distinct = distinct(tables);
            assertThat(result.isValid())
                    .as("seed %d, run %d\n%s\n%s", seed, run, text, result.render())
                    .isEqualTo(distinct);
            refused += distinct ? 0 : 1;
            if (distinct) {
                List<CsvName> names =
                        CsvName.all(result.definitions().orElseThrow().summaries());
                Set<String> files = new HashSet<>();
                names.forEach(name -> files.add(name.file().toLowerCase(Locale.ROOT)));
                assertThat(files).as("seed %d, run %d\n%s", seed, run, text).hasSameSizeAs(names);
            }
        }
        // Otherwise the test would prove nothing.
        assertThat(refused).as("seed %d", seed).isBetween(RUNS / 10, RUNS * 9 / 10);
    }

    /** Definitions that were in force once stay valid, with a warning: their state must not be lost. */
    @Test
    void whatWasInForceOnceIsTakenStill() {
        String text = text(List.of(new Table("A", true, List.of(new Table("overflow", false, List.of())))));
        assertThat(DefinitionsCompiler.check(Map.of("t.summ", text)).isValid()).isFalse();
        CheckResult kept = DefinitionsCompiler.checkKept(Map.of("t.summ", text));
        assertThat(kept.isValid()).isTrue();
        assertThat(kept.renderWarnings()).contains("warning: `A.overflow.csv` holds what `A` has no room for");
    }

    private List<Table> tables(int count, int depth) {
        List<Table> tables = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (int i = 0; i < count; i++) {
            String name = NAMES.get(random.nextInt(NAMES.size()));
            if (names.add(name)) {
                List<Table> nested = depth < 3 ? tables(random.nextInt(3), depth + 1) : List.of();
                tables.add(new Table(name, random.nextInt(4) == 0, nested));
            }
        }
        return tables;
    }

    // The files by the rules of docs/write/language.md, as a list of texts.

    private static boolean distinct(List<Table> tables) {
        List<String> files = new ArrayList<>();
        for (Table table : tables) {
            files(table.name, table, files);
            if (overflows(table)) {
                files(table.name + ".overflow", table, files);
            }
        }
        Set<String> alike = new HashSet<>();
        return files.stream().allMatch(file -> alike.add(file.toLowerCase(Locale.ROOT)));
    }

    private static boolean overflows(Table table) {
        return table.overflows || table.nested.stream().anyMatch(CsvFilesTest::overflows);
    }

    private static void files(String name, Table table, List<String> into) {
        into.add(name + ".csv");
        table.nested.forEach(nested -> files(name + "." + nested.name, nested, into));
    }

    private static String text(List<Table> tables) {
        StringBuilder text = new StringBuilder();
        tables.forEach(table -> text(table, quoted(table.name), 0, text));
        return text.toString();
    }

    private static String quoted(String name) {
        return "`" + name + "`";
    }

    private static void text(Table table, String type, int depth, StringBuilder text) {
        text.append("summary ").append(type).append(" { ");
        text.append(table.overflows ? "limit keys = 5 overflow = other; " : "");
        text.append("key { int64 k").append(depth).append(" = 1; } value { count n = 1;\n");
        for (int i = 0; i < table.nested.size(); i++) {
            Table nested = table.nested.get(i);
            text(nested, "T" + i, depth + 1, text);
            text.append("repeated T").append(i).append(' ').append(quoted(nested.name));
            text.append(" = ").append(i + 2).append(";\n");
        }
        text.append("} }\n");
    }
}
