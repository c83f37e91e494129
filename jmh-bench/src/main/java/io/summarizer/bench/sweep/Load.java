package io.summarizer.bench.sweep;

import java.util.List;

/**
 * A rate at which events are offered: either a number of events per second, or a share of the throughput that the
 * workload's first run had. All points of a workload get the same rates, so that their latencies can be compared.
 */
public record Load(double value, boolean share) {
    private static final int DIGITS = 2;

    /** A share of the reference throughput. */
    public static Load share(double share) {
        return new Load(share, true);
    }

    /** Events per second. */
    public static Load rate(double perSecond) {
        return new Load(perSecond, false);
    }

    /**
     * Returns the distinct rates of loads in events per second, in ascending order. A rate that is computed from a
     * share is rounded to two digits.
     */
    static List<Long> rates(List<Load> loads, double reference) {
        return loads.stream()
                .map(load -> load.share ? rounded(load.value * reference) : Math.round(load.value))
                .distinct()
                .sorted()
                .toList();
    }

    private static long rounded(double rate) {
        double unit = Math.max(1, Math.pow(10, Math.floor(Math.log10(Math.max(1, rate))) - DIGITS + 1));
        return Math.max(1, (long) (Math.round(rate / unit) * unit));
    }
}
