package io.summarizer.bench.command;

import io.summarizer.bench.advice.Advice;
import io.summarizer.bench.advice.AdvisedConfig;
import io.summarizer.bench.advice.Goal;
import io.summarizer.bench.advice.Pick;
import io.summarizer.bench.advice.Workloads;
import io.summarizer.bench.plot.AdviceText;
import io.summarizer.bench.plot.Report;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Results;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ConfigLoader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A sweep's results as a report with pictures, and what they advise.
 * <pre>
 *   bin/bench plot RESULTS.csv [--out DIR] [--workload NAME] [--goal throughput|latency|cpu] [--write-config FILE]
 * </pre>
 * The report is {@code DIR/report.html}, which needs nothing beside it; the pictures are there as SVG files too. Without
 * {@code --out}, the folder is named after the results and lies beside them. {@code --write-config} writes what suits the goal
 * (throughput) best as a configuration: for one workload its pick, for several the setting that suits all of them best, or named
 * pipelines where these pay.
 */
public final class Plot {
    private final PrintStream out;
    private @Nullable Path file;
    private @Nullable Path folder;
    private @Nullable Path config;
    private String workload = "";
    private Goal goal = Goal.THROUGHPUT;

    private Plot(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] arguments) throws IOException {
        System.exit(run(List.of(arguments), System.out, System.err));
    }

    /** Exit status 0, 1 when the results cannot be used, 2 when the arguments cannot. */
    static int run(List<String> arguments, PrintStream out, PrintStream errors) throws IOException {
        Plot plot = new Plot(out);
        try {
            plot.parse(arguments);
        } catch (IllegalArgumentException e) {
            errors.println("bench plot: " + e.getMessage());
            return 2;
        }
        try {
            plot.plot();
            return 0;
        } catch (NoSuchFileException e) {
            errors.println("bench plot: no such file: " + e.getMessage());
            return 1;
        } catch (IllegalArgumentException e) {
            errors.println("bench plot: " + e.getMessage());
            return 1;
        }
    }

    private void parse(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String name = arguments.get(i);
            if (!name.startsWith("--")) {
                if (file != null) {
                    throw new IllegalArgumentException("one file of results, please; not also " + name);
                }
                file = Path.of(name);
                continue;
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException("unknown option or no value: " + name);
            }
            String value = arguments.get(++i);
            switch (name) {
                case "--out" -> folder = Path.of(value);
                case "--write-config" -> config = Path.of(value);
                case "--workload" -> workload = value;
                case "--goal" -> goal = goal(value);
                default -> throw new IllegalArgumentException("unknown option: " + name);
            }
        }
        if (file == null) {
            throw new IllegalArgumentException("which results? bin/bench plot RESULTS.csv [--out DIR] [--workload NAME]"
                    + " [--goal throughput|latency|cpu] [--write-config FILE]");
        }
    }

    private static Goal goal(String value) {
        return Arrays.stream(Goal.values())
                .filter(one -> one.key().equals(value))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("no goal " + value + "; there are throughput, latency, cpu"));
    }

    private void plot() throws IOException {
        Path from = Objects.requireNonNull(file);
        Results results = Results.read(from);
        List<String> workloads = results.values(Factor.WORKLOAD);
        if (!workload.isEmpty()) {
            if (!workloads.contains(workload)) {
                throw new IllegalArgumentException("no runs of workload " + workload + " in " + from + "; there are "
                        + String.join(", ", workloads));
            }
            workloads = List.of(workload);
        }
        Report report = Report.of(results, workloads);
        print(report);
        String name = from.getFileName().toString().replaceFirst("\\.csv$", "");
        Path page = report.writeTo(folder == null ? from.resolveSibling(name + "-report") : folder);
        out.println("written: " + page + " and " + report.svgs().size() + " SVG files beside it");
        if (config != null) {
            writeConfig(report, config);
        }
    }

    private void print(Report report) {
        for (Advice advice : report.advices()) {
            out.println(advice.workload());
            AdviceText.sentences(advice).forEach(line -> out.println("  " + line));
        }
        report.workloads().ifPresent(workloads -> {
            out.println("all workloads");
            AdviceText.sentences(workloads, report.advices().get(0).reference().point())
                    .forEach(line -> out.println("  " + line));
        });
    }

    private void writeConfig(Report report, Path target) throws IOException {
        List<Advice> advices = report.advices();
        if (advices.isEmpty()) {
            throw new IllegalArgumentException("nothing is advised, so no configuration is written");
        }
        String yaml = advices.size() == 1 ? ofOne(advices.get(0)) : ofAll(report);
        Files.writeString(target, yaml);
        try {
            ConfigLoader.load(Path.of(System.getProperty("summarizer.home", ".")), target, Map.of(), List.of());
        } catch (ConfigException e) {
            throw new IllegalArgumentException(
                    "the server would refuse what was advised (are the results of another version?)\n" + e.getMessage(),
                    e);
        }
        out.println("written: " + target + "; bin/summarizer serve --config " + target);
    }

    private String ofOne(Advice advice) {
        Pick pick = advice.pick(goal)
                .orElseThrow(() -> new IllegalArgumentException(
                        "the results advise nothing for " + goal.key() + ", so no configuration is written"));
        return AdvisedConfig.of(
                pick.best().point(),
                List.of("Workload " + advice.workload() + ", " + AdviceText.pick(advice, pick) + "."));
    }

    private String ofAll(Report report) {
        if (goal != Goal.THROUGHPUT) {
            throw new IllegalArgumentException("a configuration for "
                    + goal.key().toLowerCase(Locale.ROOT) + " is of one workload; choose it by --workload");
        }
        Workloads workloads = report.workloads().orElseThrow();
        Point all = workloads.all();
        if (all == null) {
            throw new IllegalArgumentException(
                    "no setting was measured with every workload; choose one by --workload, so that a configuration can be written");
        }
        List<String> why = new ArrayList<>();
        AdviceText.sentences(workloads, report.advices().get(0).reference().point())
                .forEach(line -> why.add(line + "."));
        return workloads.apart().isEmpty()
                        || !AdvisedConfig.canSeparate(workloads.apart().keySet())
                ? AdvisedConfig.of(all, why)
                : AdvisedConfig.of(all, workloads.apart(), why);
    }
}
