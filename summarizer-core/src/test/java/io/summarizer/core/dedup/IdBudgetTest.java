package io.summarizer.core.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdBudgetTest {
    @Test
    void shouldGiveEveryPartitionItsShareAndTheRestToWhoAsks() {
        IdBudget budget = new IdBudget(64, 16, false);
        int hot = 0;
        while (budget.take(hot)) {
            hot++;
        }
        assertThat(hot).isEqualTo(2 + 32);
        int all = hot;
        for (int partition = 1; partition < 16; partition++) {
            int held = 0;
            while (budget.take(held)) {
                held++;
            }
            assertThat(held).isEqualTo(2);
            all += held;
        }
        assertThat(all).isEqualTo(64);
    }

    @Test
    void shouldLeaveNoPartitionWithoutAChunk() {
        IdBudget budget = new IdBudget(1, 16, false);
        assertThat(budget.take(0)).isTrue();
        assertThat(budget.take(1)).isFalse();
        assertThat(budget.take(0)).isTrue();
    }

    @Test
    void shouldGiveNoSharedChunkBeforeAllPartitionsHaveMoved() {
        IdBudget budget = new IdBudget(16, 2, true); // each partition has 4 chunks, and all share 8
        budget.adopt(7);
        assertThat(budget.take(3)).isTrue();
        assertThat(budget.take(7)).isFalse();
        budget.adopt(5);
        int taken = 0;
        while (budget.take(7 + taken)) {
            taken++;
        }
        assertThat(taken).isEqualTo(8 - 3 - 1);
        IdBudget tooSmall = new IdBudget(16, 2, true);
        tooSmall.adopt(20);
        tooSmall.adopt(0);
        assertThat(tooSmall.take(20)).isFalse();
        assertThat(tooSmall.take(0)).isTrue();
    }
}
