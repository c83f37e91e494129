package io.summarizer.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AxisTest {
    private static List<String> marks(Axis axis, double... places) {
        return Arrays.stream(places)
                .mapToObj(place -> axis.mark().apply(place).replaceAll("[ \\u00a0\\u2009]+$", ""))
                .toList();
    }

    @Test
    void namesPowersOfTenOverAWideRangeAndNothingBetween() {
        Axis axis = Axis.logarithmic("", 500, 2e6, Units::micros);
        assertThat(axis.place().applyAsDouble(10_000)).isCloseTo(4, within(1e-9));
        assertThat(axis.min()).isCloseTo(Math.log10(500), within(1e-9));
        assertThat(marks(axis, 3, 3.5, 4, 6)).containsExactly("1 ms", "", "10 ms", "1 s");
    }

    @Test
    void doublesOverANarrowRange() {
        Axis axis = Axis.logarithmic("", 500, 16_000, Units::si);
        assertThat(axis.place().applyAsDouble(2_000)).isCloseTo(2, within(1e-9));
        assertThat(marks(axis, 0, 0.5, 1, 5)).containsExactly("500", "", "1k", "16k");
    }

    @Test
    void aSingleValueLiesInTheMiddle() {
        Axis axis = Axis.logarithmic("", 4, 4, Units::si);
        assertThat(axis.max()).isPositive().isEqualTo(-axis.min());
        assertThat(axis.place().applyAsDouble(4)).isZero();
    }

    @Test
    void placesHaveTheirNamesAndAllElseATextOfItsOwn() {
        Axis axis = Axis.of("", List.of("abq", "lbq"));
        assertThat(marks(axis, -0.5, 0, 0.5, 1, 2)).containsExactly("", "abq", "", "lbq", "");
        Set<String> blanks = new HashSet<>();
        for (double place = -0.5; place < 1.5; place += 0.25) {
            assertThat(blanks.add(axis.mark().apply(place))).as("at " + place).isTrue();
        }
    }
}
