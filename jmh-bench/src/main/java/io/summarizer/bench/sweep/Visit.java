package io.summarizer.bench.sweep;

import java.util.List;
import java.util.OptionalDouble;

/**
 * One visit: a server with the values of one point is started and measured once, its throughput first, then its latency
 * at some loads.
 *
 * @param run number of the visit to its point, from 1
 */
public record Visit(Point point, int run, List<Load> loads) {
    public Visit {
        loads = List.copyOf(loads);
    }

    /** Whether the results have all rows of the visit, failed or not. */
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
     * Throughput of the first run of this workload. It comes from the file of results, so a sweep that continues the
     * file gets the same number.
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
