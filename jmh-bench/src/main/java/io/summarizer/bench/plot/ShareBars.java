package io.summarizer.bench.plot;

import io.summarizer.bench.sweep.Row.Fill;
import java.util.ArrayList;
import java.util.List;

/**
 * How large a share of a run queues were full and empty: a row for each setting, a bar for each stage. What lies between full
 * and empty has the colour of the ground, since it has little to tell. Not thread-safe.
 */
final class ShareBars implements Panel {
    /** Series that gives the colour of full. */
    static final Style FULL = Style.of(1);

    /** Series that gives the colour of empty. */
    static final Style EMPTY = Style.of(0);

    private static final double ROW = 25;
    private static final double BAR = 17;
    private static final double TOP = 28;
    private static final double BOTTOM = 22;
    private static final double GAP = 34;
    private static final double TEXT_ROOM = 36;

    private final double nameWidth;
    private final List<Row> rows = new ArrayList<>();

    private record Row(String name, Fill parse, Fill owner) {}

    /** Rows whose names are at most {@code nameWidth} pixels wide. */
    ShareBars(double nameWidth) {
        this.nameWidth = nameWidth;
    }

    /** The next row from above. */
    void row(String name, Fill parse, Fill owner) {
        rows.add(new Row(name, parse, owner));
    }

    /** Pixels that so many rows take. */
    static double height(int rows) {
        return TOP + rows * ROW + BOTTOM;
    }

    @Override
    public void draw(Svg svg, double width, double height) {
        double bars = (width - nameWidth - 2 * GAP) / 2;
        for (int i = 0; i < rows.size(); i++) {
            String name = rows.get(i).name();
            svg.text(nameWidth, TOP + i * ROW + 13, "end", "ink", name, "font-size", Svg.fitting(name, nameWidth));
        }
        column(svg, "parse queue", nameWidth + 10, bars, true);
        column(svg, "owner queues", nameWidth + 10 + bars + GAP, bars, false);
    }

    private void column(Svg svg, String title, double left, double width, boolean parse) {
        svg.element("rect", "class", "strip", "x", left, "y", 0.0, "width", width, "height", 20.0);
        svg.text(left + width / 2, 14, "middle", "ink", title, "font-weight", "600");
        for (int i = 0; i < rows.size(); i++) {
            Fill fill = parse ? rows.get(i).parse() : rows.get(i).owner();
            bar(svg, fill, left, TOP + i * ROW, width);
        }
        for (int quarter = 0; quarter <= 4; quarter++) {
            double x = left + quarter / 4.0 * width;
            String anchor = quarter == 0 ? "start" : quarter == 4 ? "end" : "middle";
            svg.text(x, TOP + rows.size() * ROW + 12, anchor, "muted", quarter * 25 + " %");
        }
    }

    private static void bar(Svg svg, Fill fill, double left, double top, double width) {
        if (Double.isNaN(fill.full()) || Double.isNaN(fill.empty())) {
            svg.text(left + 4, top + 13, "start", "muted", "not measured");
            return;
        }
        svg.element("rect", "class", "strip", "x", left, "y", top, "width", width, "height", BAR);
        double full = fill.full() * width;
        double empty = fill.empty() * width;
        part(svg, FULL, fill.full(), left, full, top);
        part(svg, EMPTY, fill.empty(), left + width - empty, empty, top);
    }

    private static void part(Svg svg, Style style, double share, double left, double width, double top) {
        if (width >= 0.5) {
            svg.element("rect", "class", style.fill(), "x", left, "y", top, "width", width, "height", BAR);
        }
        if (width > TEXT_ROOM) {
            svg.text(left + width / 2, top + 12.5, "middle", "on", Units.percent(share), "font-size", 11);
        }
    }
}
