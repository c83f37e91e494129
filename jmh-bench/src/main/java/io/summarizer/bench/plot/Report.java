package io.summarizer.bench.plot;

import com.google.common.html.HtmlEscapers;
import io.summarizer.bench.advice.Advice;
import io.summarizer.bench.advice.Advisor;
import io.summarizer.bench.advice.Pick;
import io.summarizer.bench.advice.Workloads;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.report.Provenance;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Results;
import io.summarizer.bench.sweep.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The results of a sweep as one self-contained page of HTML, and its pictures as SVG files. The page also lists
 * questions that the results leave open.
 */
public final class Report {
    private static final String PAGE = """
            body { margin: 2rem auto; max-width: 1160px; padding: 0 1rem; background: var(--c0); color: var(--c1);
              color-scheme: light dark; font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif }
            h1 { font-size: 1.6rem } h2 { font-size: 1.3rem; margin-top: 2.5rem } h3 { font-size: 1.05rem }
            figure { margin: 1.5rem 0; overflow-x: auto } figure img { max-width: 100% } .wide { overflow-x: auto }
            table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
            th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--c3); text-align: right; vertical-align: top }
            th:first-child, td:first-child, .advice td, .advice th { text-align: left }
            details { margin: 0.5rem 0 1.5rem } summary { cursor: pointer; color: var(--c2) }
            """;

    private final Results results;
    private final List<Advice> advices = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final Map<String, Figure> figures = new LinkedHashMap<>();
    private final Map<String, String> svgs = new LinkedHashMap<>();
    private final StringBuilder html = new StringBuilder();

    private Optional<Workloads> workloads = Optional.empty();

    private Report(Results results) {
        this.results = results;
    }

    /** Makes a report on these workloads. */
    public static Report of(Results results, List<String> workloads) {
        Report report = new Report(results);
        report.missing.addAll(results.remarks());
        for (String workload : workloads) {
            Optional<Advice> advice = Advisor.advise(results, workload);
            advice.ifPresentOrElse(
                    report.advices::add,
                    () -> report.missing.add(
                            "no run of " + workload + " at full speed succeeded: nothing to show of it"));
        }
        report.workloads = Workloads.compare(report.advices);
        report.write();
        return report;
    }

    /** Advice for each workload that has figures. */
    public List<Advice> advices() {
        return List.copyOf(advices);
    }

    /** The throughput that several workloads lose with one setting for all; empty for a single workload. */
    public Optional<Workloads> workloads() {
        return workloads;
    }

    /** The page, which is valid XML and HTML. */
    public String html() {
        return html.toString();
    }

    Map<String, Figure> figures() {
        return figures;
    }

    /** The pictures, by their file names. */
    public Map<String, String> svgs() {
        return Collections.unmodifiableMap(svgs);
    }

    /** Creates a folder, and writes {@code report.html} and the pictures into it. Returns the path of the page. */
    public Path writeTo(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Map.Entry<String, String> svg : svgs().entrySet()) {
            Files.writeString(folder.resolve(svg.getKey()), svg.getValue());
        }
        return Files.writeString(folder.resolve("report.html"), html());
    }

    private void write() {
        html.append("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n")
                .append("<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width\"/>\n")
                .append("<title>Queues and workers: a sweep</title>\n<style>\n")
                .append(Palette.css())
                .append(PAGE)
                .append("</style>\n</head>\n<body>\n<h1>Queues and workers: a sweep</h1>\n");
        provenance();
        advice();
        String before = html.toString();
        html.setLength(0);
        advices.forEach(this::workload);
        String pictures = html.toString();
        html.setLength(0);
        html.append(before);
        // Drawn first: on the page, the gaps come before the pictures, but some gaps are known only after the pictures
        // are drawn.
        if (!missing.isEmpty()) {
            html.append("<h2>What these results do not show</h2>\n");
            list(missing);
        }
        html.append(pictures).append("</body>\n</html>\n");
    }

    /** Returns distinct values, in natural order. */
    private List<String> origins(Function<Provenance, String> of) {
        TreeSet<String> values = new TreeSet<>(Numbers.NATURAL);
        results.origins().forEach(origin -> values.add(of.apply(origin)));
        return List.copyOf(values);
    }

    private void provenance() {
        List<Row> runs = results.rows();
        long failed = runs.stream().filter(run -> !run.isOk()).count();
        List<String> lines = new ArrayList<>();
        lines.add(runs.size() + " runs, " + (failed == 0 ? "none failed" : failed + " failed"));
        lines.add("Machine: " + String.join("; ", origins(origin -> origin.cpus() + " processors of " + origin.cpu())));
        lines.add("JDK of the server: " + String.join(", ", results.values(Factor.JDK)));
        List<String> times = origins(origin -> origin.when().toString());
        if (!times.isEmpty()) {
            lines.add("Measured: " + times.get(0) + " to " + times.get(times.size() - 1));
        }
        List<String> commits = origins(Provenance::commit);
        lines.add("Commit: " + String.join(", ", commits));
        if (commits.size() > 1) {
            missing.add("the runs are of " + commits.size()
                    + " commits: differences between settings may be differences between commits");
        }
        if (origins(origin -> origin.cpu() + origin.cpus()).size() > 1) {
            missing.add("the runs are of several machines: settings cannot be compared across them");
        }
        if (results.values(Factor.JDK).size() == 1) {
            missing.add("one JDK only: nothing is said of what another would change");
        }
        if (!results.hasSeries()) {
            missing.add("no samples over time (the file -series.csv beside the results)");
        }
        list(lines);
    }

    private void advice() {
        if (advices.isEmpty()) {
            return;
        }
        html.append("<h2>Advice</h2>\n<div class=\"wide\"><table class=\"advice\">\n");
        String reference = advices.get(0).referenceWords();
        row(html, "th", List.of("workload", "for", "setting", "figure", "over " + reference, ""));
        advices.forEach(advice -> advice.picks().forEach(pick -> row(html, "td", cells(advice, pick))));
        html.append("</table></div>\n");
        for (Advice advice : advices) {
            html.append("<h3>").append(escape(advice.workload())).append("</h3>\n");
            List<String> lines = AdviceText.sentences(advice);
            list(lines.subList(advice.picks().size(), lines.size()));
        }
        workloads.ifPresent(compared -> {
            html.append("<h3>Separate your workloads?</h3>\n");
            list(AdviceText.sentences(compared, advices.get(0).reference().point()));
        });
        html.append("<details><summary>How this is told</summary>\n");
        list(AdviceText.rules());
        html.append("</details>\n");
    }

    private static List<String> cells(Advice advice, Pick pick) {
        Point reference = advice.reference().point();
        boolean same = pick.best().point().equals(reference);
        return List.of(
                advice.workload(),
                pick.goal().words(),
                pick.best().point().describe(reference),
                AdviceText.figure(pick),
                same ? "it is that" : Double.isNaN(pick.margin()) ? "not measured" : AdviceText.margin(pick),
                same ? "" : AdviceText.verdict(pick.answer()));
    }

    /** Adds a row of a table, with cells of element {@code th} or {@code td}. */
    static void row(StringBuilder html, String element, List<String> cells) {
        html.append("<tr>");
        for (String cell : cells) {
            html.append('<').append(element).append('>').append(escape(cell));
            html.append("</").append(element).append('>');
        }
        html.append("</tr>\n");
    }

    private void workload(Advice advice) {
        Selection selection = new Selection(results, advice);
        String name = advice.workload();
        html.append("<h2>Workload ").append(escape(name)).append("</h2>\n");
        Facets facets = new Facets(selection);
        Tables tables = new Tables(selection);
        if (facets.isEmpty()) {
            missing.add(name + ": no run in mode queued succeeded, so there are no panels of queues");
        } else {
            figure("throughput-" + name, Optional.of(facets.throughput()), name + ": no throughput");
        }
        html.append(tables.throughput()).append(tables.failures());
        if (!facets.isEmpty()) {
            figure("efficiency-" + name, facets.efficiency(), name + ": no CPU time, so no efficiency");
            facets.gaps().forEach(gap -> missing.add(name + ": " + gap));
        }
        Fills fills = new Fills(selection);
        figure("fill-" + name, fills.overTime(), name + ": no samples of queue fill over time");
        figure("full-or-empty-" + name, fills.shares(), name + ": no shares of time that queues are full or empty");
        figure("latency-" + name, new Latencies(selection).figure(), name + ": no latency at offered rates");
        html.append(tables.latency());
        OneFactor factors = new OneFactor(selection);
        figure("factors-" + name, factors.figure(), name + ": no factor but queues and workers was varied alone");
        if (factors.figure().isPresent() && !factors.gaps().isEmpty()) {
            missing.add(name + ": no panel for " + String.join(", ", factors.gaps()));
        }
    }

    private void figure(String name, Optional<Figure> figure, String otherwise) {
        figure.ifPresentOrElse(
                drawn -> {
                    figures.put(name, drawn);
                    svgs.put(name + ".svg", drawn.svg());
                    byte[] svg = svgs.getOrDefault(name + ".svg", "").getBytes(StandardCharsets.UTF_8);
                    html.append("<figure><img alt=\"")
                            .append(escape(drawn.title()))
                            .append("\" src=\"data:image/svg+xml;base64,")
                            .append(Base64.getEncoder().encodeToString(svg))
                            .append("\"/></figure>\n");
                },
                () -> missing.add(otherwise));
    }

    private void list(List<String> lines) {
        html.append("<ul>\n");
        lines.forEach(line -> html.append("<li>").append(escape(line)).append("</li>\n"));
        html.append("</ul>\n");
    }

    /** Escapes text for XML and HTML. */
    static String escape(String text) {
        return HtmlEscapers.htmlEscaper().escape(text);
    }
}
