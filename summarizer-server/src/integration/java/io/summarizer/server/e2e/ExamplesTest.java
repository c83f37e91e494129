package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.Commands;
import io.summarizer.server.oracle.CsvComparison;
import io.summarizer.server.oracle.DuckDbOracle;
import io.summarizer.server.oracle.Example;
import io.summarizer.server.oracle.OracleTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The folders of {@code schemas/examples}: the commands of the README work, and every table is the one that DuckDB
 * makes of the sample.
 */
class ExamplesTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void itsReadmeWorksAndItsTablesAreThoseOfDuckDb(Example example) throws Exception {
        Path readme = example.folder().resolve("README.md");
        assertThat(Walkthrough.of(readme, folder, Map.of(), Map.of()))
                .as("blocks that are not run")
                .allMatch(block -> block.endsWith(" conf"));
        try (DuckDbOracle oracle = example.oracle(sample(example))) {
            for (OracleTable table : example.tables()) {
                CsvComparison.compare(oracle, table, folder.resolve("out/" + table.name() + ".csv"))
                        .assertAgrees();
            }
        }
        Set<String> compared = example.tables().stream().map(OracleTable::name).collect(Collectors.toSet());
        assertThat(written()).as("tables that nobody compared").allMatch(compared::contains);
    }

    @ParameterizedTest
    @EnumSource
    void itsDefinitionsCheckWithoutWarnings(Example example) {
        Commands.Outcome outcome =
                Commands.run("check", "--definitions", example.folder().toString());
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.exit()).isZero();
    }

    @Test
    void everyFolderIsAnExample() throws Exception {
        try (Stream<Path> folders = Files.list(Example.OBD.folder().resolveSibling(""))) {
            assertThat(folders.filter(Files::isDirectory))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.of(Example.values()).map(Example::folder).toList());
        }
    }

    /** Returns the tables that the commands of the README wrote, except overflows, which are empty. */
    private List<String> written() throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve("out"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".csv") && !name.contains(".overflow."))
                    .map(name -> name.substring(0, name.length() - ".csv".length()))
                    .toList();
        }
    }

    private static Path sample(Example example) throws Exception {
        try (Stream<Path> files = Files.list(example.folder())) {
            return files.filter(file -> file.getFileName().toString().startsWith("sample."))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
