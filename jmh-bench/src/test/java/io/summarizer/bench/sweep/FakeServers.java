package io.summarizer.bench.sweep;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** A measurer with known results. Each visit takes ten seconds of its clock. */
final class FakeServers implements Measurer {
    private static final PrintStream NOWHERE =
            new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);

    static final Duration VISIT = Duration.ofSeconds(10);

    private final ToDoubleFunction<Visit> throughput;
    final List<Visit> visits = new ArrayList<>();
    long nanos;

    FakeServers(ToDoubleFunction<Visit> throughput) {
        this.throughput = throughput;
    }

    @Override
    public void measure(Visit visit, Results results) throws IOException {
        visits.add(visit);
        nanos += VISIT.toNanos();
        Point point = visit.point();
        if (results.row(point, visit.run(), Kind.THROUGHPUT, 0).isEmpty()) {
            double perSecond = throughput.applyAsDouble(visit);
            results.add(
                    perSecond > 0
                            ? Row.ok(
                                    "fake",
                                    point,
                                    visit.run(),
                                    Kind.THROUGHPUT,
                                    0,
                                    Map.of(Metric.EVENTS_PER_S, perSecond))
                            : Row.failed("fake", point, visit.run(), Kind.THROUGHPUT, 0, "refused"),
                    List.of());
        }
        for (long rate : visit.missing(results)) {
            results.add(
                    Row.ok("fake", point, visit.run(), Kind.LATENCY, rate, Map.of(Metric.LATENCY_P99_US, 1.0)),
                    List.of());
        }
    }

    @Override
    public Duration estimate(Visit visit) {
        return VISIT;
    }

    /** Makes a sweep over these servers by their clock. */
    Sweeper sweeper(SweepPlan plan, Results results) {
        return new Sweeper(plan, this, results, new Progress(NOWHERE, false), () -> nanos);
    }
}
