package io.summarizer.bench.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainEffectTest {
    private static final List<String> QUEUES = List.of("abq-abq", "lbq-lbq", "mpmc-mpsc");
    private static final Point USUAL = SyntheticSweep.usual("v1", "25.0.3");

    @TempDir
    Path folder;

    /** Makes one run of each setting of a grid, and of some settings beside it. */
    private List<MainEffect> effects(double noise, ToDoubleFunction<Point> rate) throws IOException {
        SyntheticSweep sweep = new SyntheticSweep(7).noise(noise).repeats(1);
        for (String jdk : List.of("17.0.15", "25.0.3")) {
            for (String queues : QUEUES) {
                for (int parsers = 1; parsers <= 2; parsers++) {
                    for (int owners = 1; owners <= 3; owners++) {
                        Point setting = SyntheticSweep.grid("v1", jdk, queues, parsers, owners);
                        sweep.point(setting, rate.applyAsDouble(setting));
                    }
                }
            }
        }
        sweep.point(USUAL.with(Factor.GC, "ZGC"), 1e5).point(USUAL.with(Factor.BATCH_MESSAGES, "1"), 1e5);
        Point spinning = SyntheticSweep.grid("v1", "25.0.3", "mpmc-mpsc", 1, 1).with(Factor.OWNER_WAIT, "busy-spin");
        sweep.point(spinning, 9e6);
        sweep.point(SyntheticSweep.without("inline", "v1", "25.0.3", 2), 9e6);
        return MainEffect.of(Measured.of(Results.read(sweep.write(folder)), "v1"), USUAL);
    }

    private static MainEffect.Value value(List<MainEffect> effects, String title, String name) {
        return effects.stream()
                .filter(effect -> effect.title().equals(title))
                .flatMap(effect -> effect.values().stream())
                .filter(value -> value.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void withoutNoiseAnEffectIsTheFactorItself() throws IOException {
        List<MainEffect> effects = effects(
                0,
                setting -> 1e6
                        * (setting.value(Factor.OWNER_QUEUE).equals("mpsc") ? 1.1 : 1)
                        * (setting.value(Factor.JDK).startsWith("17") ? 0.8 : 1)
                        / setting.number(Factor.OWNER_WORKERS));
        assertThat(effects).extracting(MainEffect::title).containsExactly("queues", "parser and owner workers", "JDK");
        assertThat(effects).extracting(MainEffect::groups).containsExactly(12, 6, 18);
        assertThat(effects).extracting(MainEffect::usual).containsExactly("lbq-lbq", "1 and 1", "25.0.3");
        assertThat(effects.get(0).values()).extracting(MainEffect.Value::name).containsExactlyElementsOf(QUEUES);
        assertThat(value(effects, "queues", "mpmc-mpsc")).matches(MainEffect.Value::differs);
        assertThat(value(effects, "queues", "mpmc-mpsc").ratio()).isCloseTo(1.1, within(1e-6));
        assertThat(value(effects, "queues", "abq-abq").ratio()).isCloseTo(1, within(1e-6));
        assertThat(value(effects, "JDK", "17.0.15").ratio()).isCloseTo(0.8, within(1e-6));
        assertThat(value(effects, "parser and owner workers", "2 and 3").ratio())
                .isCloseTo(1 / 3.0, within(1e-6));
    }

    @Test
    void manyGroupsTellWhatNoSingleSettingCan() throws IOException {
        List<MainEffect> effects =
                effects(0.2, setting -> setting.value(Factor.OWNER_QUEUE).equals("mpsc") ? 1.5e6 : 1e6);
        MainEffect.Value faster = value(effects, "queues", "mpmc-mpsc");
        assertThat(faster.differs()).isTrue();
        assertThat(faster.low()).isLessThan(1.5);
        assertThat(faster.high()).isGreaterThan(1.5);
    }

    @Test
    void withoutAGridThereIsNothingToAverage() throws IOException {
        SyntheticSweep sweep = new SyntheticSweep(1).point(USUAL).point(USUAL.with(Factor.JDK, "17.0.15"));
        assertThat(MainEffect.of(Measured.of(Results.read(sweep.write(folder)), "v1"), USUAL))
                .isEmpty();
    }

    /** The promise of the interval: of many sweeps without any difference, one in twenty finds one. */
    @Test
    void equalValuesDifferInAboutOneOfTwentyIntervals() throws IOException {
        int intervals = 0;
        int wrong = 0;
        for (int seed = 1; seed <= 40; seed++) {
            SyntheticSweep sweep = new SyntheticSweep(seed).noise(0.3).repeats(1);
            for (String queues : QUEUES) {
                for (int parsers = 1; parsers <= 3; parsers++) {
                    for (int owners = 1; owners <= 3; owners++) {
                        sweep.point(SyntheticSweep.grid("v1", "25.0.3", queues, parsers, owners), 1e6);
                    }
                }
            }
            for (MainEffect effect : MainEffect.of(Measured.of(Results.read(sweep.write(folder)), "v1"), USUAL)) {
                if (effect.title().equals("queues")) {
                    intervals += effect.values().size() - 1;
                    wrong += (int) effect.values().stream()
                            .filter(MainEffect.Value::differs)
                            .count();
                }
            }
        }
        assertThat(intervals).isEqualTo(80);
        assertThat(wrong).isBetween(1, 10);
    }
}
