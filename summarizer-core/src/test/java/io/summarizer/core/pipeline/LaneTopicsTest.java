package io.summarizer.core.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneTopicsTest {
    private static final LaneTopics LANES =
            new LaneTopics(List.of(List.of(), List.of("a.#", "c"), List.of("b", "#.z")));

    @Test
    void shouldSayAsAPipelineDoesWhichLaneAMessageTakes() {
        MessageBatch batch = new MessageBatch(1024);
        for (String topic : List.of("a", "a.z", "b.z", "b", "c", "d", "x")) {
            SumPlan.add(batch, topic, 1, 1);
        }
        batch.clearSlices(6);
        batch.reject(6, RejectReason.FRAME);
        LaneTopics.Router router = LANES.newRouter();
        int[] lanes = new int[batch.count()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = router.lane(batch, i);
        }
        assertThat(lanes).containsExactly(1, 1, 2, 2, 1, 0, 0);
    }

    @Test
    void shouldSurviveBeingText() {
        assertThat(LANES.text()).isEqualTo("\na.#\tc\nb\t#.z");
        assertThat(LaneTopics.parse(LANES.text())).isEqualTo(LANES);
        LaneTopics one = new LaneTopics(List.of(List.of()));
        assertThat(LaneTopics.parse(one.text())).isEqualTo(one);
        assertThatThrownBy(() -> new LaneTopics(List.of(List.of("a\tb")))).isInstanceOf(IllegalArgumentException.class);
    }
}
