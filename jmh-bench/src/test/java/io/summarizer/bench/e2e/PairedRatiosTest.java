package io.summarizer.bench.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PairedRatiosTest {
    @Test
    void ofNinePairsTheIntervalReachesFromTheSecondToTheEighthRatio() {
        PairedRatios ratios = PairedRatios.of(List.of(1.3, 0.9, 1.1, 1.05, 1.2, 1.02, 1.5, 1.01, 1.04));

        assertThat(ratios).isEqualTo(new PairedRatios(1.05, 1.01, 1.3, 9));
        assertThat(ratios.isAboveNoise()).isTrue();
        assertThat(ratios).hasToString("median ratio 1.050 of 9 pairs, 95 % interval 1.010 to 1.300: faster");
    }

    @Test
    void aRatioOnTheOtherSideInTheIntervalIsNoise() {
        PairedRatios ratios = PairedRatios.of(List.of(0.9, 0.95, 0.97, 0.96, 1.01, 1.02));

        assertThat(ratios.isAboveNoise()).isFalse();
        assertThat(ratios.median()).isCloseTo(0.965, within(1e-9));
        assertThat(ratios.toString()).endsWith("no difference above the noise");
    }

    /** By Monte Carlo, for ratios whose noise is skewed. */
    @Test
    void theIntervalMissesTheTrueMedianInAtMostOneOfTwentyMeasurements() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int pairs : IntStream.rangeClosed(PairedRatios.LEAST, 25).toArray()) {
            int measurements = 4000;
            int missed = 0;
            for (int i = 0; i < measurements; i++) {
                PairedRatios ratios = PairedRatios.of(DoubleStream.generate(() -> Math.exp(random.nextGaussian()))
                        .limit(pairs)
                        .boxed()
                        .toList());
                missed += ratios.isAboveNoise() ? 1 : 0;
            }
            // Five standard deviations above a twentieth.
            assertThat(missed)
                    .as("seed %d, %d pairs", seed, pairs)
                    .isLessThan((int) (measurements * 0.05 + 5 * Math.sqrt(measurements * 0.05 * 0.95)))
                    .isPositive();
        }
    }

    @Test
    void tooFewPairsAreRefused() {
        assertThatThrownBy(() -> PairedRatios.of(Collections.nCopies(5, 1.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("5 pairs are fewer than 6");
    }
}
