package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.bench.report.Provenance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweeperTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Provenance PROVENANCE =
            new Provenance(Instant.parse("2026-11-20T00:00:00Z"), "abc", "25.0.3", 2, "a cpu");

    @TempDir
    Path folder;

    private final Space space = Points.space(Dimension.of(Factor.PARSE_WORKERS, List.of("1", "2", "3", "4", "5", "6")));

    private Results results() throws IOException {
        return Results.open(folder.resolve("results.csv"), PROVENANCE);
    }

    private SweepPlan plan(long seed, List<Load> loads) {
        List<Task> tasks =
                space.grid().stream().map(point -> new Task(point, 3, loads)).toList();
        return new ListedPlan(List.of(space.base()), tasks, seed);
    }

    @Test
    void everyPointHasItsRunsInAnOrderThatChangesFromRoundToRound() throws Exception {
        FakeServers servers = new FakeServers(visit -> 1000);
        assertThat(servers.sweeper(plan(1, List.of()), results()).run(HOUR)).isTrue();
        assertThat(servers.visits).hasSize(18).doesNotHaveDuplicates();
        Map<Integer, List<Point>> rounds = servers.visits.stream()
                .collect(Collectors.groupingBy(Visit::run, Collectors.mapping(Visit::point, Collectors.toList())));
        assertThat(rounds.get(1)).startsWith(space.base()).containsExactlyInAnyOrderElementsOf(space.grid());
        assertThat(rounds.get(2)).isNotEqualTo(rounds.get(1));
        assertThat(rounds.get(3)).isNotEqualTo(rounds.get(2)).isNotEqualTo(rounds.get(1));
    }

    @Test
    void theSameSeedMakesTheSameOrder() throws Exception {
        List<List<Visit>> orders = new ArrayList<>();
        for (long seed : new long[] {1, 1, 2}) {
            FakeServers servers = new FakeServers(visit -> 1000);
            Results results = Results.open(folder.resolve("order" + orders.size() + ".csv"), PROVENANCE);
            servers.sweeper(plan(seed, List.of()), results).run(HOUR);
            orders.add(servers.visits);
        }
        assertThat(orders.get(1)).isEqualTo(orders.get(0));
        assertThat(orders.get(2)).isNotEqualTo(orders.get(0));
    }

    @Test
    void goesOnWhereItWasEnded() throws Exception {
        List<Load> loads = List.of(Load.share(0.25), Load.share(0.5));
        FakeServers whole = new FakeServers(visit -> 1000 + visit.run());
        whole.sweeper(plan(7, loads), Results.open(folder.resolve("whole.csv"), PROVENANCE))
                .run(HOUR);

        FakeServers first = new FakeServers(visit -> 1000 + visit.run());
        assertThat(first.sweeper(plan(7, loads), results()).run(Duration.ofSeconds(75)))
                .isFalse();
        assertThat(first.visits).hasSize(7);
        FakeServers second = new FakeServers(visit -> 1000 + visit.run());
        assertThat(second.sweeper(plan(7, loads), results()).run(HOUR)).isTrue();
        List<Visit> both = new ArrayList<>(first.visits);
        both.addAll(second.visits);
        assertThat(both).isEqualTo(whole.visits);
        FakeServers third = new FakeServers(visit -> 1);
        assertThat(third.sweeper(plan(7, loads), results()).run(HOUR)).isTrue();
        assertThat(third.visits).isEmpty();
    }

    @Test
    void aVisitThatWasKilledBetweenItsRowsIsMadeAgainForTheOthers() throws Exception {
        List<Load> loads = List.of(Load.share(0.25), Load.share(0.5));
        FakeServers servers = new FakeServers(visit -> 1000);
        servers.sweeper(plan(1, loads), results()).run(Duration.ofSeconds(15));
        Path file = folder.resolve("results.csv");
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(4);
        // The last line is incomplete.
        Files.writeString(
                file,
                String.join("\n", lines.subList(0, 3)) + "\n" + lines.get(3).substring(0, 40));
        Results results = results();
        assertThat(results.rows()).hasSize(2);
        FakeServers again = new FakeServers(visit -> 1000);
        again.sweeper(plan(1, loads), results).run(Duration.ofSeconds(15));
        assertThat(again.visits).containsExactlyElementsOf(servers.visits);
        assertThat(Files.readAllLines(file)).hasSameSizeAs(lines);
        assertThat(results().rows()).extracting(Row::offeredPerS).containsExactly(0L, 250L, 500L);
    }

    @Test
    void aPointThatIsRefusedHasARowAndTheSweepGoesOn() throws Exception {
        FakeServers servers = new FakeServers(
                visit -> visit.point().value(Factor.PARSE_WORKERS).equals("3") ? 0 : 1000);
        assertThat(servers.sweeper(plan(1, List.of(Load.rate(5))), results()).run(HOUR))
                .isTrue();
        assertThat(results().rows())
                .filteredOn(row -> !row.isOk())
                .hasSize(3)
                .allMatch(row -> row.status().equals("failed: refused"));
    }

    @Test
    void allPointsAreOfferedSharesOfTheReferenceAndNotOfTheirOwn() throws Exception {
        FakeServers servers = new FakeServers(visit -> visit.point().equals(space.base()) ? 12_345 : 999);
        servers.sweeper(plan(1, List.of(Load.share(0.5))), results()).run(HOUR);
        assertThat(results().rows())
                .filteredOn(row -> row.kind() == Kind.LATENCY)
                .hasSize(18)
                .allMatch(row -> row.offeredPerS() == 6200);
    }

    @Test
    void aMeasurerThatBringsNothingIsAFault() throws Exception {
        Measurer idle = new Measurer() {
            @Override
            public void measure(Visit visit, Results results) {}

            @Override
            public Duration estimate(Visit visit) {
                return Duration.ZERO;
            }
        };
        Sweeper sweeper = new Sweeper(plan(1, List.of()), idle, results(), new Progress(System.out, false), () -> 0);
        assertThatThrownBy(() -> sweeper.run(HOUR)).isInstanceOf(IllegalStateException.class);
    }
}
