package io.summarizer.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueueKindTest {
    @Test
    void shouldNameTheKindsOfEachStage() {
        assertThat(QueueKind.forSharing())
                .extracting(QueueKind::key)
                .containsExactly("abq", "lbq", "mpmc", "disruptor");
        assertThat(QueueKind.forSingleConsumers())
                .extracting(QueueKind::key)
                .containsExactly("abq", "lbq", "mpsc", "disruptor");
    }

    @Test
    void shouldLeaveAChoiceOfWaitsToThosePolledAndHaveThemBlockByDefault() {
        assertThat(QueueKind.ABQ.waits()).isEmpty();
        assertThat(QueueKind.LBQ.waits()).isEmpty();
        assertThat(QueueKind.MPMC.waits()).containsExactly(WaitPolicy.values()).startsWith(WaitPolicy.BLOCKING);
        assertThat(QueueKind.MPSC.waits()).isEqualTo(QueueKind.MPMC.waits());
        assertThat(QueueKind.DISRUPTOR.waits()).isEqualTo(QueueKind.MPMC.waits());
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseAStageThatItDoesNotServe(QueueKind kind) {
        if (!QueueKind.forSharing().contains(kind)) {
            assertThatThrownBy(() -> kind.shared(4, WaitPolicy.BLOCKING)).hasMessage(kind.key() + " has one consumer");
        }
        if (!QueueKind.forSingleConsumers().contains(kind)) {
            assertThatThrownBy(() -> kind.singleConsumer(4, WaitPolicy.BLOCKING))
                    .hasMessage(kind.key() + " is for several consumers");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MPMC", "DISRUPTOR"})
    void shouldRoundCapacitiesUpToAPowerOfTwoWhereTheKindNeedsIt(QueueKind kind) {
        assertThat(kind.shared(5, WaitPolicy.BLOCKING).capacity()).isEqualTo(8);
        assertThat(kind.shared(1, WaitPolicy.BLOCKING).capacity()).isEqualTo(2);
    }
}
