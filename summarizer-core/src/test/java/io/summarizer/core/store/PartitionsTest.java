package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PartitionsTest {
    @Test
    void theHighBitsOfAHashChooseThePartition() {
        for (int bits = 0; bits <= 15; bits++) {
            Partitions all = Partitions.of(1 << bits);
            assertThat(all.count()).isEqualTo(1 << bits);
            for (int partition = 0; partition < all.count(); partition++) {
                long first = bits == 0 ? 0 : (long) partition << (64 - bits);
                long last = bits == 0 ? -1 : first | (-1L >>> bits);
                assertThat(all.of(first)).isEqualTo(partition);
                assertThat(all.of(last)).isEqualTo(partition);
                assertThat(all.cellOf(3, last)).isEqualTo(3 * all.count() + partition);
            }
        }
    }

    @Test
    void aRangeHasTheSamePartitionsOfAHash() {
        Partitions range = Partitions.of(32).range(5, 9);
        assertThat(range.first()).isEqualTo(5);
        assertThat(range.end()).isEqualTo(9);
        assertThat(range.of(-1L)).isEqualTo(31);
        assertThat(range.range(0, 0).end()).isZero();
    }

    @Test
    void otherNumbersAndRangesAreRefused() {
        for (int count : new int[] {0, -1, 3, 1 << 16, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> Partitions.of(count)).isInstanceOf(IllegalArgumentException.class);
        }
        for (int[] range : new int[][] {{-1, 2}, {3, 2}, {0, 17}}) {
            assertThatThrownBy(() -> Partitions.ALL.range(range[0], range[1]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
