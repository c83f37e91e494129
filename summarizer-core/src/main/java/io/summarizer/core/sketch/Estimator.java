package io.summarizer.core.sketch;

/**
 * Ertl's improved estimator of the cardinality of a set from its HyperLogLog registers (Otmar Ertl 2017, "New
 * cardinality estimation algorithms for HyperLogLog sketches", arXiv:1702.01284, algorithms 5 and 6). The estimator
 * needs only a histogram of the register values. It has no thresholds between ranges and no tables of empirical
 * corrections.
 */
final class Estimator {
    /** 1 / (2 ln 2): the limit of the constant alpha of the HyperLogLog paper. */
    private static final double ALPHA_INFINITY = 0.5 / Math.log(2);

    private Estimator() {}

    /**
     * The estimate, rounded to nearest. If all registers are at their largest value, the cardinality cannot be
     * estimated. The result is then the estimate for a set in which a single register is one below this value.
     *
     * @param histogram number of registers with each value; its last index is the largest value of a register
     */
    static long estimate(int[] histogram) {
        int largest = histogram.length - 1;
        int registers = 0;
        for (int count : histogram) {
            registers += count;
        }
        int saturated = histogram[largest];
        if (saturated == registers) {
            int[] below = histogram.clone();
            below[largest]--;
            below[largest - 1]++;
            return estimate(below);
        }
        double m = registers;
        double z = m * tau(1 - saturated / m);
        for (int value = largest - 1; value >= 1; value--) {
            z = 0.5 * (z + histogram[value]);
        }
        z += m * sigma(histogram[0] / m);
        return Math.round(ALPHA_INFINITY * m * m / z);
    }

    /** x + the sum over k ≥ 1 of x^(2^k) 2^(k-1): the contribution of registers that are still 0. */
    private static double sigma(double x) {
        if (x == 1) {
            return Double.POSITIVE_INFINITY;
        }
        double power = x;
        double factor = 1;
        double sum = x;
        double before;
        do {
            power *= power;
            before = sum;
            sum += power * factor;
            factor += factor;
        } while (sum != before);
        return sum;
    }

    /**
     * (1 - x - the sum over k ≥ 1 of (1 - x^(2^-k))^2 2^-k) / 3: the contribution of registers at their largest value.
     */
    private static double tau(double x) {
        if (x == 0 || x == 1) {
            return 0;
        }
        double root = x;
        double factor = 1;
        double sum = 1 - x;
        double before;
        do {
            root = Math.sqrt(root);
            before = sum;
            factor *= 0.5;
            sum -= (1 - root) * (1 - root) * factor;
        } while (sum != before);
        return sum / 3;
    }
}
