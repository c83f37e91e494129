package io.summarizer.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AxisTest {
    @Test
    void beginsAtZeroAndEndsAtALineOfItsGridAboveTheLargestValue() {
        Axis axis = Axis.fromZero("", 1_280_000, Units::si);
        assertThat(axis.marks()).extracting(Axis.Mark::text).containsExactly("0", "500k", "1M", "1.5M");
        assertThat(axis.share(0)).isZero();
        assertThat(axis.share(1_500_000)).isEqualTo(1);
        assertThat(axis.share(2_000_000)).isEqualTo(1);
    }

    @Test
    void hasALineAtPowersOfTenAndNamesThem() {
        Axis axis = Axis.decades("", 500, 20_000, Units::micros);
        assertThat(axis.marks())
                .extracting(Axis.Mark::text)
                .filteredOn(text -> !text.isEmpty())
                .containsExactly("1 ms", "10 ms");
        assertThat(axis.share(Math.sqrt(500.0 * 20_000))).isBetween(0.499, 0.501);
    }

    @Test
    void doublesOverANarrowRange() {
        assertThat(Axis.logarithmic("", 1, 4, Units::si).marks())
                .extracting(Axis.Mark::text)
                .containsExactly("1", "2", "4");
    }

    @Test
    void aSingleValueLiesInTheMiddle() {
        assertThat(Axis.logarithmic("", 4, 4, Units::si).share(4)).isEqualTo(0.5);
    }
}
