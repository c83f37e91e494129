package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Writes the figures below the pictures as HTML tables. A factor with the same value in all rows is listed once, above
 * the table.
 */
final class Tables {
    private static final List<Metric> PERCENTILES = List.of(
            Metric.LATENCY_P50_US,
            Metric.LATENCY_P90_US,
            Metric.LATENCY_P99_US,
            Metric.LATENCY_P999_US,
            Metric.LATENCY_MAX_US);
    private static final List<Metric> SHARES = List.of(
            Metric.PARSE_FULL_SHARE, Metric.PARSE_EMPTY_SHARE, Metric.OWNER_FULL_SHARE, Metric.OWNER_EMPTY_SHARE);

    private final Selection selection;
    private final List<Factor> varying = new ArrayList<>();
    private final List<String> fixed = new ArrayList<>();

    Tables(Selection selection) {
        this.selection = selection;
        for (Factor factor : Factor.values()) {
            List<String> values = Selection.values(selection.measured, factor);
            if (values.size() > 1) {
                varying.add(factor);
            } else if (factor != Factor.WORKLOAD && !String.join("", values).isEmpty()) {
                fixed.add(factor.title() + " " + values.get(0));
            }
        }
    }

    /** Returns the table of runs at full speed, the fastest setting first. */
    String throughput() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(header("runs,events/s,least,most,CPU s per million,bytes/event,GC pauses,GC ms,longest ms,"
                + "parse full,parse empty,owner full,owner empty"));
        for (Measured one : selection.fastest(any -> true)) {
            List<String> cells = cells(one);
            double[] rates = one.throughput(Metric.EVENTS_PER_S);
            cells.add("" + rates.length);
            cells.add(places(Numbers.median(rates), 0));
            cells.add(places(Arrays.stream(rates).min().orElse(Double.NaN), 0));
            cells.add(places(Arrays.stream(rates).max().orElse(Double.NaN), 0));
            cells.add(places(one.median(Metric.CPU_S_PER_MILLION), 3));
            cells.add(places(one.median(Metric.ALLOC_BYTES_PER_EVENT), 1));
            cells.add(places(one.median(Metric.GC_PAUSES), 0));
            cells.add(places(one.median(Metric.GC_PAUSE_MS), 1));
            cells.add(places(one.median(Metric.GC_PAUSE_MAX_MS), 1));
            SHARES.forEach(share -> cells.add(Units.percent(one.median(share))));
            rows.add(cells);
        }
        return table("All runs at full speed, medians", rows);
    }

    /** Returns the table of runs at offered rates; empty text when there are none. */
    String latency() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(header("offered/s,runs,p50,p90,p99,p99.9,max"));
        selection.measured.stream()
                .sorted(Comparator.comparing(selection::describe, Numbers.NATURAL))
                .forEach(one -> one.latencyRuns().forEach((rate, runs) -> {
                    List<String> cells = cells(one);
                    cells.add(places(rate, 0));
                    cells.add("" + runs.size());
                    PERCENTILES.forEach(
                            metric -> cells.add(Units.micros(Numbers.median(Measured.figures(runs, metric)))));
                    rows.add(cells);
                }));
        return table("All runs at offered rates, medians", rows);
    }

    /** Returns the table of failed runs; empty text when no run failed. */
    String failures() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("setting", "run", "status"));
        for (Row run : selection.results.rows()) {
            if (!run.isOk() && run.point().value(Factor.WORKLOAD).equals(selection.workload)) {
                rows.add(List.of(run.point().describe(selection.usual()), "" + run.run(), run.status()));
            }
        }
        return table("Runs that failed", rows);
    }

    private List<String> header(String figures) {
        List<String> header = new ArrayList<>();
        varying.forEach(factor -> header.add(factor.title()));
        header.addAll(List.of(figures.split(",")));
        return header;
    }

    private List<String> cells(Measured one) {
        List<String> cells = new ArrayList<>();
        for (Factor factor : varying) {
            String value = one.point().value(factor);
            cells.add(value.isEmpty() ? "–" : value);
        }
        return cells;
    }

    /** Returns a table whose first row is the header; empty text when there are no rows below the header. */
    private String table(String title, List<List<String>> rows) {
        if (rows.size() < 2) {
            return "";
        }
        StringBuilder html =
                new StringBuilder("<details><summary>").append(title).append("</summary>\n");
        if (!fixed.isEmpty() && rows.get(0).size() > 3) {
            html.append("<p>The same in all rows: ")
                    .append(Report.escape(String.join("; ", fixed)))
                    .append(".</p>\n");
        }
        html.append("<div class=\"wide\"><table>\n");
        rows.forEach(row -> Report.row(html, row == rows.get(0) ? "th" : "td", row));
        return html.append("</table></div></details>\n").toString();
    }

    private static String places(double value, int places) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%,." + places + "f", value);
    }
}
