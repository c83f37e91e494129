package io.summarizer.bench.sweep;

import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.report.Provenance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A file of results, to which a sweep adds rows, and a file with the series of samples. When {@link #add} returns, the
 * row is in the file. So a killed sweep loses only the run in progress. Used by one thread, except for {@link #close}
 * and {@link #isClosed}.
 */
public final class Results {
    private static final String HEADER = Provenance.HEADER + ',' + Row.HEADER;

    private final Path file;
    private final Path series;
    private final @Nullable Provenance provenance;
    private final List<Row> rows = new ArrayList<>();
    private boolean closed;
    private final Map<Point, List<Row>> byPoint = new LinkedHashMap<>();
    private final List<Provenance> origins = new ArrayList<>();
    private final Map<String, List<SeriesSample>> samples = new HashMap<>();
    private final List<String> remarks = new ArrayList<>();

    private Results(Path file, @Nullable Provenance provenance) {
        this.file = file.toAbsolutePath();
        this.provenance = provenance;
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        series = this.file.resolveSibling((dot < 0 ? name : name.substring(0, dot)) + "-series.csv");
    }

    /**
     * Opens a file to add rows. The file need not exist. Reads its rows, but not its series.
     *
     * @throws IOException also when the file is not a file of results
     */
    public static Results open(Path file, Provenance provenance) throws IOException {
        Results results = new Results(file, provenance);
        if (Files.exists(file)) {
            try {
                results.readRows();
            } catch (IllegalArgumentException e) {
                throw new IOException(e.getMessage() + "; choose another", e);
            }
            endLine(results.file);
            endLine(results.series);
        }
        return results;
    }

    /** Drops an incomplete last line, which a killed sweep may leave, so that the next row starts on a new line. */
    private static void endLine(Path file) throws IOException {
        if (Files.exists(file)) {
            String text = Files.readString(file);
            int end = text.lastIndexOf('\n') + 1;
            if (end < text.length()) {
                Files.writeString(file, text.substring(0, end));
            }
        }
    }

    /**
     * Reads a file of results, and the file of series that belongs to it, if there is one. Changes neither file.
     *
     * @throws IllegalArgumentException when the file is not a file of results
     */
    public static Results read(Path file) throws IOException {
        Results results = new Results(file, null);
        results.readRows();
        results.readSeries();
        return results;
    }

    private void readRows() throws IOException {
        for (String line : lines(file, HEADER)) {
            try {
                remember(Row.parse(line));
                origins.add(Provenance.parse(line.split(",", -1)));
            } catch (IllegalArgumentException | DateTimeParseException e) {
                throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
            }
        }
    }

    private void readSeries() throws IOException {
        if (Files.notExists(series)) {
            return;
        }
        int broken = 0;
        for (String line : lines(series, SeriesSample.HEADER)) {
            String[] cells = line.split(",", -1);
            if (cells.length != SeriesSample.COLUMNS) {
                broken++; // one sweep was killed here, and another continued
                continue;
            }
            samples.computeIfAbsent(String.join(",", cells[0], cells[1], cells[2], cells[3]), run -> new ArrayList<>())
                    .add(SeriesSample.parse(cells));
        }
        if (broken > 0) {
            remarks.add(series.getFileName() + ": " + broken + " lines were cut short and left out");
        }
    }

    /** Returns the lines after the header, without an incomplete last line. */
    private List<String> lines(Path from, String header) throws IOException {
        String text = Files.readString(from);
        int end = text.lastIndexOf('\n') + 1;
        if (end < text.length()) {
            remarks.add(from.getFileName() + ": the last line was cut short and left out");
        }
        List<String> lines = text.substring(0, end).lines().toList();
        if (lines.isEmpty() || !lines.get(0).equals(header)) {
            throw new IllegalArgumentException(from + " is no file of results of a sweep of this version");
        }
        return lines.subList(1, lines.size());
    }

    private void remember(Row row) {
        rows.add(row);
        byPoint.computeIfAbsent(row.point(), point -> new ArrayList<>()).add(row);
    }

    /** Ends additions: {@link #add} ignores later rows. Any thread. */
    public synchronized void close() {
        closed = true;
    }

    /** Whether {@link #add} ignores rows. Any thread. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /** Appends a row and the samples of the run's queues. Does nothing when closed. */
    public synchronized void add(Row row, List<SeriesSample> samples) throws IOException {
        if (closed) {
            return;
        }
        if (provenance == null) {
            throw new IllegalStateException(file + " was opened to be read");
        }
        Files.createDirectories(file.getParent());
        if (!samples.isEmpty()) {
            StringBuilder text = new StringBuilder();
            if (Files.notExists(series)) {
                text.append(SeriesSample.HEADER).append('\n');
            }
            for (SeriesSample sample : samples) {
                text.append(sample.csv(row.point(), row.run(), row.kind(), row.offeredPerS()))
                        .append('\n');
            }
            Files.writeString(
                    series, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        Provenance origin = provenance.now(row.point().value(Factor.JDK));
        origin.append(file, Row.HEADER, List.of(row.csv()));
        origins.add(origin);
        remember(row);
    }

    /** All rows, the oldest first. */
    public List<Row> rows() {
        return List.copyOf(rows);
    }

    /** Points with at least one row, in order of their first row. */
    public List<Point> points() {
        return List.copyOf(byPoint.keySet());
    }

    /** Returns the matching rows of a point. */
    public List<Row> rows(Point point, Predicate<Row> fits) {
        return byPoint.getOrDefault(point, List.of()).stream().filter(fits).toList();
    }

    /** Returns the row of a run. */
    public Optional<Row> row(Point point, int run, Kind kind, long offeredPerS) {
        return rows(point, row -> row.run() == run && row.kind() == kind && row.offeredPerS() == offeredPerS).stream()
                .findFirst();
    }

    /**
     * Median of a figure over the first throughput runs of a point. Only runs that succeeded are included; the result
     * is empty when no run succeeded.
     */
    OptionalDouble median(Point point, Metric figure, int runs) {
        double median = Numbers.median(
                rows(point, row -> row.kind() == Kind.THROUGHPUT && row.isOk() && row.run() <= runs).stream()
                        .mapToDouble(row -> row.value(figure))
                        .toArray());
        return Double.isNaN(median) ? OptionalDouble.empty() : OptionalDouble.of(median);
    }

    /** Origins of the rows, in the order of the rows. */
    public List<Provenance> origins() {
        return List.copyOf(origins);
    }

    /** Distinct values of a factor in natural order, including the values of failed runs. */
    public List<String> values(Factor factor) {
        TreeSet<String> values = new TreeSet<>(Numbers.NATURAL);
        byPoint.keySet().forEach(point -> values.add(point.value(factor)));
        return List.copyOf(values);
    }

    /** Samples of a run; empty when there are none, or when series were not read. */
    public List<SeriesSample> series(Row row) {
        return samples.getOrDefault(SeriesSample.run(row.point(), row.run(), row.kind(), row.offeredPerS()), List.of());
    }

    /** Whether there are any samples. */
    public boolean hasSeries() {
        return !samples.isEmpty();
    }

    /** Oddities in the files. */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** The file of results. */
    public Path file() {
        return file;
    }
}
