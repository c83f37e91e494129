package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpaceTest {
    private static final Dimension QUEUES = Dimension.of(Factor.PARSE_QUEUE, List.of("lbq", "abq", "mpmc"));
    private static final Dimension WORKERS = Dimension.of(Factor.PARSE_WORKERS, List.of("1", "2", "3", "4"));
    private static final Dimension MODES = Dimension.of(Factor.MODE, List.of("queued", "locked"));

    @Test
    void aGridHasEveryCombinationOnce() {
        assertThat(Points.space(QUEUES, WORKERS).grid())
                .hasSize(12)
                .contains(Points.space().base());
    }

    @Test
    void aGridHasAPointOnceThatSeveralCombinationsMake() {
        // Mode locked has neither queues nor workers, so it is one point.
        assertThat(Points.space(QUEUES, WORKERS, MODES).grid()).hasSize(13);
    }

    @Test
    void oneAtATimeIsTheDefaultAndAStepInEveryDirection() {
        assertThat(Points.space(QUEUES, WORKERS, MODES).oneAtATime())
                .hasSize(1 + 2 + 3 + 1)
                .contains(Points.space().base(), Points.with(Factor.PARSE_WORKERS, "4"));
    }

    @Test
    void numbersNeighbourTheNextOnesAndWordsAllOthers() {
        Space space = Points.space(QUEUES, WORKERS);
        assertThat(space.neighbours(Points.with(Factor.PARSE_WORKERS, "3")))
                .containsExactlyInAnyOrder(
                        Points.with(Factor.PARSE_WORKERS, "2"),
                        Points.with(Factor.PARSE_WORKERS, "4"),
                        space.with(Map.of(Factor.PARSE_WORKERS, "3", Factor.PARSE_QUEUE, "abq")),
                        space.with(Map.of(Factor.PARSE_WORKERS, "3", Factor.PARSE_QUEUE, "mpmc")));
    }

    @Test
    void factorsThatAreTiedAreVariedTogether() {
        Space space = Points.space(
                Dimension.tied("capacity", Factor.PARSE_CAPACITY, Factor.OWNER_CAPACITY, List.of("64", "256")));
        assertThat(space.grid())
                .allMatch(point -> point.value(Factor.PARSE_CAPACITY).equals(point.value(Factor.OWNER_CAPACITY)))
                .hasSize(2);
    }

    @Test
    void theWayBackFromAModeWithoutQueuesHasTheDefaultOnes() {
        Space space = Points.space(MODES);
        assertThat(space.neighbours(Points.with(Factor.MODE, "locked")))
                .containsExactly(Points.space().base());
    }
}
