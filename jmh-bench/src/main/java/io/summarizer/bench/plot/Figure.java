package io.summarizer.bench.plot;

import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.awt.Graphics2D;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGGraphics2DIOException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * A picture of charts in rows under one title and one legend, as SVG. On one machine, the same charts give the same
 * bytes. Not thread-safe.
 */
public final class Figure {
    private static final int MARGIN = 12;
    private static final int LINE = 18;
    private static final int AXIS = 20;
    private static final int KEY = 34;
    private static final double LETTER = 6.7;
    private static final int WIDTH_MIN = 640;

    private final String title;
    private final int columns;
    private final int chartWidth;
    private final int chartHeight;
    private final List<Chart> charts = new ArrayList<>();
    private final List<Entry> legend = new ArrayList<>();
    private String subtitle = "";
    private String xTitle = "";
    private String yTitle = "";

    private record Entry(String name, Style style) {}

    /** Makes a figure without charts. Sizes are in pixels. */
    public Figure(String title, int columns, int chartWidth, int chartHeight) {
        this.title = title;
        this.columns = columns;
        this.chartWidth = chartWidth;
        this.chartHeight = chartHeight;
    }

    /** Sets the small text below the title. Long text is wrapped. */
    public Figure subtitle(String text) {
        subtitle = text;
        return this;
    }

    /** Sets the titles of the axes for all charts. */
    public Figure axes(String x, String y) {
        xTitle = x;
        yTitle = y;
        return this;
    }

    /** Adds an entry to the legend: a line with its mark. */
    public Figure entry(String name, Style style) {
        legend.add(new Entry(name, style));
        return this;
    }

    /** Adds a chart. Charts fill rows from left to right. */
    public Figure add(Chart chart) {
        charts.add(chart);
        return this;
    }

    List<Chart> charts() {
        return charts;
    }

    /** Its title. */
    public String title() {
        return title;
    }

    /** Returns an SVG file. Its style sheet chooses light or dark colours as the reader's system prefers. */
    public String svg() {
        SVGGraphics2D graphics = new SVGGraphics2D(context(), false);
        int width = Math.max(WIDTH_MIN, left() + used() * chartWidth + MARGIN);
        return written(graphics, width, draw(graphics, width));
    }

    private static SVGGeneratorContext context() {
        try {
            Document document =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
            SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
            context.setPrecision(1); // a tenth of a pixel
            return context;
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("this JDK has no XML documents", e);
        }
    }

    private int left() {
        return MARGIN + (yTitle.isEmpty() ? 0 : AXIS);
    }

    private int used() {
        return Math.min(columns, Math.max(1, charts.size()));
    }

    /** Draws the figure, and returns its height. */
    private int draw(Graphics2D graphics, int width) {
        text(graphics, title, MARGIN, 24, Palette.TEXT, Chart.font(Font.BOLD).deriveFont(16f));
        int y = 30;
        for (String line : broken(subtitle, (int) ((width - 2 * MARGIN) / LETTER))) {
            y += LINE;
            text(graphics, line, MARGIN, y, Palette.QUIET, Chart.font(Font.PLAIN));
        }
        y = legend(graphics, y + LINE, width) + LINE;
        for (int i = 0; i < charts.size(); i++) {
            int x = left() + i % columns * chartWidth;
            int top = y + i / columns * chartHeight;
            graphics.translate(x, top);
            charts.get(i).draw(graphics, chartWidth, chartHeight);
            graphics.translate(-x, -top);
        }
        int bottom = y + (charts.size() + columns - 1) / columns * chartHeight;
        int middle = left() + used() * chartWidth / 2;
        text(graphics, xTitle, middle - wide(xTitle) / 2, bottom + 14, Palette.TEXT, Chart.font(Font.PLAIN));
        graphics.rotate(-Math.PI / 2);
        text(graphics, yTitle, -(y + bottom + wide(yTitle)) / 2, MARGIN + 10, Palette.TEXT, Chart.font(Font.PLAIN));
        graphics.rotate(Math.PI / 2);
        return bottom + (xTitle.isEmpty() ? 0 : AXIS) + 8;
    }

    private static String written(SVGGraphics2D graphics, int width, int height) {
        graphics.setSVGCanvasSize(new Dimension(width, height));
        Element root = graphics.getRoot();
        root.setAttributeNS(null, "viewBox", "0 0 " + width + " " + height);
        StringWriter text = new StringWriter();
        try {
            graphics.stream(root, text, true, false);
        } catch (SVGGraphics2DIOException e) {
            throw new IllegalStateException("a picture in memory cannot be written", e);
        }
        String svg = text.toString();
        int open = svg.indexOf('>', svg.indexOf("<svg")) + 1;
        return svg.substring(0, open) + "<style>\n" + Palette.css()
                + "text{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}\n</style>"
                + "<rect width=\"100%\" height=\"100%\" style=\"fill:var(--c0);stroke:none\"/>"
                + Palette.variable(svg.substring(open));
    }

    /** Draws the legend, with its first line at {@code top}. Returns the position of its last line. */
    private int legend(Graphics2D graphics, int top, int width) {
        int x = MARGIN;
        int y = top;
        for (Entry entry : legend) {
            int next = KEY + wide(entry.name) + LINE;
            if (x > MARGIN && x + next > width) {
                x = MARGIN;
                y += LINE;
            }
            graphics.setColor(entry.style.colour());
            graphics.setStroke(entry.style.stroke());
            graphics.drawLine(x, y - 4, x + KEY - 6, y - 4);
            entry.style.mark().paint(graphics, x + KEY / 2.0 - 3, y - 4.0, 7);
            text(graphics, entry.name, x + KEY, y, Palette.TEXT, Chart.font(Font.PLAIN));
            x += next;
        }
        return y;
    }

    private static void text(Graphics2D graphics, String text, int x, int y, Color colour, Font font) {
        if (!text.isEmpty()) {
            graphics.setColor(colour);
            graphics.setFont(font);
            graphics.drawString(text, x, y);
        }
    }

    private static int wide(String text) {
        return (int) (text.length() * LETTER);
    }

    private static List<String> broken(String text, int letters) {
        return text.isEmpty()
                ? List.of()
                : text.replaceAll("(.{1," + letters + "})(?: +|$)", "$1\n")
                        .lines()
                        .toList();
    }
}
