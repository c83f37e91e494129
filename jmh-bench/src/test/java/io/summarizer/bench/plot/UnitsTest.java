package io.summarizer.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UnitsTest {
    @Test
    void writesThousandsAsKAndMillionsAsM() {
        assertThat(Units.si(0)).isEqualTo("0");
        assertThat(Units.si(0.25)).isEqualTo("0.25");
        assertThat(Units.si(950)).isEqualTo("950");
        assertThat(Units.si(999.9)).isEqualTo("1k");
        assertThat(Units.si(1_234)).isEqualTo("1.23k");
        assertThat(Units.si(350_000)).isEqualTo("350k");
        assertThat(Units.si(999_900)).isEqualTo("1M");
        assertThat(Units.si(1_250_000)).isEqualTo("1.25M");
        assertThat(Units.si(-0.5)).isEqualTo("-0.5");
        assertThat(Units.si(Double.NaN)).isEqualTo("–");
    }

    @Test
    void writesTimesWithTheUnitThatSuits() {
        assertThat(Units.micros(850)).isEqualTo("850 µs");
        assertThat(Units.micros(1_200)).isEqualTo("1.2 ms");
        assertThat(Units.micros(3_000_000)).isEqualTo("3 s");
    }

    @Test
    void writesSharesAsPercent() {
        assertThat(Units.percent(0.123)).isEqualTo("12 %");
        assertThat(Units.percent(0.034)).isEqualTo("3.4 %");
        assertThat(Units.percent(1)).isEqualTo("100 %");
    }
}
