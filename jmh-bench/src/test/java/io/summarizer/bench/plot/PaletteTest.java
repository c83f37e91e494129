package io.summarizer.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PaletteTest {
    /** Relative luminance of WCAG 2.1. */
    private static double luminance(String colour) {
        double luminance = 0;
        double[] weights = {0.2126, 0.7152, 0.0722};
        for (int i = 0; i < 3; i++) {
            double part = Integer.parseInt(colour.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            luminance += weights[i] * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
        }
        return luminance;
    }

    private static double contrast(String a, String b) {
        double lighter = Math.max(luminance(a), luminance(b));
        double darker = Math.min(luminance(a), luminance(b));
        return (lighter + 0.05) / (darker + 0.05);
    }

    @Test
    void everySeriesStandsOutFromItsBackground() {
        assertThat(Palette.LIGHT).hasSameSizeAs(Palette.DARK);
        for (List<String> palette : List.of(Palette.LIGHT, Palette.DARK)) {
            assertThat(palette.subList(Palette.SERIES, palette.size()))
                    .allSatisfy(colour -> assertThat(contrast(colour, palette.get(0)))
                            .as(colour)
                            .isGreaterThan(3));
        }
    }

    @Test
    void textCanBeReadOnItsBackground() {
        for (List<String> palette : List.of(Palette.LIGHT, Palette.DARK)) {
            assertThat(palette.subList(1, 3))
                    .allSatisfy(colour ->
                            assertThat(contrast(colour, palette.get(0))).isGreaterThan(4.5));
        }
    }

    @Test
    void aPictureHasVariablesInPlaceOfAllColoursThatItWasDrawnWith() {
        String svg = new Figure("", 1, 300, 200)
                .entry("one", Style.of(1))
                .add(new Chart("", Axis.fromZero("", 1, Units::si), Axis.fromZero("", 1, Units::si))
                        .line(Style.of(1), List.of(new Chart.Point(0, 0), new Chart.Point(1, 1))))
                .svg();
        assertThat(svg).contains("var(--c5)").doesNotContain("rgb(", ":white").contains("--c5:" + Palette.DARK.get(5));
    }
}
