package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.util.List;
import org.junit.jupiter.api.Test;

class PipelineTopicsTest {
    private static final PipelineTopics TOPICS =
            new PipelineTopics(List.of(List.of(), List.of("a.#", "c"), List.of("b", "#.z")));

    @Test
    void shouldSayAsAPipelineDoesWhichPipelineAMessageTakes() {
        MessageBatch batch = new MessageBatch(1024);
        for (String topic : List.of("a", "a.z", "b.z", "b", "c", "d", "x")) {
            SumPlan.add(batch, topic, 1, 1);
        }
        batch.clearSlices(6);
        batch.reject(6, RejectReason.FRAME);
        PipelineTopics.Router router = TOPICS.newRouter();
        int[] pipelines = new int[batch.count()];
        for (int i = 0; i < pipelines.length; i++) {
            pipelines[i] = router.pipeline(batch, i);
        }
        assertThat(pipelines).containsExactly(1, 1, 2, 2, 1, 0, 0);
    }

    @Test
    void shouldSurviveBeingText() {
        assertThat(TOPICS.text()).isEqualTo("\na.#\tc\nb\t#.z");
        assertThat(PipelineTopics.parse(TOPICS.text())).isEqualTo(TOPICS);
        PipelineTopics one = new PipelineTopics(List.of(List.of()));
        assertThat(PipelineTopics.parse(one.text())).isEqualTo(one);
        assertThatThrownBy(() -> new PipelineTopics(List.of(List.of("a\tb"))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
