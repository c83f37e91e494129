package io.summarizer.bench.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.advice.Noise.Answer;
import io.summarizer.bench.advice.Noise.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class NoiseTest {
    private static final int REPEATS = 3;

    private static double[] repeats(Random random, double middle, double noise) {
        double[] repeats = new double[REPEATS];
        for (int i = 0; i < REPEATS; i++) {
            repeats[i] = middle * Math.exp(noise * random.nextGaussian());
        }
        return repeats;
    }

    private static List<double[]> settings(Random random, int count, double noise) {
        List<double[]> settings = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            settings.add(repeats(random, 1e6, noise));
        }
        return settings;
    }

    @Test
    void theLuckiestOfManyEqualSettingsIsSeldomAboveTheNoise() {
        int wrong = 0;
        int trials = 120;
        for (int seed = 0; seed < trials; seed++) {
            List<double[]> settings = settings(new Random(seed), 20, 0.05);
            List<double[]> others = settings.subList(1, settings.size());
            if (Noise.of(settings).larger(settings.get(0), others).verdict() == Verdict.ABOVE_NOISE) {
                wrong++;
            }
        }
        // Twice the level, of 120 trials: the chance of more is one in a hundred.
        assertThat(wrong).isLessThanOrEqualTo((int) (2 * Noise.LEVEL * trials));
    }

    @Test
    void aTrueLeadIsFound() {
        int found = 0;
        int trials = 60;
        for (int seed = 0; seed < trials; seed++) {
            Random random = new Random(seed);
            List<double[]> settings = settings(random, 20, 0.05);
            settings.add(repeats(random, 1.3e6, 0.05));
            Noise noise = Noise.of(settings);
            if (noise.larger(settings.get(0), settings.subList(1, 21)).verdict() == Verdict.ABOVE_NOISE) {
                found++;
            }
        }
        assertThat(found).isGreaterThan(trials * 8 / 10);
    }

    @Test
    void lessIsBetterWhereItIsCalledSo() {
        Random random = new Random(3);
        List<double[]> settings = settings(random, 10, 0.02);
        List<double[]> cheap = List.of(repeats(random, 0.7e6, 0.02));
        Noise noise = Noise.of(settings);
        assertThat(noise.smaller(settings.get(0), cheap).verdict()).isEqualTo(Verdict.ABOVE_NOISE);
        assertThat(noise.larger(settings.get(0), cheap).verdict()).isEqualTo(Verdict.WITHIN_NOISE);
    }

    @Test
    void fewRepeatsTellNothing() {
        List<double[]> once = List.of(new double[] {1}, new double[] {2}, new double[] {3});
        Answer answer = Noise.of(once).larger(once.get(0), once);
        assertThat(answer.verdict()).isEqualTo(Verdict.CANNOT_TELL);
        assertThat(answer.chance()).isNaN();
        assertThat(Noise.of(once).spread()).isNaN();
    }

    @Test
    void theSpreadIsThatOfRepeatsThoughEachSettingHasFew() {
        assertThat(Noise.of(settings(new Random(5), 2_000, 0.04)).spread()).isEqualTo(0.04, Offset.offset(0.002));
    }

    @Test
    void theSameFiguresGiveTheSameAnswer() {
        List<double[]> settings = settings(new Random(7), 12, 0.05);
        Noise noise = Noise.of(settings);
        assertThat(noise.larger(settings.get(0), settings)).isEqualTo(noise.larger(settings.get(0), settings));
    }
}
