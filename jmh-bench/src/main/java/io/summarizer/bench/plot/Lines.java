package io.summarizer.bench.plot;

import io.summarizer.bench.plot.Chart.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Charts of the figures of sections, with a line for each contender. Not thread-safe. */
public final class Lines {
    private final Function<String, Style> styles;
    private final Map<String, Double> figures = new LinkedHashMap<>();

    /** Makes charts without figures; {@code styles} maps a contender to the style of its line. */
    public Lines(Function<String, Style> styles) {
        this.styles = styles;
    }

    /**
     * Reads figures from rows of {@link io.summarizer.bench.report.SectionProcess#HEADER}. Of several rows for one
     * figure, the last one counts.
     *
     * @param before number of columns before these
     */
    public void read(List<String> rows, int before) {
        for (String row : rows) {
            String[] columns = row.split(",");
            if (!columns[before + 2].equals("value")) {
                figures.put(columns[before] + "," + columns[before + 1], Double.parseDouble(columns[before + 2]));
            }
        }
    }

    /**
     * Makes a chart of the figures whose {@code section,name} matches {@code pattern}. Group 1 of the pattern is the
     * contender, and each contender has a line. Group 2 is the size, which is the x axis.
     *
     * @param scale factor from a figure to its y
     * @param yMin least y of a logarithmic axis; 0: the axis is linear from 0
     */
    public Chart chart(String title, String xLabel, String yLabel, String pattern, double scale, double yMin) {
        Map<String, List<Point>> lines = new LinkedHashMap<>();
        double xMin = Double.MAX_VALUE;
        double xMax = 1;
        double yMax = 0;
        for (Map.Entry<String, Double> figure : figures.entrySet()) {
            Matcher matcher = Pattern.compile(pattern).matcher(figure.getKey());
            if (matcher.matches()) {
                double x = Double.parseDouble(matcher.group(2));
                double y = figure.getValue() * scale;
                lines.computeIfAbsent(matcher.group(1), name -> new ArrayList<>())
                        .add(new Point(x, y < yMin ? Double.NaN : y));
                xMin = Math.min(xMin, x);
                xMax = Math.max(xMax, x);
                yMax = Math.max(yMax, y);
            }
        }
        Chart chart = new Chart(
                title,
                Axis.logarithmic(xLabel, Math.min(xMin, xMax), xMax, Units::si),
                yMin > 0
                        ? Axis.logarithmic(yLabel, yMin, Math.max(yMin, yMax), Units::si)
                        : Axis.fromZero(yLabel, yMax, Units::si));
        lines.forEach((name, points) -> chart.line(styles.apply(name), points));
        return chart;
    }
}
