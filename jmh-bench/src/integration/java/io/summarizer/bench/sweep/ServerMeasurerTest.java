package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.report.Provenance;
import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server, a real sender, sockets between them: a short run of each kind. */
class ServerMeasurerTest {
    private static final Timing TIMING = new Timing(0.2, 0.3, 0.5, 60, Timing.PULL_PAUSE);

    @TempDir
    Path folder;

    private final Jdks jdks = jdks();

    private static Jdks jdks() {
        try {
            return Jdks.find(Map.of());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a project whose start script runs the class path of this test. */
    private Path home() throws IOException {
        Path home = Files.createDirectories(folder.resolve("home"));
        Path script = Files.createDirectories(home.resolve("bin")).resolve("summarizer");
        Files.writeString(
                script, """
                #!/bin/sh
                exec "${JAVA_HOME:-%s}/bin/java" -XX:+UseG1GC -Xmx256m $SUMMARIZER_JAVA_OPTS \\
                    -Dsummarizer.home='%s' -cp '%s' io.summarizer.server.cli.Main "$@"
                """.formatted(System.getProperty("java.home"), home, System.getProperty("java.class.path")));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return home;
    }

    private Results measure(Map<Factor, String> changes, List<Load> loads, String... settings) throws Exception {
        return measure(changes, loads, List.of(settings));
    }

    private Results measure(Map<Factor, String> changes, List<Load> loads, List<String> settings) throws Exception {
        Results results =
                Results.open(folder.resolve("results.csv"), new Provenance(Instant.EPOCH, "abc", "17", 2, "a cpu"));
        String jdk = jdks.version(System.getProperty("java.home"));
        Space space = Points.space();
        Point base = Point.of(space.with(Map.of(Factor.JDK, jdk)).values());
        EnumMap<Factor, String> values = new EnumMap<>(base.values());
        values.putAll(changes);
        Path scratch = Files.createDirectories(folder.resolve("scratch"));
        Input input = Input.generated("v1", 5_000, scratch.resolve("v1.log"));
        try (ServerMeasurer measurer = new ServerMeasurer(
                "test",
                home(),
                scratch,
                ProjectHome.path().resolve("schemas"),
                settings,
                jdks,
                Map.of("v1", input),
                TIMING)) {
            measurer.measure(new Visit(Point.of(values), 1, loads), results);
        }
        assertThat(scratch.resolve("visit")).doesNotExist();
        return results;
    }

    @Test
    void measuresThroughputAndLatencyOfARealServer() throws Exception {
        Results results = measure(Map.of(Factor.GC, "Serial"), List.of(Load.rate(2000)));
        assertThat(results.rows()).hasSize(2).allSatisfy(row -> {
            assertThat(row.status()).isEqualTo("ok");
            assertThat(row.figure(Metric.EVENTS).orElse(0)).isPositive();
            assertThat(row.figure(Metric.CPU_S_PER_MILLION).orElse(0)).isPositive();
            assertThat(row.figure(Metric.ALLOC_BYTES_PER_EVENT).orElse(0)).isPositive();
        });
        Row latency = results.rows().get(1);
        assertThat(latency.kind()).isEqualTo(Kind.LATENCY);
        assertThat(latency.figure(Metric.EVENTS)).hasValue(1000);
        assertThat(latency.figure(Metric.LATENCY_P50_US).orElse(0))
                .isPositive()
                .isLessThanOrEqualTo(latency.figure(Metric.LATENCY_MAX_US).orElse(0));
        assertThat(Files.readAllLines(folder.resolve("results-series.csv"))).hasSizeGreaterThan(2);
    }

    @Test
    void aRateThatFailsIsNotHeldAgainstTheOnesBelowIt() throws Exception {
        Results results = measure(Map.of(), List.of(Load.rate(1e9), Load.rate(2e9), Load.rate(2000)));
        assertThat(results.rows())
                .extracting(Row::offeredPerS)
                .containsExactly(0L, 2000L, 1_000_000_000L, 2_000_000_000L);
        assertThat(results.rows().subList(0, 2)).allMatch(Row::isOk);
        assertThat(results.rows().get(2).status()).startsWith("failed: ").doesNotContain("not tried");
        assertThat(results.rows().get(3).status()).isEqualTo("failed: not tried: 1000000000 events a second failed");
    }

    @Test
    void settingsOfAllServersReachThemAndThoseOfThePointCountMore() throws Exception {
        Results refused = measure(Map.of(), List.of(), "limits.rows=none");
        assertThat(refused.rows().get(0).status()).contains("limits.rows");
    }

    @Test
    void aFactorAmongTheSettingsIsForThePointToSay() throws Exception {
        // Invalid beside a queue that blocks by itself, like the point's.
        Results results = measure(Map.of(), List.of(), "pipeline.parse.wait=yielding");
        assertThat(results.rows()).hasSize(1).allMatch(Row::isOk);
    }

    @Test
    void settingsThatAServerRefusesMakeARowThatSaysWhy() throws Exception {
        Results results = measure(Map.of(Factor.PARSE_QUEUE, "stack"), List.of(Load.share(0.5)));
        assertThat(results.rows()).hasSize(1);
        assertThat(results.rows().get(0).status())
                .startsWith("failed: the server ended with status")
                .contains("pipeline.parse.queue");
    }
}
