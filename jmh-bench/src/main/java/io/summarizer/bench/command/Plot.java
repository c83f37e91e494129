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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a report on a sweep's results, with pictures and advice. */
@Command(
        description = {
            "Draws the results of a sweep, and advises settings.",
            "The report DIR/report.html is self-contained. DIR also has the pictures as SVG files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the file
public final class Plot extends BenchCommand {
    private final PrintStream out;

    @Parameters(paramLabel = "RESULTS.csv", description = "Results of bin/bench sweep.")
    private Path file;

    @Option(names = "--out", paramLabel = "DIR", description = "Folder of the report. Default: RESULTS-report.")
    private @Nullable Path folder;

    @Option(names = "--workload", paramLabel = "NAME", description = "Show only this workload. Default: all.")
    private String workload = "";

    @Option(
            names = "--goal",
            paramLabel = "throughput|latency|cpu",
            description = "Goal of the setting for --write-config. Default: throughput.")
    private Goal goal = Goal.THROUGHPUT;

    @Option(
            names = "--write-config",
            paramLabel = "FILE",
            description =
                    "Write a configuration with the best setting for the goal. For several workloads, this is the best"
                            + " setting for all of them, or a named pipeline for each workload if that gains enough.")
    private @Nullable Path config;

    Plot() {
        this(System.out);
    }

    Plot(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        Results results = Results.read(file);
        List<String> workloads = results.values(Factor.WORKLOAD);
        if (!workload.isEmpty()) {
            if (!workloads.contains(workload)) {
                throw new IllegalArgumentException("no runs of workload " + workload + " in " + file + "; there are "
                        + String.join(", ", workloads));
            }
            workloads = List.of(workload);
        }
        Report report = Report.of(results, workloads);
        print(report);
        String name = file.getFileName().toString().replaceFirst("\\.csv$", "");
        Path page = report.writeTo(folder == null ? file.resolveSibling(name + "-report") : folder);
        out.println("written: " + page + " and " + report.svgs().size() + " SVG files beside it");
        if (config != null) {
            writeConfig(report, config);
        }
        return 0;
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
            ConfigLoader.load(home, target, Map.of(), List.of());
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
                        "the results advise nothing for " + goal + ", so no configuration is written"));
        return AdvisedConfig.of(
                pick.best().point(),
                List.of("Workload " + advice.workload() + ", " + AdviceText.pick(advice, pick) + "."));
    }

    private String ofAll(Report report) {
        if (goal != Goal.THROUGHPUT) {
            throw new IllegalArgumentException(
                    "a configuration for " + goal + " is of one workload; choose it by --workload");
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
