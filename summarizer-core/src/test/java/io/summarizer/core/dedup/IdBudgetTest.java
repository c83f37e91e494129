package io.summarizer.core.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdBudgetTest {
    @Test
    void shouldGiveEveryPartitionItsShareAndTheRestToWhoAsks() {
        IdBudget budget = new IdBudget(64, 16);
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
        IdBudget budget = new IdBudget(1, 16);
        assertThat(budget.take(0)).isTrue();
        assertThat(budget.take(1)).isFalse();
        assertThat(budget.take(0)).isTrue();
    }
}
