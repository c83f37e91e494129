package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.e2e.Scrape;
import io.summarizer.bench.sweep.QueueSampler.Fill;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class QueueSamplerTest {
    @Test
    void queuesOfAllPipelinesCountTogether() {
        Fill fill = QueueSampler.fill(Scrape.parse("""
                        summarizer_queue_batches{pipeline="a",queue="parse"} 30
                        summarizer_queue_batches{pipeline="b",queue="parse"} 20
                        summarizer_queue_capacity_batches{pipeline="a",queue="parse"} 60
                        summarizer_queue_capacity_batches{pipeline="b",queue="parse"} 40
                        summarizer_queue_batches{pipeline="a",queue="owner-0"} 64
                        summarizer_queue_batches{pipeline="a",queue="owner-1"} 0
                        summarizer_queue_capacity_batches{pipeline="a",queue="owner-0"} 64
                        summarizer_received_total 12
                        summarizer_queue_capacity_batches{pipeline="a",queue="owner-1"} 64
                        """), 5);
        assertThat(fill).isEqualTo(new Fill(5, 0.5, List.of(1.0, 0.0), 12));
    }

    @Test
    void alwaysFullOrAlwaysEmptyIsSeenAsSuch() {
        Map<Metric, Double> figures = QueueSampler.figures(List.of(
                new Fill(0, 0.0, List.of(0.0, 0.0), 7), // nothing has arrived yet
                new Fill(1, 0.95, List.of(0.0, 1.0), 8),
                new Fill(2, 1.0, List.of(0.0, 0.95), 9),
                new Fill(3, 0.0, List.of(0.0, 0.5), 9),
                new Fill(4, 0.05, List.of(0.0, 0.55), 9)));
        assertThat(figures)
                .containsEntry(Metric.PARSE_FILL, 0.5)
                .containsEntry(Metric.PARSE_FULL_SHARE, 0.5)
                .containsEntry(Metric.PARSE_EMPTY_SHARE, 0.25)
                .containsEntry(Metric.OWNER_FILL, 0.375)
                .containsEntry(Metric.OWNER_FULL_SHARE, 0.25)
                .containsEntry(Metric.OWNER_EMPTY_SHARE, 0.5);
    }

    @Test
    void aServerWithoutQueuesHasNoFill() {
        Fill fill = QueueSampler.fill(Scrape.parse("summarizer_received_total 3"), 0);
        assertThat(fill.owners()).isEmpty();
        assertThat(QueueSampler.figures(List.of(fill))).isEmpty();
    }
}
