package io.summarizer.bench.command;

import io.summarizer.bench.report.Provenance;
import io.summarizer.bench.sweep.Defaults;
import io.summarizer.bench.sweep.Dimension;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.GarbageCollectors;
import io.summarizer.bench.sweep.Input;
import io.summarizer.bench.sweep.Jdks;
import io.summarizer.bench.sweep.LeadersPlan;
import io.summarizer.bench.sweep.ListedPlan;
import io.summarizer.bench.sweep.Load;
import io.summarizer.bench.sweep.MachineStalls;
import io.summarizer.bench.sweep.Objective;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Presets;
import io.summarizer.bench.sweep.Progress;
import io.summarizer.bench.sweep.Results;
import io.summarizer.bench.sweep.SearchPlan;
import io.summarizer.bench.sweep.ServerMeasurer;
import io.summarizer.bench.sweep.Space;
import io.summarizer.bench.sweep.SweepPlan;
import io.summarizer.bench.sweep.Sweeper;
import io.summarizer.bench.sweep.Task;
import io.summarizer.bench.sweep.Timing;
import io.summarizer.bench.sweep.Visit;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.demo.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * Measures real servers under load over loopback: throughput, cost, and the time until an event is visible. A point is
 * one configuration; each point is measured with a server of its own.
 *
 * <p>The class is longer than 500 lines because the many options of a sweep take 120 lines.
 */
@Command(
        description = {
            "Starts a server for each point of a plan, sends events to the server, and records figures of the server.",
            "To continue a sweep that was ended, give the same --out: runs in this file are not repeated.",
            "",
            "VALUE is a list with commas. Without an option, a factor keeps the value of the configuration file.",
            "In a search, a factor without an option gets all values that make sense on this machine."
        })
public final class Sweep extends BenchCommand {
    private static final double NO_BUDGET_HOURS = 1000;
    private static final Duration QUICK = Duration.ofSeconds(580);
    private static final int LATE_PERCENT = 70;
    private static final double ASK_SECONDS = 3600;
    private static final int FULL_LEADERS = 2;
    private static final double STALL_SECONDS = 5;

    private final PrintStream out = System.out;

    @Option(
            names = "--quick",
            description = "Measure a selection of important points, in ten minutes. Overrides --plan.")
    private boolean quick;

    @Option(
            names = "--full",
            description =
                    "Measure all queues, worker counts, modes and JDKs of the article, and more: about 45 minutes with two JDKs."
                            + " Overrides --plan.")
    private boolean full;

    @Option(
            names = "--plan",
            paramLabel = "PLAN",
            description = "grid: all combinations; one-at-a-time: one factor differs from the default; search: tries"
                    + " neighbours of the best point. Default: one-at-a-time.")
    private PlanKind plan = PlanKind.ONE_AT_A_TIME;

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description = "Time for all runs, such as 90s, 20m or 2h. No run begins that would end after this time. A"
                    + " search needs this option.",
            converter = DurationConverter.class)
    private @Nullable Duration budget;

    @Option(
            names = "--for",
            paramLabel = "throughput|cpu",
            description = "Figure that a search improves. Default: throughput.")
    private Objective objective = Objective.THROUGHPUT;

    @Option(names = "--workload", split = ",", description = "Workloads: v1, v2. Default: both.")
    private List<String> workloads = List.of("v1", "v2");

    @Option(
            names = "--input",
            paramLabel = "FILE",
            description =
                    "Send the messages of this file instead of a workload's: syslog lines or frames, compressed or not.")
    private @Nullable Path input;

    @Option(names = "--definitions", paramLabel = "DIR", description = "Definitions for --input. Default: schemas.")
    private @Nullable Path definitions;

    @Option(names = "--queues", split = ",", description = "Pairs of queues, one for each stage: lbq-lbq,mpmc-mpsc.")
    private List<String> queues = List.of();

    @Option(names = "--wait", split = ",", description = "Wait policies, the same for both stages.")
    private List<String> waits = List.of();

    @Option(names = "--capacity", split = ",", description = "Capacities of queues, the same for both stages.")
    private List<String> capacities = List.of();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = {
                "A setting of all servers, as for serve. The setting of a factor changes the default point.",
                "The results do not record any other setting, so use a separate --out for a sweep with such a setting."
            })
    private List<String> sets = List.of();

    @Option(
            names = "--repeats",
            paramLabel = "N",
            description = "Runs of each point. Default: 3. With --full: 1, and 3 more runs of each of the best points.")
    private int repeats;

    @Option(names = "--seconds", paramLabel = "S", description = "Time of full load. Default: ${DEFAULT-VALUE}.")
    private double seconds = 3;

    @Option(
            names = "--warm-up",
            paramLabel = "S",
            description = "Longest time to warm up before measuring. Default: ${DEFAULT-VALUE}.")
    private double warmUp = 10;

    @Option(
            names = "--load-seconds",
            paramLabel = "S",
            description = "Time at each rate at which latency is measured. Default: ${DEFAULT-VALUE}.")
    private double loadSeconds = 4;

    @Option(
            names = "--loads",
            split = ",",
            description =
                    "Also measure latency at these shares of the throughput in the workload's first run: 0.25,0.5,0.75.")
    private List<Double> shares = List.of();

    @Option(names = "--rates", split = ",", description = "Also measure latency at these rates in events a second.")
    private List<Double> rates = List.of();

    @Option(
            names = "--pull-pause",
            paramLabel = "S",
            description = "Time between two of the pulls that measure latency. A shorter one resolves more, and costs"
                    + " the server more. Default: ${DEFAULT-VALUE}.")
    private double pullPause = Timing.PULL_PAUSE;

    @Option(names = "--events", paramLabel = "N", description = "Events in a workload's file. It is sent repeatedly.")
    private long events;

    @Option(
            names = "--limit",
            paramLabel = "S",
            description = "Longest time of a visit to a point. Default: ${DEFAULT-VALUE}.")
    private double limit = 120;

    @Option(names = "--seed", paramLabel = "N", description = "Seed of the order in which points are measured.")
    private long seed = 1;

    @Option(names = "--out", paramLabel = "FILE", description = "Results. Default: jmh-bench/results/sweep-NAME.csv.")
    private @Nullable Path file;

    @Option(names = "--name", description = "Name of the sweep in the results. Default: its plan.")
    private @Nullable String name;

    @Option(names = "--list", description = "Only list the points and their expected time.")
    private boolean list;

    @Option(names = "--yes", description = "Run the sweep even if it takes more than an hour.")
    private boolean yes;

    /** Kinds of plans. */
    enum PlanKind {
        GRID,
        ONE_AT_A_TIME,
        SEARCH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Parses {@code 90s}, {@code 20m}, {@code 2h}. */
    static final class DurationConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            if (!text.matches("\\d+[smh]")) {
                throw new CommandLine.TypeConversionException("'" + text + "' is not a time such as 90s, 20m, 2h");
            }
            return Duration.parse("PT" + text.toUpperCase(Locale.ROOT));
        }
    }

    /** Parses {@code 0}, {@code 500us}, {@code 1ms} to microseconds. */
    static final class MicrosConverter implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            if (text.matches("0|\\d{1,9}us")) {
                return text.replace("us", "");
            }
            if (text.matches("\\d{1,9}ms")) {
                return "" + 1000 * Long.parseLong(text.replace("ms", ""));
            }
            throw new CommandLine.TypeConversionException("'" + text + "' is not a time such as 0, 500us or 1ms");
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException, ConfigException {
        long start = System.nanoTime();
        if (input == null && definitions != null) {
            throw unusable("--definitions is for --input");
        }
        if (input == null) {
            among(List.of("v1", "v2"), "workload", workloads);
        }
        Jdks found = Jdks.find(System.getenv());
        List<Space> spaces = spaces(found);
        Timing timing = quick
                ? new Timing(8, 2, 2, limit, pullPause)
                : full
                        ? new Timing(8, 2, 3, limit, pullPause)
                        : new Timing(warmUp, seconds, loadSeconds, limit, pullPause);
        String sweep = name != null ? name : quick ? "quick" : full ? "full" : plan.toString();
        Duration time = time();
        BooleanSupplier late = () -> System.nanoTime() - start > time.toNanos() / 100 * LATE_PERCENT;
        SweepPlan chosen = plan(spaces, found, late);
        Path results = file != null ? file : home.resolve("jmh-bench/results/sweep-" + sweep + ".csv");
        Results known = Results.open(results, Provenance.of(home));
        if (!announce(chosen, known, timing, time)) {
            return 1;
        }
        if (list) {
            return 0;
        }
        boolean isDone = chosen.left(known).filter(List::isEmpty).isPresent();
        if (!isDone && (quick || full || plan == PlanKind.SEARCH || !loads().isEmpty())) {
            out.println(MachineStalls.measure(STALL_SECONDS));
        }
        return run(sweep, chosen, known, timing, found, start + time.toNanos()) ? 0 : 3;
    }

    private Duration time() {
        if (budget != null) {
            return budget;
        }
        if (plan == PlanKind.SEARCH && !quick && !full) {
            throw unusable("--plan search needs --budget, such as 20m");
        }
        return quick ? QUICK : Duration.ofSeconds((long) (3600 * NO_BUDGET_HOURS));
    }

    private SweepPlan plan(List<Space> spaces, Jdks found, BooleanSupplier late) {
        List<Point> bases = spaces.stream().map(Space::base).toList();
        List<Load> loads = loads();
        List<Task> tasks = new ArrayList<>();
        if (quick) {
            spaces.forEach(space -> tasks.addAll(Presets.quick(space, found.versions())));
            return new ListedPlan(bases, tasks, seed);
        }
        if (full) {
            int screened = Math.max(1, repeats);
            spaces.forEach(space -> tasks.addAll(Presets.full(space, found.versions(), screened)));
            return new LeadersPlan(new ListedPlan(bases, tasks, seed), bases, FULL_LEADERS, screened, Presets.loads());
        }
        if (plan == PlanKind.SEARCH) {
            return new SearchPlan(spaces, objective, loads.isEmpty() ? List.of(Load.share(0.5)) : loads, late);
        }
        for (Space space : spaces) {
            Collection<Point> points = plan == PlanKind.GRID ? space.grid() : space.oneAtATime();
            points.forEach(point -> tasks.add(new Task(point, repeats == 0 ? 3 : repeats, loads)));
        }
        return new ListedPlan(bases, tasks, seed);
    }

    private List<Load> loads() {
        List<Load> loads = new ArrayList<>();
        shares.stream().sorted().forEach(share -> loads.add(Load.share(share)));
        rates.stream().sorted().forEach(rate -> loads.add(Load.rate(rate)));
        return loads;
    }

    /**
     * Announces the visits. Returns whether the sweep may continue. A sweep of more than an hour may continue only if
     * {@code --yes} or {@code --list} is given.
     */
    private boolean announce(SweepPlan chosen, Results known, Timing timing, Duration time) {
        List<Visit> visits = chosen.left(known).orElse(List.of());
        double expected = visits.stream()
                .mapToDouble(visit -> timing.estimate(visit).toMillis() / 1e3)
                .sum();
        Set<Point> points = new LinkedHashSet<>();
        visits.forEach(visit -> points.add(visit.point()));
        if (list) {
            points.forEach(point -> out.println(point.id() + "  " + point));
        }
        out.printf(
                Locale.ROOT,
                "%s; %d rows are there already%n",
                visits.isEmpty() && chosen.left(known).isEmpty()
                        ? "a search of " + time.toMinutes() + " minutes"
                        : String.format(
                                Locale.ROOT,
                                "%d points, %d visits, about %.0f minutes; seed %d",
                                points.size(),
                                visits.size(),
                                expected / 60,
                                seed),
                known.rows().size());
        if (!list && !yes && Math.min(expected, time.toMillis() / 1e3) > ASK_SECONDS) {
            line().getErr().println("sweep: that is more than an hour; fewer values, --budget TIME, or --yes");
            return false;
        }
        return true;
    }

    /**
     * Runs the plan.
     *
     * @param endNanos end of the sweep's time; the sweep's time includes the time to build the server and to write the
     *     input
     */
    private boolean run(String sweep, SweepPlan chosen, Results known, Timing timing, Jdks found, long endNanos)
            throws IOException, InterruptedException {
        Path scratch = TemporaryFolder.createInMemory("summarizer-sweep").path();
        Thread cleaning = new Thread(
                () -> {
                    known.close(); // servers that abandon() ends have not failed
                    abandon(scratch);
                },
                "sweep-end");
        Runtime.getRuntime().addShutdownHook(cleaning);
        try (ServerMeasurer measurer = new ServerMeasurer(
                sweep,
                home,
                scratch,
                definitions != null ? definitions : home.resolve("schemas"),
                sets,
                found,
                inputs(scratch),
                timing)) {
            boolean terminal = System.getProperty("summarizer.terminal", "").contains("out");
            Sweeper sweeper = new Sweeper(chosen, measurer, known, new Progress(out, terminal), System::nanoTime);
            boolean done = sweeper.run(Duration.ofNanos(endNanos - System.nanoTime()));
            out.println(
                    done
                            ? "done: " + known.file()
                            : "the time is over; the same command goes on from here: " + known.file());
            return done || budget != null || quick;
        } finally {
            if (!known.isClosed()) {
                Runtime.getRuntime().removeShutdownHook(cleaning);
                TemporaryFolder.delete(scratch);
            }
        }
    }

    /** Ends the processes that this process started, and no others. Runs when this process is stopped. */
    private static void abandon(Path scratch) {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        try {
            TemporaryFolder.delete(scratch);
        } catch (IOException e) {
            System.err.println("sweep: " + scratch + " is left over: " + e.getMessage());
        }
    }

    private Map<String, Input> inputs(Path scratch) throws IOException {
        Map<String, Input> inputs = new LinkedHashMap<>();
        Path captured = input;
        if (captured != null) {
            inputs.put(workloadOf(captured), Input.captured(captured, scratch.resolve("input.log")));
            return inputs;
        }
        for (String workload : workloads) {
            long count = events > 0 ? events : Input.events(workload);
            inputs.put(workload, Input.generated(workload, count, scratch.resolve(workload + ".log")));
        }
        return inputs;
    }

    private static String workloadOf(Path captured) {
        return captured.toAbsolutePath().getFileName().toString().replaceAll("[,\\s\"]", "_");
    }

    private List<Space> spaces(Jdks found) throws IOException, ConfigException {
        Map<Factor, String> defaults = defaults(found);
        boolean search = plan == PlanKind.SEARCH && !quick && !full;
        List<Dimension> dimensions = new ArrayList<>();
        if (!quick && !full) {
            dimensions.addAll(dimensions(found, search));
        }
        List<String> names = input != null ? List.of(workloadOf(input)) : workloads;
        List<Space> spaces = new ArrayList<>();
        for (String workload : names) {
            Map<Factor, String> own = new EnumMap<>(defaults);
            own.put(Factor.WORKLOAD, workload);
            spaces.add(new Space(own, dimensions));
        }
        requireTaken(spaces.get(0));
        return spaces;
    }

    /** Checks the settings of all points before any server starts. */
    private void requireTaken(Space space) throws ConfigException {
        for (Point point : space.oneAtATime()) {
            if (!point.value(Factor.CONNECTIONS).matches("[1-9]\\d{0,3}")) {
                throw unusable("--connections " + point.value(Factor.CONNECTIONS) + " is not a number from 1 to 9999");
            }
            List<String> settings = new ArrayList<>(sets);
            settings.addAll(point.settings());
            var unused = Defaults.of(home, settings);
        }
    }

    /** Returns the values of the default point: those of the configuration file, as changed by {@code --set}. */
    private Map<Factor, String> defaults(Jdks found) throws IOException, ConfigException {
        Map<Factor, String> values = Defaults.of(home, sets);
        values.put(Factor.GC, GarbageCollectors.SHIPPED);
        values.put(Factor.CONNECTIONS, "2");
        values.put(Factor.JDK, found.version(System.getProperty("java.home")));
        return values;
    }

    /** Adds an option for the values of each factor. */
    @Override
    void addOptions(CommandSpec specification) {
        for (Factor factor : Factor.values()) {
            if (factor.help() != null) {
                OptionSpec.Builder option = OptionSpec.builder(factor.option())
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .splitRegex(",")
                        .paramLabel("VALUE")
                        .description(factor.help());
                specification.addOption(
                        (factor == Factor.LINGER_US ? option.converters(new MicrosConverter()) : option).build());
            }
        }
    }

    /** Returns the values of a factor's option. */
    private List<String> given(Factor factor) {
        return line().getParseResult().matchedOptionValue(factor.option(), List.of());
    }

    private List<Dimension> dimensions(Jdks found, boolean search) throws IOException {
        List<Dimension> all = new ArrayList<>();
        if (!queues.isEmpty()
                || (search
                        && given(Factor.PARSE_QUEUE).isEmpty()
                        && given(Factor.OWNER_QUEUE).isEmpty())) {
            all.add(pairs(queues.isEmpty() ? Presets.pairs() : queues));
        }
        List<String> allWaits = waits.isEmpty() && search ? List.of("blocking", "sleeping", "yielding") : waits;
        if (!allWaits.isEmpty()) {
            all.add(Dimension.tied("wait", Factor.PARSE_WAIT, Factor.OWNER_WAIT, allWaits));
        }
        List<String> allCapacities = capacities.isEmpty() && search ? List.of("16", "64", "256", "1024") : capacities;
        if (!allCapacities.isEmpty()) {
            all.add(Dimension.tied("capacity", Factor.PARSE_CAPACITY, Factor.OWNER_CAPACITY, allCapacities));
        }
        among(GarbageCollectors.names(), "collector", given(Factor.GC));
        List<String> some = counts(Math.max(3, Math.min(16, Runtime.getRuntime().availableProcessors())));
        Map<Factor, List<String>> searched = Map.of(
                Factor.MODE,
                List.of("queued", "inline", "locked"),
                Factor.NETTY_WORKERS,
                some,
                Factor.PARSE_WORKERS,
                some,
                Factor.OWNER_WORKERS,
                some,
                Factor.BATCH_MESSAGES,
                List.of("0", "64", "512"),
                Factor.JDK,
                found.versions());
        for (Factor factor : Factor.values()) {
            List<String> values = new ArrayList<>();
            for (String value : given(factor)) {
                values.addAll(
                        factor != Factor.JDK
                                ? List.of(value)
                                : value.equals("all") ? found.versions() : List.of(found.version(value)));
            }
            if (values.isEmpty() && search) {
                values.addAll(searched.getOrDefault(factor, List.of()));
            }
            if (factor.help() != null && !values.isEmpty()) {
                all.add(Dimension.of(factor, values));
            }
        }
        return all;
    }

    private Dimension pairs(List<String> pairs) {
        List<Map<Factor, String>> choices = new ArrayList<>();
        for (String pair : pairs) {
            String[] both = pair.split("-");
            if (both.length != 2) {
                throw unusable("'" + pair + "' is no pair such as lbq-mpsc");
            }
            choices.add(Map.of(Factor.PARSE_QUEUE, both[0], Factor.OWNER_QUEUE, both[1]));
        }
        return new Dimension("queues", choices, false);
    }

    private static List<String> counts(int max) {
        List<String> counts = new ArrayList<>();
        for (int i = 1; i <= max; i += i < 4 ? 1 : i) {
            counts.add("" + i);
        }
        return counts;
    }
}
