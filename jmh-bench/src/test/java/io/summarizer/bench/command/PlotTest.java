package io.summarizer.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.advice.SyntheticSweep;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Point;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlotTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private String results = "";

    @BeforeEach
    void makeResults() throws IOException {
        SyntheticSweep sweep = new SyntheticSweep(1);
        for (String workload : List.of("v1", "v2")) {
            Point usual = SyntheticSweep.usual(workload, "25.0.3");
            for (int owners = 1; owners <= 5; owners++) {
                sweep.point(usual.with(Factor.OWNER_WORKERS, "" + owners), 1e6 - 1e5 * Math.abs(2 - owners));
            }
        }
        results = sweep.write(folder).toString();
    }

    private int plot(String... arguments) {
        List<String> all = new ArrayList<>(List.of(results));
        all.addAll(List.of(arguments));
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        return BenchCommand.run(
                new Plot(stream),
                stream,
                new PrintStream(errors, true, StandardCharsets.UTF_8),
                all.toArray(String[]::new));
    }

    @Test
    void printsAdviceAndWritesTheReportBesideTheResults() {
        assertThat(plot()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("v1\n  most events a second: lbq-lbq, 1 netty, 1 parser, 2 owner")
                .contains("all workloads\n");
        assertThat(folder.resolve("sweep-report/report.html")).exists();
        assertThat(folder.resolve("sweep-report/throughput-v2.svg")).exists();
    }

    @Test
    void writesAConfigurationThatTheServerTakes() {
        Path config = folder.resolve("advised.yaml");
        assertThat(plot("--workload", "v2", "--goal", "cpu", "--write-config", config.toString()))
                .as(errors.toString(StandardCharsets.UTF_8))
                .isZero();
        assertThat(config)
                .content()
                .contains("# Workload v2, least CPU for an event")
                .contains("    workers: 2");
    }

    @Test
    void writesOneSettingForAllWorkloadsWhereTheyWantTheSame() {
        Path config = folder.resolve("advised.yaml");
        assertThat(plot("--write-config", config.toString())).isZero();
        assertThat(config).content().contains("one pipeline will do").doesNotContain("pipelines:");
    }

    @Test
    void tellsOfWhatItCannotDo() {
        assertThat(plot("--workload", "v3")).isEqualTo(1);
        assertThat(plot("--goal", "speed")).isEqualTo(2);
        assertThat(plot("--colour", "red")).isEqualTo(2);
        assertThat(plot(
                        "--goal",
                        "latency",
                        "--write-config",
                        folder.resolve("x.yaml").toString()))
                .isEqualTo(1);
        results = folder.resolve("none.csv").toString();
        assertThat(plot()).isEqualTo(1);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("no runs of workload v3")
                .contains("expected one of [THROUGHPUT, LATENCY, CPU]")
                .contains("Unknown options: '--colour', 'red'")
                .contains("choose it by --workload")
                .contains("no such file");
    }
}
