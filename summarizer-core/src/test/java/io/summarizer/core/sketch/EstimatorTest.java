package io.summarizer.core.sketch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EstimatorTest {
    @Test
    void registersThatSawNothingAreZero() {
        int[] histogram = new int[32];
        histogram[0] = 2048;
        assertThat(Estimator.estimate(histogram)).isZero();
    }

    @Test
    void oneRaisedRegisterIsOneValue() {
        int[] histogram = new int[32];
        histogram[0] = 2047;
        histogram[1] = 1;
        assertThat(Estimator.estimate(histogram)).isEqualTo(1);
    }

    @Test
    void aLargerRegisterNeverMakesTheEstimateSmaller() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int trial = 0; trial < 2_000; trial++) {
            int[] histogram = new int[1 << random.nextInt(1, 6)];
            for (int i = 0; i < 64; i++) {
                histogram[random.nextInt(histogram.length)]++;
            }
            long before = Estimator.estimate(histogram);
            int from = random.nextInt(histogram.length - 1);
            if (histogram[from] > 0) {
                histogram[from]--;
                histogram[from + 1]++;
                assertThat(Estimator.estimate(histogram)).as("seed=%d", seed).isGreaterThanOrEqualTo(before);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void saturatedRegistersAreStillAFiniteNumber(int regwidth) {
        int[] full = new int[1 << regwidth];
        full[full.length - 1] = 1024;
        int[] nearly = full.clone();
        nearly[full.length - 1]--;
        nearly[full.length - 2]++;
        assertThat(Estimator.estimate(full))
                .isEqualTo(Estimator.estimate(nearly))
                .isBetween(1_000L, 1L << 60);
    }

    @ParameterizedTest
    @CsvSource({"500,0.0195", "2000,0.0195", "6000,0.0195", "20000,0.023", "100000,0.023"})
    void theErrorIsWithinItsBound(int values, double rmsMax) {
        assertErrors(values, 250, 42, rmsMax, 0.0025);
    }

    @Test
    void threeHundredTwentyValuesAreCountedExactlyInNinetyNineOfAHundredTrials() {
        SplittableRandom random = new SplittableRandom(44);
        int trials = 2_000;
        int exact = 0;
        for (int trial = 0; trial < trials; trial++) {
            MultisetArena arena = new MultisetArena(11, 5);
            int handle = 0;
            for (int i = 0; i < 320; i++) {
                handle = arena.add(handle, random.nextLong());
            }
            exact += arena.freeze().cardinality(handle) == 320 ? 1 : 0;
        }
        assertThat(exact).isGreaterThanOrEqualTo(trials * 99 / 100);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({
        "321,0.0195",
        "700,0.0195",
        "1500,0.0195",
        "3000,0.0195",
        "4500,0.0195",
        "6000,0.0195",
        "8000,0.023",
        "15000,0.023",
        "60000,0.023",
        "250000,0.023",
        "1000000,0.023"
    })
    void theErrorIsWithinItsBoundOverManyTrials(int values, double rmsMax) {
        assertErrors(values, Math.min(20_000, 100_000_000 / values), 43, rmsMax, 0.0025);
    }

    /**
     * Errors of fixed seeds are fixed numbers; the slack is the possible deviation of a sample of this size from the
     * truth.
     */
    private static void assertErrors(int values, int trials, long seed, double rmsMax, double biasMax) {
        SplittableRandom random = new SplittableRandom(seed);
        double sum = 0;
        double squares = 0;
        for (int trial = 0; trial < trials; trial++) {
            MultisetArena arena = new MultisetArena(11, 5);
            int handle = 0;
            for (int i = 0; i < values; i++) {
                handle = arena.add(handle, random.nextLong());
            }
            double error = arena.freeze().cardinality(handle) / (double) values - 1;
            sum += error;
            squares += error * error;
        }
        double rms = Math.sqrt(squares / trials);
        assertThat(rms).as("RMS error").isLessThanOrEqualTo(rmsMax * (1 + 2.5 / Math.sqrt(2.0 * trials)));
        assertThat(sum / trials).as("bias").isCloseTo(0, Offset.offset(biasMax + 2.5 * rms / Math.sqrt(trials)));
    }
}
