package io.summarizer.bench.sweep;

import io.summarizer.bench.e2e.SenderProcess;
import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.bench.report.Processes;
import io.summarizer.core.queue.Threads;
import io.summarizer.server.demo.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Visits points with real servers. Each server runs in a process of its own, started by {@code bin/summarizer} as for
 * users. The sender runs in another process. This process measures server and sender from outside. Used by one thread.
 */
public final class ServerMeasurer implements Measurer, AutoCloseable {
    private final String sweep;
    private final Path home;
    private final Path scratch;
    private final Path definitions;
    private final List<String> settings;
    private final Jdks jdks;
    private final Map<String, Input> inputs;
    private final Timing timing;
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(Threads.factory("visit-limit"));

    /**
     * Makes a measurer.
     *
     * @param sweep name of the sweep in its rows
     * @param home the project's root
     * @param scratch an empty folder, in memory where possible
     * @param definitions the definitions of the workloads
     * @param settings {@code key=value} settings of all servers; the settings of a point override these
     * @param inputs the input of each workload
     */
    public ServerMeasurer(
            String sweep,
            Path home,
            Path scratch,
            Path definitions,
            List<String> settings,
            Jdks jdks,
            Map<String, Input> inputs,
            Timing timing)
            throws IOException, InterruptedException {
        this.sweep = sweep;
        this.home = home;
        this.scratch = scratch;
        this.definitions = scratch.resolve("definitions");
        this.settings = settings.stream()
                .filter(setting -> !Factor.isKey(setting.substring(0, Math.max(0, setting.indexOf('=')))))
                .toList();
        this.jdks = jdks;
        this.inputs = Map.copyOf(inputs);
        this.timing = timing;
        Probe.define(definitions, this.definitions);
        // Builds the server if sources changed, before any visit begins.
        Processes.run(home.resolve("bin/summarizer").toString(), "--help");
    }

    @Override
    public Duration estimate(Visit visit) {
        return timing.estimate(visit);
    }

    @Override
    public void measure(Visit visit, Results results) throws IOException, InterruptedException {
        Path folder = Files.createDirectory(scratch.resolve("visit"));
        AtomicBoolean overdue = new AtomicBoolean();
        Point point = visit.point();
        Input input = inputs.get(point.value(Factor.WORKLOAD));
        if (input == null) {
            throw new IllegalArgumentException("nothing to send as " + point.value(Factor.WORKLOAD));
        }
        try (ServerProcess server = ServerProcess.start(launch(point, folder));
                SenderProcess sender =
                        SenderProcess.start(input.file(), server.syslog().getPort())) {
            ScheduledFuture<?> limit = watch.schedule(
                    () -> {
                        overdue.set(true);
                        sender.kill();
                        server.kill();
                    },
                    (long) (1000 * timing.limit()),
                    TimeUnit.MILLISECONDS);
            try {
                ServerRun run = new ServerRun(
                        server,
                        sender,
                        input,
                        new GcLog(folder.resolve("gc.log")),
                        Integer.parseInt(point.value(Factor.CONNECTIONS)));
                measure(visit, results, run);
            } finally {
                limit.cancel(false);
            }
        } catch (IOException | RuntimeException e) {
            String reason = overdue.get()
                    ? "not done within " + timing.limit() + " s"
                    : e.getMessage() == null ? e.toString() : e.getMessage();
            fail(visit, results, reason);
        } finally {
            TemporaryFolder.delete(folder);
        }
    }

    private ServerProcess.Launch launch(Point point, Path folder) {
        Path data = folder.resolve("data");
        List<String> all = new ArrayList<>(settings);
        all.addAll(List.of("definitions=" + definitions, "data=" + data));
        all.addAll(point.settings());
        List<String> options = new ArrayList<>(GarbageCollectors.flags(point.value(Factor.GC)));
        options.add(new GcLog(folder.resolve("gc.log")).option());
        return new ServerProcess.Launch(
                home, data, all, jdks.home(point.value(Factor.JDK)), options, folder.resolve("server.log"));
    }

    private void measure(Visit visit, Results results, ServerRun run) throws IOException, InterruptedException {
        Point point = visit.point();
        run.warmUp(timing.warmUp());
        if (results.row(point, visit.run(), Kind.THROUGHPUT, 0).isEmpty()) {
            ServerRun.Outcome outcome = run.throughput(timing.measure());
            results.add(Row.ok(sweep, point, visit.run(), Kind.THROUGHPUT, 0, outcome.figures()), outcome.series());
        }
        for (long rate : visit.missing(results)) {
            ServerRun.Outcome outcome = run.latency(rate, timing.load(), timing.pullPause());
            results.add(Row.ok(sweep, point, visit.run(), Kind.LATENCY, rate, outcome.figures()), outcome.series());
        }
    }

    /** Adds a row for the part that failed, and for each part after it. */
    private void fail(Visit visit, Results results, String reason) throws IOException {
        Point point = visit.point();
        if (results.row(point, visit.run(), Kind.THROUGHPUT, 0).isEmpty()) {
            results.add(Row.failed(sweep, point, visit.run(), Kind.THROUGHPUT, 0, reason), List.of());
            return;
        }
        // The rates ascend. After a failure, higher rates were not measured, because they would only show the effects
        // of the failure.
        List<Long> missing = visit.missing(results);
        for (long rate : missing) {
            String why = rate == missing.get(0) ? reason : "not tried: " + missing.get(0) + " events a second failed";
            results.add(Row.failed(sweep, point, visit.run(), Kind.LATENCY, rate, why), List.of());
        }
    }

    @Override
    public void close() {
        var unused = watch.shutdownNow();
    }
}
