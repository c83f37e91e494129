package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.SummaryLayout;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest {
    private final Placement placement =
            new Placement(List.of(patterns(), patterns("ad.auction.#"), patterns("bulk.*", "ad.#")), 2, 3, 1);

    @ParameterizedTest
    @CsvSource({
        "ad.auction.v2, 1",
        "ad.auction.#, 1",
        "ad.click, 2",
        "bulk.x, 2",
        "ad.#, 0", // of two pipelines
        "#, 0",
        "other, 0",
        "bulk.#, 0", // bulk.x.y goes to the first pipeline
        "bulk.x ad.click.us, 2",
        "bulk.x ad.auction.v2, 0",
    })
    void shouldPutASummaryWithThePipelineThatAloneBringsItEvents(String topics, int pipeline) {
        assertThat(placement.pipeline(plan(patterns(topics.split(" ")), List.of()), 0))
                .isEqualTo(pipeline);
    }

    @Test
    void shouldGoByTheNarrowerPatternOfAMapping() {
        assertThat(placement.pipeline(plan(patterns("#"), patterns("ad.auction.us")), 0))
                .isEqualTo(1);
    }

    @Test
    void shouldPutASummaryWithoutEventsWithTheFirstPipeline() {
        assertThat(placement.pipeline(plan(patterns("ad.auction.v2"), List.of()), 1))
                .isZero();
    }

    @Test
    void shouldSpreadASummaryOverTheOwnersOfItsPipeline() {
        assertThat(placement.owners()).isEqualTo(6);
        assertThat(owners(0)).containsOnly(0, 1);
        assertThat(owners(1)).containsOnly(2, 3, 4);
        assertThat(owners(2)).containsOnly(5);
        assertThat(IntStream.range(0, 6).map(placement::pipelineOf)).containsExactly(0, 0, 1, 1, 1, 2);
    }

    private Stream<Integer> owners(int pipeline) {
        return IntStream.range(0, Partitions.COUNT)
                .mapToObj(partition -> placement.owner(Partitions.ALL, pipeline, 7, partition))
                .distinct();
    }

    private static List<TopicPattern> patterns(String... texts) {
        return Stream.of(texts).map(TopicPattern::of).toList();
    }

    private static Plan plan(List<TopicPattern> topics, List<TopicPattern> mapping) {
        return new Plan() {
            @Override
            public List<SummaryLayout> summaries() {
                throw new UnsupportedOperationException();
            }

            @Override
            public RowCode.Tree rowCode(int summary) {
                throw new UnsupportedOperationException();
            }

            @Override
            public List<Event> events() {
                return List.of(new Event("E", topics, "csv", List.of(new Mapping("E->S", 0, mapping))));
            }

            @Override
            public EventProgram newProgram(int event) {
                throw new UnsupportedOperationException();
            }
        };
    }
}
