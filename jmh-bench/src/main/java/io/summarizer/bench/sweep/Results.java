package io.summarizer.bench.sweep;

import io.summarizer.bench.report.Provenance;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/**
 * A file of results and the series next to it: what is there already, and what comes to be. Each row is in the file when
 * {@link #add} returns, so that a sweep which is killed has lost the run it was at and no other. Used by one thread.
 */
public final class Results {
    private static final String HEADER = Provenance.HEADER + ',' + Row.HEADER;

    private final Path file;
    private final Path series;
    private final Provenance provenance;
    private final List<Row> rows = new ArrayList<>();
    private final Map<Point, List<Row>> byPoint = new LinkedHashMap<>();

    private Results(Path file, Provenance provenance) {
        this.file = file;
        this.provenance = provenance;
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        series = file.resolveSibling((dot < 0 ? name : name.substring(0, dot)) + "-series.csv");
    }

    /**
     * Opens a file, which need not be there.
     *
     * @throws IOException also when it is another kind of file
     */
    public static Results open(Path file, Provenance provenance) throws IOException {
        Results results = new Results(file.toAbsolutePath(), provenance);
        results.read();
        return results;
    }

    private void read() throws IOException {
        if (Files.notExists(file)) {
            return;
        }
        String text = Files.readString(file);
        int end = text.lastIndexOf('\n') + 1;
        if (end < text.length()) {
            // A line that a sweep was killed at. What comes next starts on a line of its own.
            Files.writeString(file, text.substring(0, end));
        }
        List<String> lines = text.substring(0, end).lines().toList();
        if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
            throw new IOException(file + " is there and no file of results of a sweep of this version; choose another");
        }
        for (String line : lines.subList(1, lines.size())) {
            try {
                remember(Row.parse(line));
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ": " + e.getMessage(), e);
            }
        }
    }

    private void remember(Row row) {
        rows.add(row);
        byPoint.computeIfAbsent(row.point(), point -> new ArrayList<>()).add(row);
    }

    /** Appends a row, and what the queues were like meanwhile. */
    public void add(Row row, List<SeriesSample> samples) throws IOException {
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
        provenance.now(row.point().value(Factor.JDK)).append(file, Row.HEADER, List.of(row.csv()));
        remember(row);
    }

    /** All rows, the oldest first. */
    public List<Row> rows() {
        return List.copyOf(rows);
    }

    /** Points with at least one row, in the order in which they came. */
    public List<Point> points() {
        return List.copyOf(byPoint.keySet());
    }

    /** Rows of a point that fit. */
    public List<Row> rows(Point point, Predicate<Row> fits) {
        return byPoint.getOrDefault(point, List.of()).stream().filter(fits).toList();
    }

    /** The row of a run. */
    public Optional<Row> row(Point point, int run, Kind kind, long offeredPerS) {
        return rows(point, row -> row.run() == run && row.kind() == kind && row.offeredPerS() == offeredPerS).stream()
                .findFirst();
    }

    /** Median throughput of a point in events a second, empty when no run of it came to its end. */
    public OptionalDouble throughput(Point point) {
        return median(point, Figure.EVENTS_PER_S);
    }

    /** Median of a figure over all throughput runs of a point that came to their ends. */
    public OptionalDouble median(Point point, Figure figure) {
        return median(point, figure, Integer.MAX_VALUE);
    }

    /** The same of its first runs. */
    OptionalDouble median(Point point, Figure figure, int runs) {
        double[] sorted = rows(point, row -> row.kind() == Kind.THROUGHPUT && row.isOk() && row.run() <= runs).stream()
                .flatMapToDouble(row -> row.figure(figure).stream())
                .sorted()
                .toArray();
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        int middle = sorted.length / 2;
        return OptionalDouble.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }

    /** The file of results. */
    public Path file() {
        return file;
    }
}
