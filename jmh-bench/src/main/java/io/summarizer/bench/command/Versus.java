package io.summarizer.bench.command;

import io.summarizer.bench.e2e.PairedRatios;
import io.summarizer.bench.report.Processes;
import io.summarizer.bench.report.Provenance;
import io.summarizer.bench.report.SectionProcess;
import io.summarizer.bench.versus.VersusMain;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Compares a JMH benchmark of this checkout with that of another checkout. */
@Command(
        description = {
            "Compares a JMH benchmark of this checkout with the same benchmark of another checkout.",
            "Both run in one JVM, in turns of about 20 ms, so the noise of the machine is the same for both.",
            "The JIT compiler makes different code of the same classes in each JVM, and the version that is loaded"
                    + " first may get faster or slower code. So each pair has two JVMs, which load the versions in"
                    + " opposite orders. The ratio of a pair is the geometric mean of their ratios."
        })
@SuppressWarnings("NullAway.Init") // picocli sets required options
public final class Versus extends BenchCommand {
    private static final int RATIO_COLUMN = 2;

    /** JVMs of a pair, one for each order. */
    private static final int ORDERS = 2;

    @Parameters(
            index = "0",
            paramLabel = "BENCHMARK",
            description =
                    "Package below io.summarizer.bench, class and method, as in decode.EventProgramBenchmark.process.")
    private String benchmark;

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "FIELD=VALUE",
            description = "Parameters of the benchmark.")
    private List<String> fields = List.of();

    @Option(
            names = "--against",
            required = true,
            paramLabel = "DIR",
            description = "The other checkout; it is built if necessary.")
    private Path against;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            description = "Number of pairs of JVMs, at least " + PairedRatios.LEAST + ". Default: ${DEFAULT-VALUE}.")
    private int pairs = PairedRatios.LEAST;

    @Option(names = "--turns", paramLabel = "N", description = "Turns in each JVM. Default: ${DEFAULT-VALUE}.")
    private int turns = 100;

    @Mixin
    private final Recording record = new Recording();

    @Override
    public Integer call() throws IOException, InterruptedException {
        atLeast(PairedRatios.LEAST, "--pairs", pairs);
        atLeast(1, "--turns", turns);
        for (String field : fields) {
            if (field.indexOf('=') < 1 || field.contains(",")) {
                throw unusable(field + " is not FIELD=VALUE, or has a comma");
            }
        }
        Path other = against.toAbsolutePath().normalize();
        Path bench = other.resolve("bin/bench");
        if (!Files.isExecutable(bench)) {
            throw new IOException(other + " is no checkout: it has no bin/bench");
        }
        // Builds the other checkout if its sources are newer than its classes.
        Processes.run(bench.toString(), "jmh", "-l");
        String section = (benchmark + " " + String.join(" ", fields)).strip() + " against "
                + Provenance.of(other).commit();
        List<String> rows = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            double product = 1;
            for (int order = 0; order < ORDERS; order++) {
                List<String> arguments = new ArrayList<>(List.of(
                        home.toAbsolutePath().normalize().toString(),
                        other.toString(),
                        Boolean.toString(order == 1),
                        benchmark,
                        Integer.toString(turns)));
                arguments.addAll(fields);
                List<String> figures = SectionProcess.run(
                        section, ManagementFactory.getRuntimeMXBean().getInputArguments(), VersusMain.class, arguments);
                rows.addAll(figures);
                product *= Double.parseDouble(figures.get(figures.size() - 1).split(",")[RATIO_COLUMN]);
            }
            ratios.add(Math.pow(product, 1.0 / ORDERS));
        }
        System.out.println(section + ": " + PairedRatios.of(ratios));
        record.add(home, rows);
        return 0;
    }
}
