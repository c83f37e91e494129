package io.summarizer.bench.plot;

import java.util.ArrayList;
import java.util.List;

/** Panels in rows under one title and one legend, as SVG. The same panels give the same bytes. Not thread-safe. */
public final class Figure {
    private static final double MARGIN = 12;
    private static final double TITLE = 30;
    private static final double LINE = 18;
    private static final double LEGEND = 26;
    private static final double AXIS = 24;
    private static final double LETTER = 6.7;
    private static final double KEY = 34;

    private final String title;
    private final int columns;
    private final double panelWidth;
    private final double panelHeight;
    private final List<Panel> panels = new ArrayList<>();
    private final List<Entry> legend = new ArrayList<>();
    private final List<String> subtitle = new ArrayList<>();
    private String legendTitle = "";
    private String xTitle = "";
    private String yTitle = "";

    private record Entry(String name, Style style, Look look) {}

    private enum Look {
        LINE,
        AREA
    }

    /** A figure without panels; sizes in pixels. */
    public Figure(String title, int columns, double panelWidth, double panelHeight) {
        this.title = title;
        this.columns = columns;
        this.panelWidth = panelWidth;
        this.panelHeight = panelHeight;
    }

    /** A line of small text below the title; long ones are broken. */
    public Figure subtitle(String line) {
        subtitle.add(line);
        return this;
    }

    /** Titles of axes that all panels share. */
    public Figure axes(String x, String y) {
        xTitle = x;
        yTitle = y;
        return this;
    }

    /** What the entries of the legend are. */
    public Figure legend(String heading) {
        legendTitle = heading;
        return this;
    }

    /** An entry of the legend: a line with its mark. */
    public Figure entry(String name, Style style) {
        legend.add(new Entry(name, style, Look.LINE));
        return this;
    }

    /** An entry of the legend: a filled square. */
    Figure area(String name, Style style) {
        legend.add(new Entry(name, style, Look.AREA));
        return this;
    }

    /** The next panel, in rows from left to right. */
    public Figure add(Chart chart) {
        panels.add(chart);
        return this;
    }

    Figure add(ShareBars bars) {
        panels.add(bars);
        return this;
    }

    /** Its title. */
    public String title() {
        return title;
    }

    /** A file of its own, with its colours. */
    public String svg() {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + draw(true);
    }

    /** An element for a page that has the colours. */
    String element() {
        return draw(false);
    }

    private String draw(boolean alone) {
        double left = MARGIN + (yTitle.isEmpty() ? 0 : AXIS);
        int used = Math.min(columns, Math.max(1, panels.size()));
        double width = Math.max(640, left + used * panelWidth + MARGIN);
        List<String> lines = new ArrayList<>();
        subtitle.forEach(line -> lines.addAll(broken(line, (width - 2 * MARGIN) / (LETTER * 0.95))));
        List<List<Entry>> keys = legendRows(width);
        double top = TITLE + lines.size() * LINE + keys.size() * LEGEND + 6;
        int rows = (panels.size() + columns - 1) / columns;
        double height = top + rows * panelHeight + (xTitle.isEmpty() ? 0 : AXIS) + 8;
        Svg svg = new Svg();
        svg.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "viewBox",
                "0 0 " + Svg.number(width) + " " + Svg.number(height),
                "width",
                width,
                "height",
                height,
                "role",
                "img",
                "aria-label",
                title,
                "font-family",
                "system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif",
                "font-size",
                12);
        if (alone) {
            svg.raw("<style>\n" + Palette.css() + "</style>\n");
            svg.element("rect", "class", "back", "width", "100%", "height", "100%");
        }
        svg.text(MARGIN, 21, "start", "ink", title, "font-size", 16, "font-weight", 600);
        double y = TITLE + 10;
        for (String line : lines) {
            svg.text(MARGIN, y, "start", "muted", line);
            y += LINE;
        }
        for (List<Entry> row : keys) {
            drawLegend(svg, row, y + 4, row == keys.get(0));
            y += LEGEND;
        }
        for (int i = 0; i < panels.size(); i++) {
            int row = i / columns;
            svg.open(
                    "svg",
                    "class",
                    "panel",
                    "x",
                    left + i % columns * panelWidth,
                    "y",
                    top + row * panelHeight,
                    "width",
                    panelWidth,
                    "height",
                    panelHeight);
            panels.get(i).draw(svg, panelWidth, panelHeight);
            svg.close("svg");
        }
        if (!xTitle.isEmpty()) {
            svg.text(left + used * panelWidth / 2, height - 12, "middle", "ink", xTitle);
        }
        if (!yTitle.isEmpty()) {
            svg.text(
                    0,
                    0,
                    "middle",
                    "ink",
                    yTitle,
                    "transform",
                    "translate(" + Svg.number(MARGIN + 8) + " " + Svg.number(top + rows * panelHeight / 2)
                            + ") rotate(-90)");
        }
        return svg.close("svg").toString();
    }

    private List<List<Entry>> legendRows(double width) {
        List<List<Entry>> rows = new ArrayList<>();
        double start = MARGIN + (legendTitle.isEmpty() ? 0 : wide(legendTitle) + 12);
        double x = start;
        for (Entry entry : legend) {
            double next = x + KEY + wide(entry.name()) + 18;
            if (rows.isEmpty() || next > width) {
                rows.add(new ArrayList<>());
                next = next - x + start;
            }
            rows.get(rows.size() - 1).add(entry);
            x = next;
        }
        return rows;
    }

    private void drawLegend(Svg svg, List<Entry> row, double y, boolean first) {
        double x = MARGIN;
        if (!legendTitle.isEmpty()) {
            if (first) {
                svg.text(x, y + 4, "start", "muted", legendTitle);
            }
            x += wide(legendTitle) + 12;
        }
        for (Entry entry : row) {
            if (entry.look() == Look.AREA) {
                svg.element(
                        "rect", "class", entry.style().fill(), "x", x + 10, "y", y - 7, "width", 14.0, "height", 14.0);
            } else {
                String line = "M" + Svg.number(x) + " " + Svg.number(y) + " h28";
                if (!entry.style().dashes().isEmpty()) {
                    svg.element(
                            "path",
                            "class",
                            entry.style().stroke(),
                            "fill",
                            "none",
                            "stroke-width",
                            1.8,
                            "stroke-dasharray",
                            entry.style().dashes(),
                            "d",
                            line);
                } else {
                    svg.element(
                            "path", "class", entry.style().stroke(), "fill", "none", "stroke-width", 1.8, "d", line);
                    entry.style().mark(svg, x + 14, y, 4);
                }
            }
            svg.text(x + KEY, y + 4, "start", "ink", entry.name());
            x += KEY + wide(entry.name()) + 18;
        }
    }

    private static double wide(String text) {
        return text.length() * LETTER;
    }

    private static List<String> broken(String text, double letters) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > letters) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
