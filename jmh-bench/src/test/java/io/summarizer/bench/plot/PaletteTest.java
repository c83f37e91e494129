package io.summarizer.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(Palette.LIGHT)
                .hasSameSizeAs(Palette.DARK)
                .allSatisfy(colour -> assertThat(contrast(colour, Palette.LIGHT_BACKGROUND))
                        .as(colour)
                        .isGreaterThan(3));
        assertThat(Palette.DARK)
                .allSatisfy(colour -> assertThat(contrast(colour, Palette.DARK_BACKGROUND))
                        .as(colour)
                        .isGreaterThan(3));
    }

    @Test
    void textCanBeReadOnItsBackgroundAndOnBars() {
        assertThat(Palette.LIGHT_TEXT)
                .allSatisfy(colour ->
                        assertThat(contrast(colour, Palette.LIGHT_BACKGROUND)).isGreaterThan(4.5));
        assertThat(Palette.DARK_TEXT)
                .allSatisfy(colour ->
                        assertThat(contrast(colour, Palette.DARK_BACKGROUND)).isGreaterThan(4.5));
        for (Style bar : new Style[] {ShareBars.FULL, ShareBars.EMPTY}) {
            assertThat(contrast(Palette.LIGHT.get(bar.number()), Palette.LIGHT_BACKGROUND))
                    .isGreaterThan(4.5);
            assertThat(contrast(Palette.DARK.get(bar.number()), Palette.DARK_BACKGROUND))
                    .isGreaterThan(4.5);
        }
    }
}
