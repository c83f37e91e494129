package io.summarizer.bench.advice;

import io.summarizer.bench.report.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The variation between repeats of one setting. A difference between settings is significant if this variation alone
 * would rarely cause it.
 *
 * <p>The noise is estimated from all settings together, because each setting has few repeats. The noise is a list of
 * deviations. A deviation is the logarithm of a repeat minus the mean logarithm of the repeat's setting, multiplied by
 * {@code sqrt(n / (n - 1))}. The factor is needed because the mean comes from the same {@code n} repeats.
 *
 * <p>The best of many settings looks better than it is, because it was chosen by its figure. The test simulates this
 * luck with random draws. Each draw assumes that all settings are equal. The draw takes random deviations for the
 * repeats of the reference and of all candidates, and computes the median of each setting. The test counts the draws in
 * which the luckiest candidate leads at least as far as the best setting led in the measurement (Westfall and Young,
 * Resampling-Based Multiple Testing, 1993). If some candidates are truly worse, the test is conservative. The measured
 * repeats are few, and the spread between them may be small by chance. So each draw also varies the spread of the
 * deviations, within the uncertainty of the measured spread. A normal distribution of deviations thus becomes a t
 * distribution. The draws are seeded, so the same figures give the same answer.
 */
public final class Noise {
    /**
     * Significance level. A lead is above the noise if the probability that noise alone causes it is lower than this
     * level.
     */
    public static final double LEVEL = 0.05;

    /** Minimum of {@link #degrees()} for which the test can tell a difference from noise. */
    public static final int DEGREES_MIN = 8;

    private static final int DRAWS = 4_000;

    private final double[] deviations;
    private final int degrees;

    private Noise(double[] deviations, int degrees) {
        this.deviations = deviations;
        this.degrees = degrees;
    }

    /** Result of a test: whether a lead is too large to be noise. */
    public enum Verdict {
        ABOVE_NOISE("above the noise"),
        WITHIN_NOISE("within the noise"),
        CANNOT_TELL("cannot tell: too few repeats");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        /** The verdict in words. */
        public String words() {
            return words;
        }
    }

    /**
     * The result of the test.
     *
     * @param chance probability that noise gives so large a lead; NaN when unknown
     */
    public record Answer(Verdict verdict, double chance) {}

    /** Estimates the noise from the repeats of each setting. All figures are above 0. */
    public static Noise of(Collection<double[]> groups) {
        List<Double> deviations = new ArrayList<>();
        int degrees = 0;
        for (double[] group : groups) {
            int n = group.length;
            if (n < 2) {
                continue;
            }
            double mean = Arrays.stream(group).map(Math::log).average().orElseThrow();
            for (double value : group) {
                deviations.add((Math.log(value) - mean) * Math.sqrt(n / (n - 1.0)));
            }
            degrees += n - 1;
        }
        return new Noise(Numbers.array(deviations), degrees);
    }

    /** Standard deviation of a repeat as a share of its setting's mean; NaN without repeats. */
    public double spread() {
        return deviations.length == 0
                ? Double.NaN
                : Math.sqrt(Arrays.stream(deviations).map(d -> d * d).average().orElseThrow());
    }

    /** Degrees of freedom: the number of all repeats minus the number of settings. */
    public int degrees() {
        return degrees;
    }

    /**
     * Tests whether the best of {@code candidates} leads {@code reference} by more than the noise. Larger figures are
     * better.
     *
     * @param reference repeats of the reference
     * @param candidates repeats of each setting that could be picked; may contain the reference
     */
    public Answer larger(double[] reference, List<double[]> candidates) {
        return test(reference, candidates, 1);
    }

    /** Tests like {@link #larger}, but smaller figures are better. */
    public Answer smaller(double[] reference, List<double[]> candidates) {
        return test(reference, candidates, -1);
    }

    private Answer test(double[] reference, List<double[]> candidates, int sign) {
        List<double[]> others = candidates.stream()
                .filter(candidate -> candidate.length > 0 && candidate != reference)
                .toList();
        if (degrees < DEGREES_MIN || reference.length == 0 || others.isEmpty()) {
            return new Answer(Verdict.CANNOT_TELL, Double.NaN);
        }
        double lead = others.stream()
                        .mapToDouble(other -> sign * Math.log(Numbers.median(other)))
                        .max()
                        .orElseThrow()
                - sign * Math.log(Numbers.median(reference));
        SplittableRandom random = new SplittableRandom(degrees);
        double[][] drawn =
                others.stream().map(other -> new double[other.length]).toArray(double[][]::new);
        double[] drawnReference = new double[reference.length];
        int asFar = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double luckiest = Double.NEGATIVE_INFINITY;
            for (double[] other : drawn) {
                luckiest = Math.max(luckiest, sign * drawnMedian(random, other));
            }
            double ahead = luckiest - sign * drawnMedian(random, drawnReference);
            if (ahead * drawnSpread(random) >= lead) {
                asFar++;
            }
        }
        double chance = (asFar + 1.0) / (DRAWS + 1.0);
        return new Answer(chance < LEVEL ? Verdict.ABOVE_NOISE : Verdict.WITHIN_NOISE, chance);
    }

    /** Draws a plausible value of the true spread, as a multiple of the measured spread. */
    private double drawnSpread(SplittableRandom random) {
        double squares = 0;
        for (int i = 0; i < degrees; i++) {
            double normal = random.nextGaussian();
            squares += normal * normal;
        }
        return Math.sqrt(degrees / squares);
    }

    private double drawnMedian(SplittableRandom random, double[] drawn) {
        for (int i = 0; i < drawn.length; i++) {
            drawn[i] = deviations[random.nextInt(deviations.length)];
        }
        Arrays.sort(drawn);
        int middle = drawn.length / 2;
        return drawn.length % 2 == 1 ? drawn[middle] : (drawn[middle - 1] + drawn[middle]) / 2;
    }
}
