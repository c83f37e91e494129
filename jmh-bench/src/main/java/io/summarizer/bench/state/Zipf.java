package io.summarizer.bench.state;

import java.util.Arrays;
import java.util.Random;

/**
 * Samples ranks by a table. The probability of a rank is proportional to rank^-exponent. Ranks are scattered over the
 * range.
 */
public final class Zipf {
    private final double[] cumulative;
    private final int[] scattered;

    /** Makes a distribution over 0 to {@code ranks} - 1. */
    public Zipf(int ranks, double exponent) {
        cumulative = new double[ranks];
        scattered = new int[ranks];
        double sum = 0;
        for (int i = 0; i < ranks; i++) {
            sum += Math.pow(i + 1, -exponent);
            cumulative[i] = sum;
            scattered[i] = i;
        }
        Random random = new Random(2);
        for (int i = ranks - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = scattered[i];
            scattered[i] = scattered[j];
            scattered[j] = swapped;
        }
    }

    /** Returns the next rank. */
    public int sample(Random random) {
        int at = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[cumulative.length - 1]);
        return scattered[Math.min(at < 0 ? -at - 1 : at, scattered.length - 1)];
    }
}
