package io.summarizer.core.queue;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DisruptorBatchQueueTest {
    @Nested
    class Blocking extends Contract {
        Blocking() {
            super(WaitPolicy.BLOCKING);
        }
    }

    @Nested
    class Sleeping extends Contract {
        Sleeping() {
            super(WaitPolicy.SLEEPING);
        }
    }

    @Nested
    class Yielding extends Contract {
        Yielding() {
            super(WaitPolicy.YIELDING);
        }
    }

    @Nested
    class BusySpin extends Contract {
        BusySpin() {
            super(WaitPolicy.BUSY_SPIN);
        }
    }

    @Test
    void shouldRoundItsCapacityUpToAPowerOfTwo() {
        assertThat(QueueKind.DISRUPTOR.singleConsumer(5, WaitPolicy.BLOCKING).capacity())
                .isEqualTo(8);
    }

    private abstract static class Contract extends BatchQueueContract {
        private final WaitPolicy wait;

        Contract(WaitPolicy wait) {
            this.wait = wait;
        }

        @Override
        BatchQueue<Integer> create(int capacity) {
            return QueueKind.DISRUPTOR.singleConsumer(capacity, wait);
        }

        @Override
        int maxConsumers() {
            return 1;
        }
    }
}
