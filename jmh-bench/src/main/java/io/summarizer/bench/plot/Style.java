package io.summarizer.bench.plot;

/**
 * How a series looks: a colour of the palette, a shape of its marks and how lines are dashed.
 *
 * @param number of the series; colour and shape follow from it
 * @param dashes lengths of dashes and gaps; empty for a continuous line
 */
public record Style(int number, String dashes) {
    private static final int SHAPES = 6;

    /** A continuous line. */
    public static Style of(int number) {
        return new Style(number, "");
    }

    /** A dashed line. */
    public static Style dashed(int number) {
        return new Style(number, "6 4");
    }

    /** A line of dots. */
    public static Style dotted(int number) {
        return new Style(number, "2 3");
    }

    String stroke() {
        return "s" + number % Palette.size();
    }

    String fill() {
        return "f" + number % Palette.size();
    }

    /** A mark of {@code radius} around a place. */
    void mark(Svg svg, double x, double y, double radius) {
        String path = switch (number % SHAPES) {
            case 0 -> ellipse(x, y, radius);
            case 1 -> polygon(x, y, radius * 0.9, -1, -1, 1, -1, 1, 1, -1, 1);
            case 2 -> polygon(x, y, radius * 1.15, 0, -1, 1, 0.8, -1, 0.8);
            case 3 -> polygon(x, y, radius * 1.25, 0, -1, 1, 0, 0, 1, -1, 0);
            case 4 -> polygon(x, y, radius * 1.15, 0, 1, 1, -0.8, -1, -0.8);
            default ->
                polygon(
                        x,
                        y,
                        radius * 1.1,
                        -0.35,
                        -1,
                        0.35,
                        -1,
                        0.35,
                        -0.35,
                        1,
                        -0.35,
                        1,
                        0.35,
                        0.35,
                        0.35,
                        0.35,
                        1,
                        -0.35,
                        1,
                        -0.35,
                        0.35,
                        -1,
                        0.35,
                        -1,
                        -0.35,
                        -0.35,
                        -0.35);
        };
        svg.element("path", "class", fill() + " halo", "d", path);
    }

    private static String ellipse(double x, double y, double r) {
        String radius = Svg.number(r);
        return "M" + Svg.number(x - r) + " " + Svg.number(y) + " a" + radius + " " + radius + " 0 1 0 "
                + Svg.number(2 * r) + " 0 a" + radius + " " + radius + " 0 1 0 " + Svg.number(-2 * r) + " 0 Z";
    }

    private static String polygon(double x, double y, double r, double... corners) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < corners.length; i += 2) {
            path.append(i == 0 ? "M" : "L")
                    .append(Svg.number(x + corners[i] * r))
                    .append(' ')
                    .append(Svg.number(y + corners[i + 1] * r));
        }
        return path.append('Z').toString();
    }
}
