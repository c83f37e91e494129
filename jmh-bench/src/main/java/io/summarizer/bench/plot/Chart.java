package io.summarizer.bench.plot;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** A chart of lines, marks and levels between two axes, drawn by XChart. Not thread-safe. */
public final class Chart {
    private static final int PALE = 110;
    private static final int MARK = 7;

    private final XYChart chart;
    private final Axis x;
    private final Axis y;

    /** A position between the axes. */
    public record Point(double x, double y) {}

    /** Makes a chart without data; {@code title} stands above it. */
    public Chart(String title, Axis x, Axis y) {
        this.x = x;
        this.y = y;
        chart = new XYChart(1, 1, ChartTheme.Matlab); // the figure sets the size later
        chart.setTitle(title);
        chart.setXAxisTitle(x.title());
        chart.setYAxisTitle(y.title());
        XYStyler styler = chart.getStyler();
        styler.setChartTitleFont(font(Font.BOLD));
        styler.setBaseFont(font(Font.PLAIN));
        styler.setAxisTitleFont(font(Font.PLAIN));
        styler.setAxisTickLabelsFont(font(Font.PLAIN));
        styler.setChartFontColor(Palette.TEXT);
        styler.setAxisTickLabelsColor(Palette.QUIET);
        styler.setAxisTickMarksColor(Palette.QUIET);
        styler.setChartBackgroundColor(Palette.BACKGROUND);
        styler.setPlotBackgroundColor(Palette.BACKGROUND);
        styler.setPlotBorderColor(Palette.QUIET);
        styler.setPlotGridLinesColor(Palette.GRID);
        styler.setPlotGridLinesStroke(new BasicStroke(1));
        styler.setPlotContentSize(1);
        styler.setXAxisTitleVisible(!x.title().isEmpty());
        styler.setYAxisTitleVisible(!y.title().isEmpty());
        styler.setLegendVisible(false);
        styler.setMarkerSize(MARK);
        styler.setXAxisTickMarkSpacingHint(x.tick());
        styler.setXAxisMin(x.min());
        styler.setXAxisMax(x.max());
        styler.setxAxisTickLabelsFormattingFunction(x.mark()::apply);
        styler.setYAxisTickMarkSpacingHint(y.tick());
        styler.setYAxisMin(y.min());
        styler.setYAxisMax(y.max());
        styler.setyAxisTickLabelsFormattingFunction(y.mark()::apply);
    }

    String title() {
        return chart.getTitle();
    }

    static Font font(int style) {
        return new Font(Font.SANS_SERIF, style, 12);
    }

    /** Adds a line with a mark at each point. Points whose y is NaN are left out. */
    public Chart line(Style style, List<Point> points) {
        return add(points, style.colour(), style.stroke(), style.mark());
    }

    /** Adds a line through many points, without marks. */
    public Chart curve(Style style, List<Point> points) {
        return add(points, style.colour(), style.stroke(), SeriesMarkers.NONE);
    }

    /** Adds single measurements as pale dots. */
    public Chart repeats(Style style, List<Point> points) {
        Color colour = style.colour();
        Color pale = new Color(colour.getRed(), colour.getGreen(), colour.getBlue(), PALE);
        return add(points, pale, new BasicStroke(0), SeriesMarkers.CIRCLE);
    }

    /** Marks without a line. */
    public Chart marks(Style style, List<Point> points) {
        return add(points, style.colour(), new BasicStroke(0), style.mark());
    }

    /** Adds a horizontal line across the chart. The x axis must be linear. */
    public Chart level(Style style, double value) {
        return curve(style, List.of(new Point(x.min(), value), new Point(x.max(), value)));
    }

    private Chart add(List<Point> points, Color colour, BasicStroke stroke, Marker mark) {
        List<Point> drawn =
                points.stream().filter(point -> !Double.isNaN(point.y())).toList();
        if (!drawn.isEmpty()) {
            XYSeries series = chart.addSeries(
                    "series " + chart.getSeriesMap().size(),
                    drawn.stream().mapToDouble(Point::x).map(x.place()).toArray(),
                    drawn.stream().mapToDouble(Point::y).map(y.place()).toArray());
            series.setLineColor(colour);
            series.setLineStyle(stroke);
            series.setMarkerColor(colour);
            series.setMarker(mark);
            if (stroke.getLineWidth() == 0) {
                series.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
            }
        }
        return this;
    }

    /** Draws the chart with its upper left corner at 0, 0. */
    void draw(Graphics2D graphics, int width, int height) {
        if (chart.getSeriesMap().isEmpty()) {
            chart.addSeries("nothing", new double[] {x.min()}, new double[] {y.min()}) // or XChart draws no axes
                    .setMarker(SeriesMarkers.NONE);
        }
        chart.paint(graphics, width, height);
    }
}
