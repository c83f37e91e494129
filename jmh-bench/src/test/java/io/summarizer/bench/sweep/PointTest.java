package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PointTest {
    @Test
    void itsIdIsTheSameInEveryProcessAndAnotherForEveryFactor() {
        Point point = Points.space().base();
        assertThat(point.id())
                .isEqualTo("ced2bb8c")
                .isEqualTo(Points.space().base().id());
        for (Factor factor : Factor.values()) {
            if (factor != Factor.PARSE_WAIT && factor != Factor.OWNER_WAIT) {
                assertThat(Points.with(factor, "7").id()).as(factor.column()).isNotEqualTo(point.id());
            }
        }
    }

    @Test
    void aQueueThatBlocksByItselfHasNoWait() {
        Point blocks = Points.with(Factor.PARSE_WAIT, "yielding");
        assertThat(blocks).isEqualTo(Points.space().base());
        assertThat(blocks.settings()).noneMatch(setting -> setting.contains(".wait="));
        Point polls = Points.space().with(Map.of(Factor.OWNER_QUEUE, "mpsc", Factor.OWNER_WAIT, "yielding"));
        assertThat(polls.settings()).contains("pipeline.summarize.queue=mpsc", "pipeline.summarize.wait=yielding");
    }

    @Test
    void modesWithoutQueuesHaveNoneHoweverTheyAreSet() {
        Point locked = Points.with(Factor.MODE, "locked");
        assertThat(Points.space().with(Map.of(Factor.MODE, "locked", Factor.PARSE_QUEUE, "abq")))
                .isEqualTo(locked);
        assertThat(locked.value(Factor.PARSE_QUEUE)).isEmpty();
        assertThat(locked.settings())
                .containsExactly(
                        "pipeline.mode=locked",
                        "pipeline.netty-workers=1",
                        "pipeline.batch.messages=0",
                        "pipeline.batch.linger=2ms");
    }

    @Test
    void aLingerIsWrittenAsADuration() {
        assertThat(Points.with(Factor.LINGER_US, "5000").settings()).contains("pipeline.batch.linger=5ms");
        assertThat(Points.with(Factor.LINGER_US, "500").settings()).contains("pipeline.batch.linger=500us");
    }
}
