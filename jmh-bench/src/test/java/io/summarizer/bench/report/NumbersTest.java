package io.summarizer.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void theMedianLiesInTheMiddleAndLeavesOutWhatIsNotThere() {
        assertThat(Numbers.median(3, 1, 2)).isEqualTo(2);
        assertThat(Numbers.median(4, 1, 2, 3)).isEqualTo(2.5);
        assertThat(Numbers.median(Double.NaN, 7)).isEqualTo(7);
        assertThat(Numbers.median(Double.NaN)).isNaN();
    }

    @Test
    void ordersNumbersByValueAndVersionsByTheirParts() {
        assertThat(List.of("512", "64", "8").stream().sorted(Numbers.NATURAL)).containsExactly("8", "64", "512");
        assertThat(List.of("25.0.3", "17.0.19", "17.0.2").stream().sorted(Numbers.NATURAL))
                .containsExactly("17.0.2", "17.0.19", "25.0.3");
    }
}
