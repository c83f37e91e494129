package io.summarizer.bench.command;

import io.summarizer.bench.e2e.PairedRatios;
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
            "Both run in one JVM, in turns of 20 ms. So the noise of the machine, which disturbs runs one after the"
                    + " other by a fifth and more, is the same for both. What the JIT compiler makes of the same code"
                    + " differs by some percent from JVM to JVM, so the comparison is repeated in several JVMs."
        })
@SuppressWarnings("NullAway.Init") // picocli sets required options
public final class Versus extends BenchCommand {
    private static final int RATIO_COLUMN = 2;

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
            description = "The other checkout; bin/bench was built there.")
    private Path against;

    @Option(
            names = "--jvms",
            paramLabel = "N",
            description = "Number of JVMs, at least " + PairedRatios.LEAST + ". Default: ${DEFAULT-VALUE}.")
    private int jvms = 8;

    @Option(names = "--turns", paramLabel = "N", description = "Turns in each JVM. Default: ${DEFAULT-VALUE}.")
    private int turns = 100;

    @Mixin
    private final Recording record = new Recording();

    @Override
    public Integer call() throws IOException, InterruptedException {
        atLeast(PairedRatios.LEAST, "--jvms", jvms);
        atLeast(1, "--turns", turns);
        for (String field : fields) {
            if (field.indexOf('=') < 1) {
                throw unusable(field + " is not FIELD=VALUE");
            }
        }
        Path other = against.toAbsolutePath().normalize();
        if (!Files.isDirectory(other.resolve("jmh-bench/target/lib"))) {
            throw new IOException(other + " has no benchmarks that were built: run bin/bench jmh -l there");
        }
        String section = (benchmark + " " + String.join(" ", fields)).strip() + " against "
                + Provenance.of(other).commit();
        List<String> rows = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int jvm = 0; jvm < jvms; jvm++) {
            List<String> arguments = new ArrayList<>(List.of(
                    home.toAbsolutePath().normalize().toString(),
                    other.toString(),
                    Boolean.toString(jvm % 2 == 1),
                    benchmark,
                    Integer.toString(turns)));
            arguments.addAll(fields);
            List<String> figures = SectionProcess.run(
                    section, ManagementFactory.getRuntimeMXBean().getInputArguments(), VersusMain.class, arguments);
            rows.addAll(figures);
            ratios.add(Double.parseDouble(figures.get(figures.size() - 1).split(",")[RATIO_COLUMN]));
        }
        System.out.println(section + ": " + PairedRatios.of(ratios));
        record.add(home, rows);
        return 0;
    }
}
