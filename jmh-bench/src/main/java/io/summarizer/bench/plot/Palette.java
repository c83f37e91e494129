package io.summarizer.bench.plot;

import java.awt.Color;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Colours for light and dark backgrounds. The colours of series come from Okabe and Ito's palette, which people with
 * any kind of colour vision can distinguish. Each colour is darkened or lightened to a contrast of 3:1 with its
 * background (WCAG 2.1, 1.4.11). Text has a contrast of 4.5:1. Each series also has its own shape of marks.
 */
final class Palette {
    /** Colours for light backgrounds: background, text, muted text, grid lines, then the series. */
    static final List<String> LIGHT = List.of(
            "#ffffff", "#1d2430", "#4b5563", "#dfe3e8", "#0072b2", "#c44e00", "#007f5f", "#a8437d", "#7a5c00",
            "#333a45", "#5b4fc7", "#b3261e", "#2b7a86", "#6b7280");
    /** Colours for dark backgrounds, in the same order. */
    static final List<String> DARK = List.of(
            "#15181e", "#e8eaee", "#a9b1bd", "#333a45", "#56b4e9", "#f2915c", "#34c79d", "#e39ac4", "#e6b85c",
            "#d5d9e0", "#a79df5", "#f28b82", "#6fc6d3", "#9ca3af");
    /** Index of the first series' colour. */
    static final int SERIES = 4;

    static final Color BACKGROUND = Color.decode(LIGHT.get(0));
    static final Color TEXT = Color.decode(LIGHT.get(1));
    static final Color QUIET = Color.decode(LIGHT.get(2));
    static final Color GRID = Color.decode(LIGHT.get(3));

    private Palette() {}

    /** Returns the colour of a series. The first colour follows the last. */
    static Color series(int number) {
        return Color.decode(LIGHT.get(SERIES + number % (LIGHT.size() - SERIES)));
    }

    /**
     * Returns a style sheet with a variable {@code --c0}, {@code --c1} and so on for each colour, in its light or dark
     * form as the reader's system prefers.
     */
    static String css() {
        return ":root{" + variables(LIGHT) + "}\n@media (prefers-color-scheme: dark){:root{" + variables(DARK) + "}}\n";
    }

    private static String variables(List<String> colours) {
        return IntStream.range(0, colours.size())
                .mapToObj(i -> "--c" + i + ":" + colours.get(i))
                .collect(Collectors.joining(";"));
    }

    /** Replaces the light colours of a picture with variables. */
    static String variable(String svg) {
        String result = svg.replace(":white;", ":var(--c0);"); // Batik writes only this colour by its name
        for (int i = 0; i < LIGHT.size(); i++) {
            Color colour = Color.decode(LIGHT.get(i));
            String drawn =
                    String.format(Locale.ROOT, "rgb(%d,%d,%d)", colour.getRed(), colour.getGreen(), colour.getBlue());
            result = result.replace(drawn, "var(--c" + i + ")");
        }
        return result;
    }
}
