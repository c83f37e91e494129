package io.summarizer.bench.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Lines over a logarithmic x axis and a linear y axis, as SVG. The same lines give the same bytes. Not thread-safe.
 */
public final class LineChart {
    /** Size of the chart in pixels. */
    public static final int WIDTH = 860;

    public static final int HEIGHT = 400;

    private static final int LEFT = 64;
    private static final int RIGHT = 40;
    private static final int TOP = 72;
    private static final int BOTTOM = 52;
    private static final int LEGEND_STEP = 250;
    private static final int LEGEND_ROW = 5;
    private static final int LEGEND_ROW_HEIGHT = 18;
    private static final int NARROW = 50;

    private final String title;
    private final String xLabel;
    private final String yLabel;
    private final double xMin;
    private final double xMax;
    private final double yMin;
    private final double yMax;
    private final double yStep;
    private final List<Series> series = new ArrayList<>();

    /** A point of a line. */
    public record Point(double x, double y) {}

    private record Series(String name, String colour, boolean dashed, List<Point> points) {}

    /**
     * A chart without lines.
     *
     * @param xMin above 0
     * @param yStep distance of the lines of the grid
     */
    public LineChart(
            String title,
            String xLabel,
            String yLabel,
            double xMin,
            double xMax,
            double yMin,
            double yMax,
            double yStep) {
        this.title = title;
        this.xLabel = xLabel;
        this.yLabel = yLabel;
        this.xMin = xMin;
        this.xMax = xMax;
        this.yMin = yMin;
        this.yMax = yMax;
        this.yStep = yStep;
    }

    /** Adds a line; points beyond the axes are drawn at their ends. */
    public LineChart line(String name, String colour, boolean dashed, List<Point> points) {
        series.add(new Series(name, colour, dashed, List.copyOf(points)));
        return this;
    }

    /** All charts below each other, as one SVG document. */
    public static String svg(List<LineChart> charts) {
        StringBuilder svg = new StringBuilder();
        int height = HEIGHT * charts.size();
        svg.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\""
                        + " font-family=\"system-ui,sans-serif\" font-size=\"13\">%n",
                WIDTH,
                height,
                WIDTH,
                height));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        for (int i = 0; i < charts.size(); i++) {
            svg.append("<g transform=\"translate(0 ").append(i * HEIGHT).append(")\">\n");
            charts.get(i).draw(svg);
            svg.append("</g>\n");
        }
        return svg.append("</svg>\n").toString();
    }

    private void draw(StringBuilder svg) {
        text(svg, LEFT, 24, "start", "font-size=\"16\" font-weight=\"600\" fill=\"#1d2430\"", title);
        grid(svg);
        text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", "fill=\"#4b5563\"", xLabel);
        svg.append(String.format(
                Locale.ROOT, "<g transform=\"translate(18 %d) rotate(-90)\">", (TOP + HEIGHT - BOTTOM) / 2));
        text(svg, 0, 0, "middle", "fill=\"#4b5563\"", yLabel);
        svg.append("</g>\n");
        for (int i = 0; i < series.size(); i++) {
            Series line = series.get(i);
            StringBuilder points = new StringBuilder();
            for (Point point : line.points()) {
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(point.x()), y(point.y())));
            }
            String stroke = "fill=\"none\" stroke=\"" + line.colour() + "\" stroke-width=\"2\""
                    + (line.dashed() ? " stroke-dasharray=\"6 4\"" : "");
            svg.append("<polyline ")
                    .append(stroke)
                    .append(" points=\"")
                    .append(points.toString().strip())
                    .append("\"/>\n");
            boolean roomy = series.size() * LEGEND_STEP < WIDTH;
            int legend = LEFT + (roomy ? i * LEGEND_STEP : i % LEGEND_ROW * (WIDTH - LEFT) / LEGEND_ROW);
            int legendY = roomy ? 48 : 42 + i / LEGEND_ROW * LEGEND_ROW_HEIGHT;
            svg.append(String.format(Locale.ROOT, "<path %s d=\"M%d %d h28\"/>%n", stroke, legend, legendY));
            text(svg, legend + 36, legendY + 4, "start", "fill=\"#1d2430\"", line.name());
        }
    }

    private void grid(StringBuilder svg) {
        // Over a narrow range, tens would be too few.
        boolean doubling = xMax / xMin <= NARROW;
        for (double power = xMin; power <= xMax * 1.0001; power *= doubling ? 2 : 10) {
            for (int digit = 1; digit < (doubling ? 2 : 10) && power * digit <= xMax * 1.0001; digit++) {
                double x = x(power * digit);
                svg.append(String.format(
                        Locale.ROOT,
                        "<path stroke=\"%s\" d=\"M%.1f %d V%d\"/>%n",
                        digit == 1 ? "#d1d5db" : "#f0f1f3",
                        x,
                        TOP,
                        HEIGHT - BOTTOM));
                if (digit == 1) {
                    text(
                            svg,
                            x,
                            HEIGHT - BOTTOM + 18,
                            "middle",
                            "fill=\"#4b5563\"",
                            String.format(Locale.ROOT, "%,.0f", power));
                }
            }
        }
        int steps = (int) Math.round((yMax - yMin) / yStep);
        for (int i = 0; i <= steps; i++) {
            double value = yMin + i * yStep;
            svg.append(String.format(
                    Locale.ROOT, "<path stroke=\"#d1d5db\" d=\"M%d %.1f H%d\"/>%n", LEFT, y(value), WIDTH - RIGHT));
            text(
                    svg,
                    LEFT - 8,
                    y(value) + 4,
                    "end",
                    "fill=\"#4b5563\"",
                    String.format(Locale.ROOT, yStep < 0.1 ? "%.2f" : "%.1f", value + 0.0));
        }
    }

    private double x(double value) {
        double share = Math.log(Math.min(xMax, Math.max(xMin, value)) / xMin) / Math.log(xMax / xMin);
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    private double y(double value) {
        double share = (Math.min(yMax, Math.max(yMin, value)) - yMin) / (yMax - yMin);
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
    }

    private static void text(StringBuilder svg, double x, double y, String anchor, String style, String text) {
        svg.append(String.format(
                        Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>", x, y, anchor, style))
                .append(text.replace("&", "&amp;").replace("<", "&lt;"))
                .append("</text>\n");
    }
}
