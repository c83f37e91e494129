package io.summarizer.bench.sweep;

import io.summarizer.bench.report.Provenance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A measured run, which is a row of a file of results. Immutable.
 *
 * @param run number of the point's visit, from 1 on
 * @param offeredPerS offered events/s; 0 when the rate is not limited
 * @param figures the figures that were measured
 * @param status {@code ok}, or {@code failed: } and the reason
 */
public record Row(
        String sweep, Point point, int run, Kind kind, long offeredPerS, Map<Metric, Double> figures, String status) {
    private static final String OK = "ok";
    private static final String FAILED = "failed: ";
    private static final int REASON_CHARS_MAX = 240;

    /**
     * The columns that follow the columns of {@link Provenance}. The JDK's version is a column of {@link Provenance}.
     */
    public static final String HEADER = header();

    private static final int PROVENANCE_COLUMNS = Provenance.HEADER.split(",").length;
    private static final int PROVENANCE_JDK =
            Arrays.asList(Provenance.HEADER.split(",")).indexOf(Factor.JDK.column());

    public Row {
        EnumMap<Metric, Double> copy = new EnumMap<>(Metric.class);
        copy.putAll(figures);
        figures = copy;
    }

    /** Makes the row of a successful run. */
    public static Row ok(String sweep, Point point, int run, Kind kind, long offeredPerS, Map<Metric, Double> figures) {
        return new Row(sweep, point, run, kind, offeredPerS, figures, OK);
    }

    /** Makes the row of a failed run. */
    public static Row failed(String sweep, Point point, int run, Kind kind, long offeredPerS, String reason) {
        String safe = reason.replaceAll("[\\s\"]+", " ").replace(',', ';').strip();
        String text = safe.substring(0, Math.min(safe.length(), REASON_CHARS_MAX));
        return new Row(sweep, point, run, kind, offeredPerS, Map.of(), FAILED + text);
    }

    /** Whether the run succeeded: every event that was sent was accounted for. */
    public boolean isOk() {
        return status.equals(OK);
    }

    /** A figure; empty when there is none. */
    public OptionalDouble figure(Metric figure) {
        Double value = figures.get(figure);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** A figure; NaN when there is none. */
    public double value(Metric metric) {
        return figure(metric).orElse(Double.NaN);
    }

    private static List<Factor> columns() {
        return Arrays.stream(Factor.values())
                .filter(factor -> factor != Factor.JDK)
                .toList();
    }

    private static String header() {
        List<String> columns = new ArrayList<>(List.of("sweep", "point"));
        columns().forEach(factor -> columns.add(factor.column()));
        columns.addAll(List.of("run", "kind", "offered_per_s"));
        columns.addAll(Arrays.stream(Metric.values()).map(Metric::column).toList());
        columns.add("status");
        return String.join(",", columns);
    }

    /** The row without its provenance. */
    public String csv() {
        List<String> cells = new ArrayList<>(List.of(sweep, point.id()));
        columns().forEach(factor -> cells.add(point.value(factor)));
        cells.add(Integer.toString(run));
        cells.add(kind.word());
        cells.add(offeredPerS == 0 ? "" : Long.toString(offeredPerS));
        for (Metric figure : Metric.values()) {
            Double value = figures.get(figure);
            cells.add(value == null ? "" : figure.text(value));
        }
        cells.add(status);
        return String.join(",", cells);
    }

    /**
     * Parses a line that begins with the provenance.
     *
     * @throws IllegalArgumentException when the line is not a row
     */
    public static Row parse(String line) {
        String[] cells = line.split(",", -1);
        int columns = PROVENANCE_COLUMNS + HEADER.split(",").length;
        if (cells.length != columns) {
            throw new IllegalArgumentException(cells.length + " columns instead of " + columns + ": " + line);
        }
        int at = PROVENANCE_COLUMNS;
        String sweep = cells[at++];
        at++; // the point's id follows from its values
        EnumMap<Factor, String> values = new EnumMap<>(Factor.class);
        for (Factor factor : columns()) {
            values.put(factor, cells[at++]);
        }
        values.put(Factor.JDK, cells[PROVENANCE_JDK]);
        int run = Integer.parseInt(cells[at++]);
        Kind kind = Kind.of(cells[at++]);
        String offered = cells[at++];
        EnumMap<Metric, Double> figures = new EnumMap<>(Metric.class);
        for (Metric figure : Metric.values()) {
            String cell = cells[at++];
            if (!cell.isEmpty()) {
                figures.put(figure, Double.valueOf(cell));
            }
        }
        return new Row(
                sweep,
                Point.of(values),
                run,
                kind,
                offered.isEmpty() ? 0 : Long.parseLong(offered),
                figures,
                cells[at]);
    }
}
