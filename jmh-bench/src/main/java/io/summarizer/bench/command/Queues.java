package io.summarizer.bench.command;

import io.summarizer.bench.queue.EntryBenchmark;
import io.summarizer.bench.queue.FalseSharingBenchmark;
import io.summarizer.bench.queue.GrowthSection;
import io.summarizer.bench.queue.PingPongBenchmark;
import io.summarizer.bench.queue.QueueBenchmark;
import io.summarizer.bench.queue.Shape;
import io.summarizer.bench.report.SectionProcess;
import io.summarizer.core.queue.WaitPolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the cost of queues with a selection of the queue benchmarks, in about five minutes on two cores. */
@Command(
        description = {
            "Measures the cost of queues, in about five minutes on two cores. The sections:",
            "threads: batches a second, by the numbers of producers and consumers, 1 to 8 of each",
            "capacity: batches a second, by the queue's capacity",
            "handover: time that a producer and a consumer need for each batch",
            "roundtrip: time of a batch to another thread and back, for each way of waiting",
            "entries: a ring whose entries contain data, compared with a ring of references",
            "sharing: counters and queues with and without padding",
            "growth: a queue without a bound"
        })
public final class Queues extends BenchCommand {
    private static final List<String> SECTIONS =
            List.of("threads", "capacity", "handover", "roundtrip", "entries", "sharing", "growth");
    private static final int CAPACITY = 256;

    private final List<String> results = new ArrayList<>();

    @Option(names = "--sections", split = ",", paramLabel = "NAME", description = "Sections to run. Default: all.")
    private List<String> sections = SECTIONS;

    @Option(names = "--queues", split = ",", paramLabel = "NAME", description = "Default: all; ${DEFAULT-VALUE}.")
    private List<String> queues = Shape.names();

    @Mixin
    private final Recording record = new Recording();

    @Option(names = "--quick", description = "Run a smoke test, whose figures mean nothing.")
    private boolean quick;

    @Override
    public Integer call() throws IOException, InterruptedException, RunnerException {
        among(SECTIONS, "section", sections);
        among(Shape.names(), "queue", queues);
        measure();
        record.add(home, results);
        return 0;
    }

    private void measure() throws IOException, InterruptedException, RunnerException {
        for (String section : sections) {
            System.out.println(section);
            switch (section) {
                case "threads" -> threads();
                case "capacity" -> capacity();
                case "handover" -> handOver();
                case "roundtrip" -> roundTrip();
                case "entries" -> entries();
                case "sharing" -> sharing();
                default -> growth();
            }
        }
    }

    private void threads() throws RunnerException {
        for (String queue : queues) {
            for (int threads : new int[] {1, 2, 4, 8}) {
                int consumers = Shape.of(queue).isShared() ? threads : 1;
                handedOver("threads", queue, consumers, threads, CAPACITY);
            }
        }
    }

    private void capacity() throws RunnerException {
        for (String queue : queues) {
            for (int capacity : new int[] {64, 4_096, 65_536}) {
                handedOver("capacity", queue, 1, 1, capacity);
            }
        }
    }

    /** Measures the batches that consumers take per second. A batch that stays in the queue does not count. */
    private void handedOver(String section, String queue, int consumers, int producers, int capacity)
            throws RunnerException {
        ChainedOptionsBuilder options = options(QueueBenchmark.class, "handOver")
                .threadGroups(consumers, producers)
                .param("queue", queue)
                .param("capacity", Integer.toString(capacity));
        for (RunResult run : new Runner(options.build()).run()) {
            double taken = part(run, "consume").getScore();
            row(section, queue + '-' + producers + "-to-" + consumers + "-capacity-" + capacity, taken, "batches/us");
        }
    }

    private void handOver() throws RunnerException {
        for (String queue : queues) {
            ChainedOptionsBuilder options = options(QueueBenchmark.class, "handOver")
                    .mode(Mode.SampleTime)
                    .param("queue", queue)
                    .param("capacity", Integer.toString(CAPACITY));
            for (RunResult run : new Runner(options.build()).run()) {
                percentiles("handover", queue + "-produce", part(run, "produce"));
                percentiles("handover", queue + "-consume", part(run, "consume"));
            }
        }
    }

    private void roundTrip() throws RunnerException {
        for (String queue : queues) {
            for (WaitPolicy wait : Shape.of(queue).waits()) {
                ChainedOptionsBuilder options = options(PingPongBenchmark.class, "roundTrip")
                        .param("queue", queue)
                        .param("wait", wait.name());
                String name = queue + '-' + wait.name().toLowerCase(Locale.ROOT).replace('_', '-');
                for (RunResult run : new Runner(options.build()).run()) {
                    percentiles("roundtrip", name, part(run, "ping"));
                }
            }
        }
    }

    /** Returns the result of the threads that run a benchmark method. */
    private static Result<?> part(RunResult run, String method) {
        return Objects.requireNonNull(run.getSecondaryResults().get(method), method);
    }

    private void percentiles(String section, String name, Result<?> result) {
        Statistics times = result.getStatistics();
        for (Map.Entry<String, Double> percentile :
                new TreeMap<>(Map.of("p50", 50.0, "p90", 90.0, "p99", 99.0, "p999", 99.9)).entrySet()) {
            row(section, name + '-' + percentile.getKey(), times.getPercentile(percentile.getValue()), "us");
        }
    }

    private void entries() throws RunnerException {
        scores("entries", options(EntryBenchmark.class, "").param("capacity", "256"), "Consume", "events/us");
    }

    private void sharing() throws RunnerException {
        scores("sharing", options(FalseSharingBenchmark.class, ""), "", "ops/us");
    }

    /**
     * Reports the score of each run. If {@code side} is not empty, reports the score of the method whose name ends with
     * {@code side} instead.
     */
    private void scores(String section, ChainedOptionsBuilder options, String side, String unit)
            throws RunnerException {
        Collection<RunResult> runs = new Runner(options.build()).run();
        for (RunResult run : runs) {
            String benchmark = run.getParams().getBenchmark();
            StringBuilder name = new StringBuilder(benchmark.substring(benchmark.lastIndexOf('.') + 1));
            run.getParams()
                    .getParamsKeys()
                    .forEach(key -> name.append('-').append(run.getParams().getParam(key)));
            double score = run.getPrimaryResult().getScore();
            for (String part : run.getSecondaryResults().keySet()) {
                if (!side.isEmpty() && part.endsWith(side)) {
                    score = part(run, part).getScore();
                }
            }
            row(section, name.toString(), score, unit);
        }
    }

    private void growth() throws IOException, InterruptedException {
        List<String> flags =
                new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
        flags.add("-Xmx2g");
        results.addAll(SectionProcess.run("growth", flags, GrowthSection.class, List.of(quick ? "1" : "10")));
    }

    private ChainedOptionsBuilder options(Class<?> benchmark, String group) {
        return new OptionsBuilder()
                .include(benchmark.getName().replace(".", "\\.") + "\\." + group)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .forks(1)
                .warmupIterations(quick ? 1 : 2)
                .warmupTime(TimeValue.milliseconds(quick ? 50 : 500))
                .measurementIterations(quick ? 1 : 3)
                .measurementTime(TimeValue.milliseconds(quick ? 50 : 700));
    }

    private void row(String section, String name, double value, String unit) {
        results.add(SectionProcess.row(section, name, String.format(Locale.ROOT, "%.3f", value), unit));
    }
}
