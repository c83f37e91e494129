package io.summarizer.bench.plot;

import io.summarizer.bench.advice.Measured;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The figures under the pictures, as HTML tables. Factors with one value for all are told once, above. */
final class Tables {
    private final Selection selection;
    private final List<Factor> varying = new ArrayList<>();
    private final List<String> fixed = new ArrayList<>();

    Tables(Selection selection) {
        this.selection = selection;
        for (Factor factor : Factor.values()) {
            List<String> values = Selection.values(selection.measured, factor);
            if (values.size() > 1) {
                varying.add(factor);
            } else if (factor != Factor.WORKLOAD
                    && !values.isEmpty()
                    && !values.get(0).isEmpty()) {
                fixed.add(factor.title() + " " + values.get(0));
            }
        }
    }

    /** Runs at full speed, the fastest setting first. */
    String throughput() {
        List<String> header = header();
        header.addAll(List.of(
                "runs",
                "events/s",
                "least",
                "most",
                "CPU s per million",
                "bytes/event",
                "GC pauses",
                "GC ms",
                "longest ms",
                "parse full",
                "parse empty",
                "owner full",
                "owner empty"));
        StringBuilder rows = new StringBuilder();
        for (Measured one : selection.fastest(any -> true)) {
            List<String> cells = cells(one);
            double[] rates = one.throughput(Row::eventsPerSecond);
            cells.add("" + rates.length);
            cells.add(whole(Numbers.median(rates)));
            cells.add(whole(Arrays.stream(rates).min().orElse(Double.NaN)));
            cells.add(whole(Arrays.stream(rates).max().orElse(Double.NaN)));
            cells.add(places(one, Row::cpuSecondsPerMillion, 3));
            cells.add(places(one, Row::bytesPerEvent, 1));
            cells.add(places(one, Row::gcPauses, 0));
            cells.add(places(one, Row::gcPauseMillis, 1));
            cells.add(places(one, Row::gcPauseMillisMax, 1));
            cells.add(Units.percent(one.median(run -> run.parseQueue().full())));
            cells.add(Units.percent(one.median(run -> run.parseQueue().empty())));
            cells.add(Units.percent(one.median(run -> run.ownerQueue().full())));
            cells.add(Units.percent(one.median(run -> run.ownerQueue().empty())));
            row(rows, "td", cells);
        }
        return table("All runs at full speed, medians", header, rows);
    }

    /** Runs at offered rates; empty text when there are none. */
    String latency() {
        List<String> header = header();
        header.addAll(List.of("offered/s", "runs", "p50", "p90", "p99", "p99.9", "max"));
        StringBuilder rows = new StringBuilder();
        selection.measured.stream()
                .sorted(Comparator.comparing(selection::describe, Numbers.NATURAL))
                .forEach(one -> {
                    for (Map.Entry<Double, List<Row>> entry : one.latencyRuns().entrySet()) {
                        List<String> cells = cells(one);
                        List<Row> runs = entry.getValue();
                        cells.add(whole(entry.getKey()));
                        cells.add("" + runs.size());
                        cells.add(micros(runs, run -> run.latency().p50()));
                        cells.add(micros(runs, run -> run.latency().p90()));
                        cells.add(micros(runs, run -> run.latency().p99()));
                        cells.add(micros(runs, run -> run.latency().p999()));
                        cells.add(micros(runs, run -> run.latency().max()));
                        row(rows, "td", cells);
                    }
                });
        return rows.isEmpty() ? "" : table("All runs at offered rates, medians", header, rows);
    }

    /** Runs that failed; empty text when none did. */
    String failures() {
        StringBuilder rows = new StringBuilder();
        for (Row run : selection.results.rows()) {
            if (!run.isOk() && run.point().value(Factor.WORKLOAD).equals(selection.workload)) {
                List<String> cells = new ArrayList<>();
                cells.add(run.point().describe(selection.usual()));
                cells.add("" + run.run());
                cells.add(run.status());
                row(rows, "td", cells);
            }
        }
        return rows.isEmpty() ? "" : table("Runs that failed", List.of("setting", "run", "status"), rows);
    }

    private List<String> header() {
        List<String> header = new ArrayList<>();
        varying.forEach(factor -> header.add(factor.title()));
        return header;
    }

    private List<String> cells(Measured one) {
        List<String> cells = new ArrayList<>();
        varying.forEach(factor -> {
            String value = one.point().value(factor);
            cells.add(value.isEmpty() ? "–" : value);
        });
        return cells;
    }

    private String table(String title, List<String> header, StringBuilder rows) {
        StringBuilder html = new StringBuilder("<details><summary>")
                .append(Report.escape(title))
                .append("</summary>\n");
        if (!fixed.isEmpty() && header.size() > 3) {
            html.append("<p>The same in all rows: ")
                    .append(Report.escape(String.join("; ", fixed)))
                    .append(".</p>\n");
        }
        html.append("<div class=\"wide\"><table>\n<thead>");
        row(html, "th", header);
        return html.append("</thead>\n<tbody>\n")
                .append(rows)
                .append("</tbody></table></div></details>\n")
                .toString();
    }

    private static void row(StringBuilder html, String element, List<String> cells) {
        html.append("<tr>");
        for (String cell : cells) {
            html.append('<').append(element).append('>');
            html.append(Report.escape(cell));
            html.append("</").append(element).append('>');
        }
        html.append("</tr>\n");
    }

    private static String places(Measured one, ToDoubleFunction<Row> figure, int places) {
        double median = one.median(figure);
        return Double.isNaN(median) ? "–" : String.format(Locale.ROOT, "%,." + places + "f", median);
    }

    private static String micros(List<Row> runs, ToDoubleFunction<Row> figure) {
        return Units.micros(Numbers.median(Measured.figures(runs, figure)));
    }

    private static String whole(double value) {
        return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%,.0f", value);
    }
}
