package io.summarizer.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.advice.Advice;
import io.summarizer.bench.advice.Advisor;
import io.summarizer.bench.advice.Noise.Answer;
import io.summarizer.bench.advice.Noise.Verdict;
import io.summarizer.bench.advice.SyntheticSweep;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Results;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdviceTextTest {
    private static final Point USUAL = SyntheticSweep.usual("v1", "25.0.3");
    private static final Point OTHER = USUAL.with(Factor.OWNER_WORKERS, "2");

    @TempDir
    Path folder;

    private String inShort(SyntheticSweep sweep) throws IOException {
        Advice advice = Advisor.advise(Results.read(sweep.write(folder)), "v1").orElseThrow();
        String last =
                AdviceText.sentences(advice).get(AdviceText.sentences(advice).size() - 1);
        assertThat(last).startsWith("in short: ");
        return last;
    }

    private static SyntheticSweep alike(int count) {
        SyntheticSweep sweep = new SyntheticSweep(2);
        for (int i = 0; i < count; i++) {
            sweep.point(USUAL.with(Factor.PARSE_CAPACITY, "" + (512 + i)), 1e6);
        }
        return sweep;
    }

    @Test
    void whatIsTrulyFasterIsToBeTaken() throws IOException {
        assertThat(inShort(alike(8).point(USUAL, 1e6).point(OTHER, 1.3e6)))
                .contains("take ")
                .contains("2 owner")
                .contains("is faster than the default");
    }

    @Test
    void whatMayBeLuckIsToBeLeft() throws IOException {
        assertThat(inShort(alike(8).point(USUAL, 1e6)))
                .contains("keep the default")
                .contains("luck");
    }

    @Test
    void aDefaultThatIsBestIsToBeKept() throws IOException {
        assertThat(inShort(new SyntheticSweep(2).point(USUAL, 1.3e6).point(OTHER, 1e6)))
                .isEqualTo("in short: keep the default, nothing measured is faster");
    }

    @Test
    void singleRunsAreToBeRepeated() throws IOException {
        assertThat(inShort(new SyntheticSweep(2).repeats(1).point(USUAL, 1e6).point(OTHER, 1.3e6)))
                .contains("keep the default until")
                .contains("--repeats 5");
    }

    @Test
    void chancesAreToldAsCounts() {
        assertThat(AdviceText.verdict(new Answer(Verdict.WITHIN_NOISE, 0.249)))
                .isEqualTo("within the noise (luck alone does that in 25 of 100 sweeps)");
        assertThat(AdviceText.verdict(new Answer(Verdict.ABOVE_NOISE, 0.004))).contains("in 4 of 1,000 sweeps");
        assertThat(AdviceText.verdict(new Answer(Verdict.ABOVE_NOISE, 0.0002))).contains("fewer than 1 of 1,000");
        assertThat(AdviceText.verdict(new Answer(Verdict.CANNOT_TELL, Double.NaN)))
                .isEqualTo("cannot tell: too few repeats");
    }
}
