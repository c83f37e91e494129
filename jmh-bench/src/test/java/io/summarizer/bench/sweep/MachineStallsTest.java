package io.summarizer.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineStallsTest {
    @Test
    void shouldTakeAWindowForSlowWhenAnyProcessorIs() {
        MachineStalls stalls = MachineStalls.of(List.of(
                new long[] {10, 10, 6, 10, 10, 10, 10, 10, 10, 0}, new long[] {20, 20, 20, 5, 20, 20, 20, 20, 20, 20}));
        assertThat(stalls).isEqualTo(new MachineStalls(0.1, 0.3, 20));
        assertThat(stalls)
                .hasToString("the machine: without a server, a processor was slow for 30.0 % of 0 s, for up to"
                        + " 20 ms at once");
    }

    @Test
    void shouldMeasure() throws Exception {
        MachineStalls stalls = MachineStalls.measure(0.2);
        assertThat(stalls.seconds()).isEqualTo(0.2);
        assertThat(stalls.share()).isBetween(0.0, 1.0);
    }
}
