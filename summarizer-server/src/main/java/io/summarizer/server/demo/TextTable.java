package io.summarizer.server.demo;

import java.util.ArrayList;
import java.util.List;

/** A table of numbers as text, with columns aligned to the right. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<String> header;
    private final List<List<String>> rows = new ArrayList<>();

    public TextTable(List<String> header) {
        this.header = List.copyOf(header);
    }

    /** Adds a row. The row has the same number of cells as the header. */
    public void add(List<String> row) {
        if (row.size() != header.size()) {
            throw new IllegalArgumentException(row.size() + " cells, not " + header.size());
        }
        rows.add(List.copyOf(row));
    }

    /** The lines of the table: the header, a rule, then a line for each row. */
    public List<String> lines() {
        int[] widths = new int[header.size()];
        widen(widths, header);
        rows.forEach(row -> widen(widths, row));
        List<String> lines = new ArrayList<>();
        lines.add(line(widths, header));
        lines.add(line(widths, header.stream().map(cell -> "").toList()).replace(' ', '─'));
        rows.forEach(row -> lines.add(line(widths, row)));
        return lines;
    }

    private static void widen(int[] widths, List<String> cells) {
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], cells.get(i).length());
        }
    }

    private static String line(int[] widths, List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(i == 0 ? "" : GAP)
                    .append(" ".repeat(widths[i] - cells.get(i).length()))
                    .append(cells.get(i));
        }
        return line.toString();
    }
}
