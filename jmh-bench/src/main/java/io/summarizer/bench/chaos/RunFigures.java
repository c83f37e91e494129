package io.summarizer.bench.chaos;

import io.summarizer.bench.report.Provenance;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a run, in a fixed order, and its faults. The figures are written as a row of a CSV and as printed
 * lines. One thread.
 */
public final class RunFigures {
    private final List<String> columns = new ArrayList<>();
    private final List<String> cells = new ArrayList<>();
    private final StringBuilder table = new StringBuilder();
    private final List<String> faults;

    /**
     * Makes an empty list of figures.
     *
     * @param faults faults other than lost or miscounted events
     */
    RunFigures(List<String> faults) {
        this.faults = List.copyOf(faults);
    }

    /** Adds a figure that only the CSV has. */
    RunFigures add(String column, Object value) {
        columns.add(column);
        cells.add(String.valueOf(value));
        return this;
    }

    /** Adds a figure to the CSV and to the printed lines. */
    RunFigures add(String column, String words, long value) {
        table.append(String.format(Locale.ROOT, "%-44s %,12d%n", words, value));
        return add(column, value);
    }

    /** The faults, a sentence each. */
    List<String> faults() {
        return faults;
    }

    /** The value of a column. */
    String cell(String column) {
        return cells.get(columns.indexOf(column));
    }

    /**
     * Prints the figures and the faults.
     *
     * @param file a CSV that gets the row; null for none
     * @return the exit status of the command
     */
    public int report(PrintStream out, Path home, @Nullable Path file) throws IOException, InterruptedException {
        out.print(table);
        faults.forEach(fault -> out.println("FAILED: " + fault));
        if (file != null) {
            Provenance.of(home).append(file, String.join(",", columns), List.of(String.join(",", cells)));
        }
        return faults.isEmpty() ? 0 : 1;
    }
}
