package io.summarizer.bench.plot;

import java.util.List;

/**
 * Colours for light and dark surroundings, as style sheets. Those of series come from Okabe and Ito's palette, which people
 * with any kind of colour vision tell apart, darkened or lightened until each is 3:1 against its background (WCAG 2.1, 1.4.11);
 * text is 4.5:1. Every series has a mark of its own shape besides.
 */
final class Palette {
    static final String LIGHT_BACKGROUND = "#ffffff";
    static final String DARK_BACKGROUND = "#15181e";
    static final List<String> LIGHT_TEXT = List.of("#1d2430", "#4b5563");
    static final List<String> DARK_TEXT = List.of("#e8eaee", "#a9b1bd");
    static final List<String> LIGHT = List.of(
            "#0072b2", "#c44e00", "#007f5f", "#a8437d", "#7a5c00", "#333a45", "#5b4fc7", "#b3261e", "#2b7a86",
            "#6b7280");
    static final List<String> DARK = List.of(
            "#56b4e9", "#f2915c", "#34c79d", "#e39ac4", "#e6b85c", "#d5d9e0", "#a79df5", "#f28b82", "#6fc6d3",
            "#9ca3af");

    private Palette() {}

    /** Number of colours; a series beyond them starts again with the first. */
    static int size() {
        return LIGHT.size();
    }

    /**
     * The style sheet of pictures: {@code ink} and {@code muted} text, {@code grid} lines, strokes {@code s0..}, fills
     * {@code f0..}.
     */
    static String css() {
        return sheet(LIGHT_BACKGROUND, LIGHT_TEXT, "#dfe3e8", "#f3f5f7", LIGHT)
                + "@media (prefers-color-scheme: dark) {\n"
                + sheet(DARK_BACKGROUND, DARK_TEXT, "#333a45", "#1e232b", DARK)
                + "}\n";
    }

    private static String sheet(String background, List<String> text, String grid, String strip, List<String> series) {
        StringBuilder css = new StringBuilder()
                .append(rule(".back", "fill", background))
                .append(rule(".ink", "fill", text.get(0)))
                .append(rule(".muted", "fill", text.get(1)))
                .append(rule(".strip", "fill", strip))
                .append(rule(".halo", "stroke", background))
                .append(rule(".on", "fill", background))
                .append(rule(".grid", "stroke", grid))
                .append(rule(".axis", "stroke", text.get(1)));
        for (int i = 0; i < series.size(); i++) {
            css.append(rule(".s" + i, "stroke", series.get(i))).append(rule(".f" + i, "fill", series.get(i)));
        }
        return css.toString();
    }

    private static String rule(String selector, String property, String value) {
        return selector + "{" + property + ":" + value + "}\n";
    }
}
