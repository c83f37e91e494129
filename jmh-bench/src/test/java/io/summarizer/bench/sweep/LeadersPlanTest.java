package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.advice.Advisor;
import io.summarizer.bench.advice.Goal;
import io.summarizer.bench.advice.Noise.Verdict;
import io.summarizer.bench.advice.Pick;
import io.summarizer.bench.report.Provenance;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeadersPlanTest {
    private static final Provenance PROVENANCE =
            new Provenance(Instant.parse("2026-11-20T00:00:00Z"), "abc", "25.0.3", 2, "a cpu");
    private static final Space SPACE = Points.space(
            Dimension.of(Factor.MODE, List.of("queued", "inline", "locked")),
            Dimension.of(Factor.PARSE_WORKERS, List.of("1", "2", "3", "4", "5", "6")),
            Dimension.of(Factor.NETTY_WORKERS, List.of("1", "2", "3")));

    @TempDir
    Path folder;

    private Results results;

    @BeforeEach
    void open() throws IOException {
        results = Results.open(folder.resolve("results.csv"), PROVENANCE);
    }

    private static SweepPlan plan(int screened) {
        List<Task> tasks = SPACE.grid().stream()
                .map(point -> new Task(point, screened, List.of()))
                .toList();
        return new LeadersPlan(
                new ListedPlan(List.of(SPACE.base()), tasks, 1), List.of(SPACE.base()), 2, screened, List.of());
    }

    private FakeServers sweep(int screened, FakeServers servers) throws Exception {
        assertThat(servers.sweeper(plan(screened), results).run(Duration.ofHours(10)))
                .isTrue();
        return servers;
    }

    @Test
    void theDefaultAndTheBestOfEachModeGetNewRuns() throws Exception {
        FakeServers servers = sweep(
                2,
                new FakeServers(visit -> 1000
                        + 10 * Integer.parseInt("0" + visit.point().value(Factor.PARSE_WORKERS))
                        + Integer.parseInt(visit.point().value(Factor.NETTY_WORKERS))));
        Map<Point, List<Visit>> repeated =
                servers.visits.stream().filter(visit -> visit.run() > 2).collect(Collectors.groupingBy(Visit::point));
        assertThat(repeated)
                .containsOnlyKeys(
                        SPACE.base(),
                        SPACE.with(Map.of(Factor.PARSE_WORKERS, "6", Factor.NETTY_WORKERS, "3")),
                        SPACE.with(Map.of(Factor.PARSE_WORKERS, "6", Factor.NETTY_WORKERS, "2")),
                        SPACE.with(Map.of(Factor.MODE, "inline", Factor.NETTY_WORKERS, "3")),
                        SPACE.with(Map.of(Factor.MODE, "locked", Factor.NETTY_WORKERS, "3")));
        assertThat(repeated.values())
                .allSatisfy(visits -> assertThat(visits).extracting(Visit::run).containsExactly(3, 4, 5));
    }

    @Test
    void whoWasChosenStaysSoHoweverItsNewRunsAre() throws Exception {
        Random noise = new Random(3);
        FakeServers servers = sweep(
                1, new FakeServers(visit -> visit.run() == 1 ? 1000 + noise.nextInt(500) : 1 + noise.nextInt(10)));
        assertThat(servers.visits.stream().filter(visit -> visit.run() > 1)).hasSize(5 * LeadersPlan.NEW_RUNS);
    }

    @Test
    void howManyVisitsAreLeftIsKnownBeforeWhoLeadsIs() throws Exception {
        int expected = plan(1).left(results).orElseThrow().size();
        FakeServers servers =
                sweep(1, new FakeServers(visit -> 1000 + visit.point().hashCode() % 100));
        assertThat(servers.visits).hasSize(expected);
        assertThat(plan(1).left(results)).hasValue(List.of());
    }

    @Test
    void ofManyEqualPointsTheBestIsSeldomAboveTheNoise() throws Exception {
        int trials = 50;
        int wrong = 0;
        int told = 0;
        Space many = Points.space(
                Dimension.of(Factor.MODE, List.of("queued", "inline", "locked")),
                Dimension.of(Factor.PARSE_WORKERS, List.of("1", "2", "3", "4", "5", "6")),
                Dimension.of(Factor.NETTY_WORKERS, List.of("1", "2", "3")),
                Dimension.of(Factor.OWNER_WORKERS, List.of("1", "2", "3")));
        List<Task> tasks =
                many.grid().stream().map(point -> new Task(point, 1, List.of())).toList();
        for (int seed = 0; seed < trials; seed++) {
            Path file = folder.resolve("trial-" + seed + ".csv");
            Random noise = new Random(seed);
            SweepPlan plan = new LeadersPlan(
                    new ListedPlan(List.of(many.base()), tasks, seed), List.of(many.base()), 2, 1, List.of());
            FakeServers servers = new FakeServers(visit -> 1e6 * Math.exp(0.05 * noise.nextGaussian()));
            servers.sweeper(plan, Results.open(file, PROVENANCE)).run(Duration.ofHours(10));
            Verdict verdict = Advisor.advise(Results.read(file), "v1")
                    .orElseThrow()
                    .pick(Goal.THROUGHPUT)
                    .orElseThrow()
                    .answer()
                    .verdict();
            wrong += verdict == Verdict.ABOVE_NOISE ? 1 : 0;
            told += verdict == Verdict.CANNOT_TELL ? 0 : 1;
        }
        assertThat(told).as("trials that had an answer").isEqualTo(trials);
        // The seeds are fixed, so a failure comes from a change of the test or the plan, not from chance.
        assertThat(wrong).as("of " + trials).isLessThanOrEqualTo((int) (0.08 * trials));
    }

    @Test
    void aPointThatIsTrulyBetterIsFoundAboveTheNoise() throws Exception {
        Random noise = new Random(7);
        Path file = folder.resolve("better.csv");
        Point better = SPACE.with(Map.of(Factor.PARSE_WORKERS, "4"));
        FakeServers servers = new FakeServers(
                visit -> (visit.point().equals(better) ? 1.4e6 : 1e6) * Math.exp(0.05 * noise.nextGaussian()));
        servers.sweeper(plan(1), Results.open(file, PROVENANCE)).run(Duration.ofHours(10));
        Pick pick = Advisor.advise(Results.read(file), "v1")
                .orElseThrow()
                .pick(Goal.THROUGHPUT)
                .orElseThrow();
        assertThat(pick.answer().verdict()).isEqualTo(Verdict.ABOVE_NOISE);
        assertThat(pick.best().runs()).hasSize(LeadersPlan.NEW_RUNS);
    }
}
