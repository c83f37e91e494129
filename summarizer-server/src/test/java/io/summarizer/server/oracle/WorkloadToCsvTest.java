package io.summarizer.server.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.workload.AccessWorkload;
import io.summarizer.server.workload.MalformedWorkload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DuckDB agrees with the CSVs of the lines of both workloads, broken lines of the reference workload included. */
class WorkloadToCsvTest {
    private static final int LINES = 40_000;
    private static final int MESSAGE_BYTES_MAX = 8 * 1024;

    private @TempDir Path folder;

    @Test
    void goodLinesBecomeTheCsvsThatDuckDbMakesAndBrokenOnesAreRefusedForTheirReason()
            throws IOException, SQLException, CsvQueryException {
        MalformedWorkload workload = new MalformedWorkload(21, MESSAGE_BYTES_MAX);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        workload.writeTo(stream, LINES);
        SingleThread path = new SingleThread(plan(ProjectHome.path().resolve("schemas")));
        path.receive(stream.toByteArray(), MESSAGE_BYTES_MAX);

        List<SingleThread.Refused> expected = new ArrayList<>();
        workload.forEachBroken(
                LINES, (line, defect) -> expected.add(new SingleThread.Refused(defect.reason(), kept(line))));
        assertThat(path.refused()).containsExactlyElementsOf(expected);
        assertThat(path.good()).isEqualTo(LINES - expected.size());

        try (DuckDbOracle oracle = new DuckDbOracle()) {
            oracle.loadEvents(sink -> workload.forEachGood(LINES, sink));
            assertAgrees(oracle, DuckDbOracle.CAMPAIGN_DETAILS, path, List.of());
            assertAgrees(oracle, DuckDbOracle.INTERACTIONS, path, List.of("interactions"));
            assertAgrees(oracle, DuckDbOracle.CONVERSIONS, path, List.of("conversions"));
        }
    }

    @Test
    void accessLinesBecomeTheCsvsThatDuckDbMakesOfTheSameLines() throws IOException, SQLException, CsvQueryException {
        Path lines = folder.resolve("access.log");
        try (OutputStream out = Files.newOutputStream(lines)) {
            AccessWorkload.of(22).writeTo(out, LINES);
        }
        SingleThread path = new SingleThread(plan(Example.ACCESS_LOG.folder()));
        path.receive(Files.readAllBytes(lines), MESSAGE_BYTES_MAX);
        assertThat(path.refused()).isEmpty();
        assertThat(path.good()).isEqualTo(LINES);

        try (DuckDbOracle oracle = Example.ACCESS_LOG.oracle(lines)) {
            for (OracleTable table : Example.ACCESS_LOG.tables()) {
                assertAgrees(oracle, table, path, table.name().equals("Pages") ? List.of() : List.of("answers"));
            }
        }
    }

    private void assertAgrees(DuckDbOracle oracle, OracleTable table, SingleThread source, List<String> nested)
            throws IOException, SQLException, CsvQueryException {
        Path file = folder.resolve(table.name() + ".csv");
        try (OutputStream out = Files.newOutputStream(file)) {
            source.export(0, nested, out);
        }
        CsvComparison comparison = CsvComparison.compare(oracle, table, file);
        comparison.assertAgrees();
        assertThat(comparison.rows()).isGreaterThan(500);
    }

    /** The part of a line that is kept: one byte more than the bound, so that it is too long again in a replay. */
    private static String kept(byte[] line) {
        return new String(line, 0, Math.min(line.length, MESSAGE_BYTES_MAX + 1), StandardCharsets.ISO_8859_1);
    }

    private static Plan plan(Path definitions) {
        CheckResult result = DefinitionsCompiler.check(definitions);
        assertThat(result.render()).isEmpty();
        return PlanCompiler.compile(result.definitions().orElseThrow());
    }
}
