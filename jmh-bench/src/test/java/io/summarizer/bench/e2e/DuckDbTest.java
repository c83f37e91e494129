package io.summarizer.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.bench.sweep.Input;
import io.summarizer.server.cli.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DuckDbTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v2"})
    void itsResultIsThatOfRunAndAnyOtherIsRefused(String workload) throws IOException {
        Path lines = folder.resolve("lines.log");
        Input.generated(workload, 20_000, lines);
        Path ours = folder.resolve("csv");
        String[] run = {"run", "--definitions", "../schemas", "--out", ours.toString(), lines.toString()};
        assertThat(Main.commandLine().execute(run)).isZero();

        DuckDb duckDb = new DuckDb(workload, lines, Files.createDirectory(folder.resolve("duckdb")));
        assertThat(duckDb.seconds()).isPositive();
        duckDb.check(ours, 1);

        Path csv = ours.resolve("CampaignDetails.interactions.csv");
        List<String> rows = Files.readAllLines(csv);
        List<String> others = new ArrayList<>(rows);
        others.set(7, rows.get(7).replaceFirst("\\d+$", "999999"));
        assertThat(others).isNotEqualTo(rows);
        Files.write(csv, others);
        assertThatThrownBy(() -> duckDb.check(ours, 1))
                .hasMessageMatching(
                        "CampaignDetails.interactions: (\\d+) rows, DuckDB \\1 rows, of which 1 are not among ours");

        Files.write(csv, rows.subList(0, rows.size() - 1));
        assertThatThrownBy(() -> duckDb.check(ours, 1)).hasMessageContaining("of which 1 are not among ours");

        List<String> users = new ArrayList<>(rows);
        users.replaceAll(row -> row.replaceFirst("(\\d+)(,[^,]*)$", "2$1$2"));
        Files.write(csv, users);
        assertThatThrownBy(() -> duckDb.check(ours, 1))
                .hasMessageMatching("CampaignDetails.interactions.uu_count: .* times the sum of DuckDB");

        Files.write(csv, rows);
        assertThatThrownBy(() -> duckDb.check(ours, 2)).hasMessageStartingWith("CampaignDetails: ");
    }

    @Test
    void theResultOfBothWorkloadsIsThatOfRun() throws IOException {
        Path v1 = folder.resolve("v1.log");
        Path v2 = folder.resolve("v2.log");
        Input.generated("v1", 20_000, v1);
        Input.generated("v2", 20_000, v2);
        Path ours = folder.resolve("csv");
        String[] run = {"run", "--definitions", "../schemas", "--out", ours.toString(), v1.toString(), v2.toString()};
        assertThat(Main.commandLine().execute(run)).isZero();

        DuckDb duckDb = new DuckDb(v1, v2, Files.createDirectory(folder.resolve("duckdb")));
        assertThat(duckDb.seconds()).isPositive();
        duckDb.check(ours, 1);
        assertThatThrownBy(() -> duckDb.check(ours, 2)).hasMessageStartingWith("CampaignDetails: ");
    }
}
