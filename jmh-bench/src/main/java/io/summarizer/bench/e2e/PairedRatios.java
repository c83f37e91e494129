package io.summarizer.bench.e2e;

import java.util.List;
import java.util.Locale;

/**
 * Ratios of paired measurements, with a confidence interval for their true median. The interval comes from the sign
 * test (W. J. Conover, Practical Nonparametric Statistics, 3.2). The test assumes only that pairs do not influence each
 * other. For nine pairs, the interval is from the second smallest to the second largest ratio.
 *
 * @param median median of the ratios
 * @param low lower end of the interval
 * @param high upper end of the interval
 * @param pairs number of ratios
 */
public record PairedRatios(double median, double low, double high, int pairs) {
    /**
     * The smallest number of pairs for which there is an interval. With five pairs, even the range from the smallest to
     * the largest ratio is too uncertain.
     */
    public static final int LEAST = 6;

    /**
     * Greatest allowed probability that the true median lies below the interval. The probability that the median lies
     * above the interval has the same bound.
     */
    private static final double SIDE = 0.025;

    /** Makes the statistics of at least {@link #LEAST} ratios, in any order. */
    public static PairedRatios of(List<Double> ratios) {
        int count = ratios.size();
        if (count < LEAST) {
            throw new IllegalArgumentException(count + " pairs are fewer than " + LEAST);
        }
        List<Double> sorted = ratios.stream().sorted().toList();
        double median = (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2;
        int cut = ranksBeyond(count);
        return new PairedRatios(median, sorted.get(cut), sorted.get(count - 1 - cut), count);
    }

    /** Number of ratios on each side that the interval leaves out. */
    private static int ranksBeyond(int count) {
        double ways = 1; // number of ways to choose this many ratios
        double tail = Math.pow(0.5, count);
        int cut = 0;
        while (true) {
            ways = ways * (count - cut) / (cut + 1);
            tail += ways * Math.pow(0.5, count);
            if (tail > SIDE) {
                return cut;
            }
            cut++;
        }
    }

    /** Whether the interval excludes equal speed. */
    public boolean isAboveNoise() {
        return low > 1 || high < 1;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "median ratio %.3f of %d pairs, 95 %% interval %.3f to %.3f: %s",
                median,
                pairs,
                low,
                high,
                isAboveNoise() ? median > 1 ? "faster" : "slower" : "no difference above the noise");
    }
}
