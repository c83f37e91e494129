package io.summarizer.bench.plot;

import java.util.ArrayList;
import java.util.List;

/** Lines, marks and levels between two axes. The same data give the same bytes. Not thread-safe. */
public final class Chart implements Panel {
    private static final double LEFT = 50;
    private static final double TITLED = 22;
    private static final double RIGHT = 14;
    private static final double TOP = 30;
    private static final double BOTTOM = 26;
    private static final double MARK = 4;
    private static final double REPEAT = 2.2;

    private final String title;
    private final Axis x;
    private final Axis y;
    private final List<Line> lines = new ArrayList<>();
    private final List<Line> repeats = new ArrayList<>();
    private final List<Level> levels = new ArrayList<>();
    private String note = "";

    /** A place between the axes. */
    public record Point(double x, double y) {}

    private record Line(Style style, boolean marked, List<Point> points) {}

    private record Level(double y, Style style) {}

    /** A chart without data; {@code title} is the strip above it. */
    public Chart(String title, Axis x, Axis y) {
        this.title = title;
        this.x = x;
        this.y = y;
    }

    /** A line with a mark at each point; points beyond the axes are drawn at their ends, those without a y are left out. */
    public Chart line(Style style, List<Point> points) {
        return line(style, true, points);
    }

    /** A line through many points, without marks. */
    public Chart curve(Style style, List<Point> points) {
        return line(style, false, points);
    }

    private Chart line(Style style, boolean marked, List<Point> points) {
        List<Point> drawn = points.stream().filter(p -> !Double.isNaN(p.y())).toList();
        if (!drawn.isEmpty()) {
            lines.add(new Line(style, marked, drawn));
        }
        return this;
    }

    /** Single measurements, small and pale. */
    public Chart repeats(Style style, List<Point> points) {
        repeats.add(new Line(style, true, List.copyOf(points)));
        return this;
    }

    /** A level across the chart. */
    public Chart level(Style style, double value) {
        levels.add(new Level(value, style));
        return this;
    }

    /** A few words within an otherwise empty chart. */
    public Chart note(String words) {
        note = words;
        return this;
    }

    @Override
    public void draw(Svg svg, double width, double height) {
        double left = LEFT + (y.title().isEmpty() ? 0 : TITLED);
        double right = width - RIGHT;
        double top = TOP;
        double bottom = height - BOTTOM - (x.title().isEmpty() ? 0 : TITLED);
        Frame frame = new Frame(left, right, top, bottom);
        svg.element("rect", "class", "strip", "x", left, "y", 2.0, "width", right - left, "height", 20.0);
        double size = Svg.fitting(title, right - left);
        svg.text((left + right) / 2, 16, "middle", "ink", title, "font-weight", "600", "font-size", size);
        grid(svg, frame);
        if (!x.title().isEmpty()) {
            svg.text((left + right) / 2, height - 6, "middle", "muted", x.title());
        }
        if (!y.title().isEmpty()) {
            svg.text(
                    0,
                    0,
                    "middle",
                    "muted",
                    y.title(),
                    "transform",
                    "translate(14 " + Svg.number((top + bottom) / 2) + ") rotate(-90)");
        }
        if (!note.isEmpty()) {
            svg.text((left + right) / 2, (top + bottom) / 2, "middle", "muted", note);
        }
        for (Level level : levels) {
            String path = "M" + Svg.number(left) + " " + Svg.number(frame.y(level.y())) + " H" + Svg.number(right);
            stroked(svg, "path", level.style(), "d", path);
        }
        for (Line repeat : repeats) {
            svg.open("g", "opacity", "0.55", "stroke", "none");
            for (Point point : repeat.points()) {
                svg.element(
                        "circle",
                        "class",
                        repeat.style().fill(),
                        "cx",
                        frame.x(point.x()),
                        "cy",
                        frame.y(point.y()),
                        "r",
                        REPEAT);
            }
            svg.close("g");
        }
        for (Line line : lines) {
            draw(svg, frame, line);
        }
    }

    private static void draw(Svg svg, Frame frame, Line line) {
        if (line.points().size() > 1) {
            StringBuilder points = new StringBuilder();
            for (Point point : line.points()) {
                points.append(Svg.number(frame.x(point.x())))
                        .append(',')
                        .append(Svg.number(frame.y(point.y())))
                        .append(' ');
            }
            stroked(svg, "polyline", line.style(), "points", points.toString().strip());
        }
        if (line.marked()) {
            svg.open("g", "stroke-width", 1.0);
            for (Point point : line.points()) {
                line.style().mark(svg, frame.x(point.x()), frame.y(point.y()), MARK);
            }
            svg.close("g");
        }
    }

    private static void stroked(Svg svg, String element, Style style, String shape, String value) {
        String dashes = style.dashes();
        if (dashes.isEmpty()) {
            svg.element(
                    element,
                    "class",
                    style.stroke(),
                    "fill",
                    "none",
                    "stroke-width",
                    1.8,
                    "stroke-linejoin",
                    "round",
                    shape,
                    value);
        } else {
            svg.element(
                    element,
                    "class",
                    style.stroke(),
                    "fill",
                    "none",
                    "stroke-width",
                    1.8,
                    "stroke-dasharray",
                    dashes,
                    shape,
                    value);
        }
    }

    private void grid(Svg svg, Frame frame) {
        svg.open("g", "stroke-width", 1.0);
        for (Axis.Mark mark : x.marks()) {
            double at = frame.x(mark.value());
            svg.element(
                    "path",
                    "class",
                    "grid",
                    "opacity",
                    mark.text().isEmpty() ? "0.4" : "1",
                    "d",
                    "M" + Svg.number(at) + " " + Svg.number(frame.top) + " V" + Svg.number(frame.bottom));
        }
        for (Axis.Mark mark : y.marks()) {
            double at = frame.y(mark.value());
            svg.element(
                    "path",
                    "class",
                    "grid",
                    "opacity",
                    mark.text().isEmpty() ? "0.4" : "1",
                    "d",
                    "M" + Svg.number(frame.left) + " " + Svg.number(at) + " H" + Svg.number(frame.right));
        }
        svg.element(
                "path",
                "class",
                "axis",
                "fill",
                "none",
                "d",
                "M" + Svg.number(frame.left) + " " + Svg.number(frame.top) + " V" + Svg.number(frame.bottom) + " H"
                        + Svg.number(frame.right));
        svg.close("g");
        double size = Svg.TEXT;
        for (Axis.Mark mark : x.marks()) {
            size = Math.min(size, Svg.fitting(mark.text(), (frame.right - frame.left) / x.named()));
        }
        for (Axis.Mark mark : x.marks()) {
            svg.text(frame.x(mark.value()), frame.bottom + 16, "middle", "muted", mark.text(), "font-size", size);
        }
        for (Axis.Mark mark : y.marks()) {
            svg.text(frame.left - 6, frame.y(mark.value()) + 4, "end", "muted", mark.text());
        }
    }

    /** The rectangle between the axes, in pixels. */
    private final class Frame {
        final double left;
        final double right;
        final double top;
        final double bottom;

        Frame(double left, double right, double top, double bottom) {
            this.left = left;
            this.right = right;
            this.top = top;
            this.bottom = bottom;
        }

        double x(double value) {
            return left + x.share(value) * (right - left);
        }

        double y(double value) {
            return bottom - y.share(value) * (bottom - top);
        }
    }
}
