package io.summarizer.bench.sweep;

import java.util.List;
import java.util.OptionalDouble;

/**
 * One visit of a point. A server with the point's values is started. Its throughput is measured once, then its latency
 * at some loads.
 *
 * @param run number of the point's visit, from 1 on
 */
public record Visit(Point point, int run, List<Load> loads) {
    public Visit {
        loads = List.copyOf(loads);
    }

    /** Whether the visit is complete. A visit is also complete when its throughput run failed. */
    boolean isDone(Results results) {
        return results.row(point, run, Kind.THROUGHPUT, 0)
                .map(row -> !row.isOk() || missing(results).isEmpty())
                .orElse(false);
    }

    /** Returns the rates, in events per second, at which latency is still to be measured, the lowest first. */
    List<Long> missing(Results results) {
        OptionalDouble reference = reference(results);
        if (loads.isEmpty() || reference.isEmpty()) {
            return List.of();
        }
        return Load.rates(loads, reference.getAsDouble()).stream()
                .filter(rate -> results.row(point, run, Kind.LATENCY, rate).isEmpty())
                .toList();
    }

    /**
     * Returns the throughput of this workload's first successful run. The throughput comes from the file of results, so
     * a sweep that continues the file uses the same number.
     */
    private OptionalDouble reference(Results results) {
        String workload = point.value(Factor.WORKLOAD);
        return results.rows().stream()
                .filter(row -> row.kind() == Kind.THROUGHPUT
                        && row.isOk()
                        && row.point().value(Factor.WORKLOAD).equals(workload))
                .flatMapToDouble(row -> row.figure(Metric.EVENTS_PER_S).stream())
                .findFirst();
    }
}
