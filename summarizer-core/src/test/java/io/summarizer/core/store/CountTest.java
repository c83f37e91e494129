package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.Bytes;
import org.junit.jupiter.api.Test;

class CountTest {
    @Test
    void shouldStayAtTheGreatestNumber() {
        byte[] row = new byte[Long.BYTES];
        Bytes.putLong(row, 0, Long.MAX_VALUE - 2);
        Cells.increment(row, 0);
        assertThat(Bytes.getLong(row, 0)).isEqualTo(Long.MAX_VALUE - 1);
        UpdateRun three = new UpdateRun();
        three.set(new byte[0], new int[3], 0, 3);
        Cells.increment(row, 0, three);
        assertThat(Bytes.getLong(row, 0)).isEqualTo(Long.MAX_VALUE);
        Cells.increment(row, 0);
        assertThat(Bytes.getLong(row, 0)).isEqualTo(Long.MAX_VALUE);
    }
}
