package io.summarizer.core.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LateUpdatesTest {
    @Test
    void numbersAddUpAndAreTheSameInBytes() throws IOException {
        LateUpdates one = new LateUpdates();
        one.add("Hourly", 7, 1);
        one.add("Hourly", 7, 2);
        one.add("Daily", -5, 4);
        LateUpdates copy = one.copy();
        LateUpdates other = LateUpdates.read(one.toBytes());
        assertThat(other.of("Hourly")).isEqualTo(Map.of(7L, 3L));
        assertThat(other.of("Daily")).isEqualTo(Map.of(-5L, 4L));
        assertThat(other.of("Monthly")).isEmpty();
        one.add("Hourly", 8, 1);
        assertThat(copy.of("Hourly")).isEqualTo(Map.of(7L, 3L));
    }

    @Test
    void theOldestWindowsBeyondTheBoundAreForgotten() {
        LateUpdates late = new LateUpdates();
        for (long window = LateUpdates.WINDOWS_MAX; window >= 0; window--) {
            late.add("Hourly", window, 1);
            late.add("Daily", 0, 1);
        }
        assertThat(late.of("Hourly"))
                .hasSize(LateUpdates.WINDOWS_MAX)
                .containsKey(1L)
                .doesNotContainKey(0L);
        assertThat(late.of("Daily")).isEqualTo(Map.of(0L, LateUpdates.WINDOWS_MAX + 1L));
    }

    @Test
    void oldWindowsAreForgotten() {
        LateUpdates late = new LateUpdates();
        late.add("Hourly", 7, 1);
        late.add("Hourly", 8, 2);
        late.forgetBefore("Daily", 100);
        late.forgetBefore("Hourly", 8);
        assertThat(late.of("Hourly")).isEqualTo(Map.of(8L, 2L));
    }

    @Test
    void damagedBytesAreRefused() throws IOException {
        LateUpdates late = new LateUpdates();
        late.add("Hourly", 7, 1);
        byte[] bytes = late.toBytes();
        assertThatThrownBy(() -> LateUpdates.read(Arrays.copyOf(bytes, bytes.length - 1)))
                .isInstanceOf(IOException.class);
        bytes[3] = 9;
        assertThatThrownBy(() -> LateUpdates.read(bytes)).hasMessageContaining("version=9, expected 1");
    }
}
