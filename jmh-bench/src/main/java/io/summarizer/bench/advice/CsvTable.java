package io.summarizer.bench.advice;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Rows of a CSV file whose cells are asked for by the names of its header. Cells may be quoted (RFC 4180), within one line. */
final class CsvTable {
    private final Map<String, Integer> columns = new HashMap<>();
    private final List<List<String>> rows = new ArrayList<>();
    private int cut;

    private CsvTable() {}

    /**
     * Reads a file. A last line that a killed process left unfinished is not a row.
     *
     * @throws IllegalArgumentException when a column of {@code needed} is missing
     */
    static CsvTable read(Path file, List<String> needed) throws IOException {
        List<String> lines = Files.readAllLines(file);
        CsvTable table = new CsvTable();
        List<String> header = cells(lines.isEmpty() ? "" : lines.get(0));
        for (int i = 0; i < header.size(); i++) {
            table.columns.put(header.get(i), i);
        }
        List<String> missing =
                needed.stream().filter(name -> !table.columns.containsKey(name)).toList();
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    file + ": not results of a sweep: no column " + String.join(", ", missing) + " in its first line");
        }
        for (String line : lines.subList(1, lines.size())) {
            if (!line.isBlank()) {
                List<String> cells = cells(line);
                if (cells.size() == header.size()) {
                    table.rows.add(cells);
                } else {
                    table.cut++;
                }
            }
        }
        return table;
    }

    int rows() {
        return rows.size();
    }

    /** Lines that do not have a cell for every column. */
    int cut() {
        return cut;
    }

    String text(int row, String column) {
        Integer at = columns.get(column);
        return at == null ? "" : rows.get(row).get(at).strip();
    }

    double number(int row, String column) {
        return Numbers.parse(text(row, column));
    }

    private static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                if (quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    cell.append(c);
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
