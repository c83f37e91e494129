package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.report.Provenance;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchPlanTest {
    private static final Map<String, Double> QUEUES = Map.of("lbq", 1.0, "abq", 0.8, "mpmc", 1.3, "disruptor", 1.2);
    private static final Space SPACE = Points.space(
            Dimension.of(Factor.PARSE_QUEUE, List.of("lbq", "abq", "mpmc", "disruptor")),
            Dimension.of(Factor.PARSE_WORKERS, List.of("1", "2", "3", "4", "5", "6")),
            Dimension.of(Factor.OWNER_WORKERS, List.of("1", "2", "3", "4", "5", "6")),
            Dimension.of(Factor.GC, List.of("G1", "Parallel", "Serial")));
    private static final Point BEST = SPACE.with(Map.of(
            Factor.PARSE_QUEUE, "mpmc", Factor.PARSE_WORKERS, "4", Factor.OWNER_WORKERS, "3", Factor.GC, "Parallel"));

    @TempDir
    Path folder;

    /** One hill over 432 points, its top at {@link #BEST}; the default has 46 % of it. */
    private static double surface(Point point) {
        int parsers = Integer.parseInt(point.value(Factor.PARSE_WORKERS));
        int owners = Integer.parseInt(point.value(Factor.OWNER_WORKERS));
        double workers = 1 - 0.1 * Math.abs(parsers - 4) - 0.1 * Math.abs(owners - 3);
        double gc = point.value(Factor.GC).equals("Parallel") ? 1.1 : 1;
        return 1_000_000 * workers * gc * QUEUES.getOrDefault(point.value(Factor.PARSE_QUEUE), 0.0);
    }

    private Results results(String name) throws IOException {
        Provenance provenance = new Provenance(Instant.parse("2026-11-20T00:00:00Z"), "abc", "25.0.3", 2, "a cpu");
        return Results.open(folder.resolve(name + ".csv"), provenance);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void findsTheTopOfAHillWithinItsBudgetThroughNoise(long seed) throws Exception {
        Random noise = new Random(seed);
        FakeServers servers = new FakeServers(visit -> surface(visit.point()) * (1 + 0.02 * noise.nextGaussian()));
        Results results = results("hill");
        Duration budget = FakeServers.VISIT.multipliedBy(90);
        SearchPlan plan = new SearchPlan(
                List.of(SPACE),
                Objective.THROUGHPUT,
                List.of(Load.share(0.5)),
                () -> servers.nanos > budget.toNanos() * 0.7);
        servers.sweeper(plan, results).run(budget);
        assertThat(servers.visits).as("of 432 points, seed " + seed).hasSizeLessThanOrEqualTo(90);
        assertThat(best(results)).as("seed " + seed).contains(BEST);
        assertThat(results.rows(BEST, row -> row.kind() == Kind.THROUGHPUT))
                .as("runs of the best, seed " + seed)
                .hasSizeGreaterThanOrEqualTo(SearchPlan.LEADER_RUNS);
        assertThat(results.rows(BEST, row -> row.kind() == Kind.LATENCY)).isNotEmpty();
        assertThat(results.rows(SPACE.base(), row -> row.kind() == Kind.THROUGHPUT))
                .as("runs of the default, which the best is compared with")
                .hasSizeGreaterThanOrEqualTo(SearchPlan.LEADER_RUNS);
    }

    @Test
    void aLuckyRunIsRepeatedBeforeItIsBelieved() throws Exception {
        Point lucky = Points.with(Factor.PARSE_QUEUE, "abq");
        FakeServers servers = new FakeServers(
                visit -> surface(visit.point()) * (visit.point().equals(lucky) && visit.run() == 1 ? 4 : 1));
        Results results = results("lucky");
        SearchPlan plan = new SearchPlan(List.of(SPACE), Objective.THROUGHPUT, List.of(), () -> false);
        servers.sweeper(plan, results).run(FakeServers.VISIT.multipliedBy(100));
        assertThat(best(results)).contains(BEST);
    }

    @Test
    void whatIsRefusedIsTriedOnce() throws Exception {
        FakeServers servers = new FakeServers(
                visit -> visit.point().value(Factor.PARSE_QUEUE).equals("mpmc") ? 0 : surface(visit.point()));
        Results results = results("refused");
        SearchPlan plan = new SearchPlan(List.of(SPACE), Objective.THROUGHPUT, List.of(), () -> false);
        servers.sweeper(plan, results).run(FakeServers.VISIT.multipliedBy(100));
        assertThat(best(results).orElseThrow().value(Factor.PARSE_QUEUE)).isEqualTo("disruptor");
        assertThat(servers.visits.stream()
                        .filter(visit -> visit.point().value(Factor.PARSE_QUEUE).equals("mpmc")))
                .doesNotHaveDuplicates()
                .allMatch(visit -> visit.run() == 1);
    }

    /** The best point according to all runs. */
    private static Optional<Point> best(Results results) {
        return results.points().stream()
                .max(Comparator.comparingDouble(
                        point -> Objective.THROUGHPUT.score(results, point, Integer.MAX_VALUE)));
    }
}
