package io.summarizer.bench.command;

import io.summarizer.bench.plot.Axis;
import io.summarizer.bench.plot.Chart;
import io.summarizer.bench.plot.Chart.Point;
import io.summarizer.bench.plot.Figure;
import io.summarizer.bench.plot.Style;
import io.summarizer.bench.plot.Units;
import io.summarizer.core.sketch.MultisetArena;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import net.agkn.hll.HLL;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the error of a {@code multiset64}'s estimate for different numbers of distinct values. For comparison,
 * measures the error of java-hll with the same hashes. java-hll has the classic estimator, like PostgreSQL.
 */
@Command(
        description = {
            "Measures the errors of estimated numbers of distinct values, and java-hll's errors with the same hashes.",
            "Each trial adds random hashes to one set, and reads the estimate at each size in the results. The command writes"
                    + " jmh-bench/results/distinct-error.csv and docs/images/distinct-error.svg; the same seed gives the same files."
        })
public final class DistinctError extends BenchCommand {
    private static final int LOG2M = 11;
    private static final int REGWIDTH = 5;
    private static final double THEORY = 1.04 / Math.sqrt(1 << LOG2M);
    private static final Style OURS = Style.of(0);
    private static final Style CLASSIC = Style.of(1);
    private static final Style BOUND = Style.dashed(5);
    private static final int[] SIZES = {
        1, 2, 3, 5, 10, 20, 32, 50, 80, 120, 160, 200, 260, 320, 321, 400, 500, 650, 800, 1_000, 1_300, 1_600, 2_000,
        2_500, 3_000, 3_500, 4_000, 4_500, 5_000, 5_500, 6_000, 7_000, 8_000, 10_000, 13_000, 16_000, 20_000, 30_000,
        50_000, 70_000, 100_000
    };

    @Option(names = "--trials", paramLabel = "N", description = "Number of trials. Default: ${DEFAULT-VALUE}.")
    private int trials = 10_000;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the hashes. Default: ${DEFAULT-VALUE}.")
    private long seed = 20_261_120;

    private final Errors[] ours = errors();
    private final Errors[] classic = errors();

    @Override
    public Integer call() throws IOException {
        atLeast(1, "--trials", trials);
        SplittableRandom random = new SplittableRandom(seed);
        for (int trial = 0; trial < trials; trial++) {
            trial(random);
        }
        write();
        return 0;
    }

    private void trial(SplittableRandom random) {
        MultisetArena arena = new MultisetArena(LOG2M, REGWIDTH);
        HLL reference = new HLL(LOG2M, REGWIDTH);
        int handle = 0;
        int values = 0;
        for (int i = 0; i < SIZES.length; i++) {
            for (; values < SIZES[i]; values++) {
                long hash = random.nextLong();
                handle = arena.add(handle, hash);
                reference.addRaw(hash);
            }
            ours[i].add(arena.freeze().cardinality(handle), values);
            classic[i].add(reference.cardinality(), values);
        }
    }

    private void write() throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add(
                "values,trials,seed,exact_share,rms_error,bias,java_hll_exact_share,java_hll_rms_error,java_hll_bias,theory");
        for (int i = 0; i < SIZES.length; i++) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%d,%d,%d,%.4f,%.5f,%.5f,%.4f,%.5f,%.5f,%.5f",
                    SIZES[i],
                    trials,
                    seed,
                    ours[i].exactShare(),
                    ours[i].rms(),
                    ours[i].bias(),
                    classic[i].exactShare(),
                    classic[i].rms(),
                    classic[i].bias(),
                    THEORY));
        }
        Path results = home.resolve("jmh-bench/results/distinct-error.csv");
        Files.write(results, lines);
        Path plot = home.resolve("docs/images/distinct-error.svg");
        Files.writeString(plot, figure().svg());
        lines.forEach(System.out::println);
        System.out.println("written: " + results + ", " + plot);
    }

    private Figure figure() {
        return new Figure("Errors of distinct counts", 1, 860, 360)
                .entry("multiset64", OURS)
                .entry("java-hll, classic estimator", CLASSIC)
                .entry("1.04 / sqrt(registers)", BOUND)
                .add(rmsChart())
                .add(biasChart());
    }

    private Chart rmsChart() {
        double last = SIZES[SIZES.length - 1];
        return chart("Root mean square error of multiset64 with 2,048 registers", "RMS error, %", 0, 4)
                .line(OURS, points(ours, Errors::rms))
                .line(CLASSIC, points(classic, Errors::rms))
                .curve(BOUND, List.of(new Point(1, 100 * THEORY), new Point(last, 100 * THEORY)));
    }

    private Chart biasChart() {
        return chart("Bias: how far the mean of all trials is off", "bias, %", -0.5, 2.5)
                .line(OURS, points(ours, Errors::bias))
                .line(CLASSIC, points(classic, Errors::bias));
    }

    private static Chart chart(String title, String yLabel, double yMin, double yMax) {
        return new Chart(
                title,
                Axis.logarithmic("distinct values in the set", 1, SIZES[SIZES.length - 1], Units::si),
                Axis.linear(yLabel, yMin, yMax, Units::si));
    }

    private static List<Point> points(Errors[] errors, ToDoubleFunction<Errors> value) {
        return IntStream.range(0, SIZES.length)
                .mapToObj(i -> new Point(SIZES[i], 100 * value.applyAsDouble(errors[i])))
                .toList();
    }

    private static Errors[] errors() {
        return IntStream.range(0, SIZES.length).mapToObj(i -> new Errors()).toArray(Errors[]::new);
    }

    /** Relative errors for one number of distinct values. */
    private static final class Errors {
        private int count;
        private int exact;
        private double sum;
        private double squares;

        void add(long estimate, int values) {
            double error = (double) estimate / values - 1;
            count++;
            exact += estimate == values ? 1 : 0;
            sum += error;
            squares += error * error;
        }

        double exactShare() {
            return (double) exact / count;
        }

        double rms() {
            return Math.sqrt(squares / count);
        }

        double bias() {
            return sum / count;
        }
    }
}
