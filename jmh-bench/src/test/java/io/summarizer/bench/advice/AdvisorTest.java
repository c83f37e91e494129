package io.summarizer.bench.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.advice.Noise.Verdict;
import io.summarizer.bench.advice.Workloads.Loss;
import io.summarizer.bench.sweep.Factor;
import io.summarizer.bench.sweep.Metric;
import io.summarizer.bench.sweep.Point;
import io.summarizer.bench.sweep.Results;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdvisorTest {
    private static final String JDK = "25.0.3";
    private static final Point V1 = SyntheticSweep.usual("v1", JDK);

    @TempDir
    Path folder;

    private Advice advise(SyntheticSweep sweep) throws IOException {
        return Advisor.advise(Results.read(sweep.write(folder)), "v1").orElseThrow();
    }

    /** Makes settings that are all alike, so that the noise is known. */
    private static SyntheticSweep alike(SyntheticSweep sweep, int count) {
        for (int i = 0; i < count; i++) {
            sweep.point(V1.with(Factor.PARSE_CAPACITY, "" + (512 + i)), 1e6);
        }
        return sweep;
    }

    @Test
    void picksTheSettingThatIsTrulyFasterAndSaysByHowMuch() throws IOException {
        Point fast = V1.with(Factor.OWNER_WORKERS, "2");
        Advice advice = advise(alike(new SyntheticSweep(2), 8).point(V1, 1e6).point(fast, 1.3e6));
        Pick pick = advice.pick(Goal.THROUGHPUT).orElseThrow();
        assertThat(pick.best().point()).isEqualTo(fast);
        assertThat(pick.margin()).isEqualTo(0.3, Offset.offset(0.1));
        assertThat(pick.answer().verdict()).isEqualTo(Verdict.ABOVE_NOISE);
    }

    @Test
    void aLuckySettingIsPickedButNotAboveTheNoise() throws IOException {
        Advice advice = advise(alike(new SyntheticSweep(4), 8).point(V1, 1e6));
        assertThat(advice.pick(Goal.THROUGHPUT).orElseThrow().answer().verdict())
                .isNotEqualTo(Verdict.ABOVE_NOISE);
    }

    @Test
    void oneRunOfEachSettingCannotTell() throws IOException {
        Advice advice = advise(
                new SyntheticSweep(2).repeats(1).point(V1, 1e6).point(V1.with(Factor.OWNER_WORKERS, "2"), 1.3e6));
        assertThat(advice.pick(Goal.THROUGHPUT).orElseThrow().answer().verdict())
                .isEqualTo(Verdict.CANNOT_TELL);
    }

    @Test
    void workersThatTakeCpuTimeWhileIdleAreToldOfAndNotPicked() throws IOException {
        Point blocking = V1.with(Factor.OWNER_QUEUE, "disruptor").with(Factor.OWNER_WAIT, "blocking");
        Point spinning = blocking.with(Factor.OWNER_WAIT, "busy-spin");
        Advice advice = advise(
                new SyntheticSweep(2).point(V1, 1e6).point(blocking, 1.1e6).point(spinning, 1.5e6));
        assertThat(advice.pick(Goal.THROUGHPUT).orElseThrow().best().point()).isEqualTo(blocking);
        assertThat(advice.spinning().orElseThrow().point()).isEqualTo(spinning);
    }

    @Test
    void cpuIsSavedOnlyAmongThoseThatAreAboutAsFast() throws IOException {
        // The model's CPU time falls with its rate; the slow one gets less.
        Point fast = V1.with(Factor.OWNER_WORKERS, "2");
        Point slow = V1.with(Factor.OWNER_WORKERS, "3");
        Advice advice = advise(new SyntheticSweep(2)
                .noise(0.001)
                .point(V1, 1e6)
                .point(fast, 1.3e6)
                .point(slow, 1.2e6));
        Pick pick = advice.pick(Goal.CPU).orElseThrow();
        assertThat(pick.best().point()).isEqualTo(fast);
        assertThat(pick.margin()).isPositive();
    }

    @Test
    void latencyIsComparedAtOneRateThatMostSettingsKnow() throws IOException {
        Point fast = V1.with(Factor.OWNER_WORKERS, "2");
        Advice advice = advise(new SyntheticSweep(2)
                .noise(0.01)
                .point(V1)
                .point(fast)
                .latency(V1)
                .latency(fast));
        Pick pick = advice.pick(Goal.LATENCY).orElseThrow();
        assertThat(pick.rate()).isEqualTo(990_000);
        assertThat(pick.best().point()).isEqualTo(fast);
        assertThat(pick.margin()).isPositive();
    }

    @Test
    void betweenTwoRatesOfARunLatencyIsInterpolatedAndBeyondThemUnknown() throws IOException {
        Results results = Results.read(
                new SyntheticSweep(2).noise(0).point(V1).latency(V1).write(folder));
        Measured measured = Measured.of(results, "v1").get(0);
        double[] low = Advisor.p99At(measured, 275_000);
        double[] between = Advisor.p99At(measured, 400_000);
        double[] high = Advisor.p99At(measured, 550_000);
        assertThat(between[0]).isBetween(low[0], high[0]);
        assertThat(Advisor.p99At(measured, 1_200_000)).isEmpty();
        assertThat(Advisor.p99At(measured, 100_000)).isEmpty();
    }

    @Test
    void withoutLatencyOrTheDefaultItSaysSo() throws IOException {
        Advice advice = advise(new SyntheticSweep(2).point(V1.with(Factor.PARSE_CAPACITY, "64")));
        assertThat(advice.pick(Goal.LATENCY)).isEmpty();
        assertThat(advice.gaps()).anyMatch(gap -> gap.contains("nothing is said of latency"));
        assertThat(advice.offDefault()).contains(Factor.PARSE_CAPACITY);
    }

    @Test
    void aWorkloadOfFailuresHasNoAdvice() throws IOException {
        Results results =
                Results.read(new SyntheticSweep(1).failed(V1, 1, "no room").write(folder));
        assertThat(Advisor.advise(results, "v1")).isEmpty();
    }

    @Test
    void workloadsThatWantDifferentWorkersGetPipelinesOfTheirOwn() throws IOException {
        Results results = Results.read(
                new SyntheticSweep(1).full(List.of("v1", "v2"), List.of(JDK)).write(folder));
        List<Advice> advices = List.of(
                Advisor.advise(results, "v1").orElseThrow(),
                Advisor.advise(results, "v2").orElseThrow());
        Workloads workloads = Workloads.compare(advices).orElseThrow();
        assertThat(workloads.crossed())
                .hasSize(2)
                .allMatch(loss -> loss.share() > 0.1 && loss.answer().verdict() == Verdict.ABOVE_NOISE);
        assertThat(workloads.apart().keySet()).containsExactly("v1", "v2");
        assertThat(workloads.apart().values())
                .extracting(setting -> setting.value(Factor.PARSE_WORKERS))
                .containsExactly("1", "3");
    }

    @Test
    void workloadsThatWantTheSameDoNotGetPipelinesOfTheirOwn() throws IOException {
        SyntheticSweep sweep = new SyntheticSweep(1);
        for (String workload : List.of("v1", "v2")) {
            Point usual = SyntheticSweep.usual(workload, JDK);
            for (int owners = 1; owners <= 6; owners++) {
                sweep.point(usual.with(Factor.OWNER_WORKERS, "" + owners), 1e6 - 5e4 * Math.abs(3 - owners));
            }
        }
        Results results = Results.read(sweep.write(folder));
        Workloads workloads = Workloads.compare(List.of(
                        Advisor.advise(results, "v1").orElseThrow(),
                        Advisor.advise(results, "v2").orElseThrow()))
                .orElseThrow();
        assertThat(workloads.apart()).isEmpty();
        assertThat(workloads.losses()).extracting(Loss::share).allMatch(share -> share < 0.1);
    }

    @Test
    void anotherModesLeadIsNoReasonForPipelinesOfTheirOwn() throws IOException {
        SyntheticSweep sweep = new SyntheticSweep(1).noise(0.06);
        for (String workload : List.of("v1", "v2")) {
            boolean first = workload.equals("v1");
            Point usual = SyntheticSweep.usual(workload, JDK);
            sweep.point(usual, 1e6);
            sweep.point(usual.with(Factor.OWNER_WORKERS, "2"), first ? 1.06e6 : 0.9e6);
            sweep.point(usual.with(Factor.OWNER_WORKERS, "3"), 0.5e6);
            sweep.point(usual.with(Factor.OWNER_WORKERS, "4"), 0.5e6);
            sweep.point(SyntheticSweep.without("inline", workload, JDK, 1), first ? 1.6e6 : 0.3e6);
        }
        Results results = Results.read(sweep.write(folder));
        double gain = median(results, V1.with(Factor.OWNER_WORKERS, "2")) / median(results, V1) - 1;
        assertThat(gain).as("enough to look at").isGreaterThan(Workloads.WORTH);
        Workloads workloads = Workloads.compare(List.of(
                        Advisor.advise(results, "v1").orElseThrow(),
                        Advisor.advise(results, "v2").orElseThrow()))
                .orElseThrow();
        assertThat(workloads.losses().get(0).answer().verdict()).isEqualTo(Verdict.ABOVE_NOISE);
        assertThat(workloads.apart()).isEmpty();
    }

    private static double median(Results results, Point setting) {
        return Measured.of(results, "v1").stream()
                .filter(one -> one.point().equals(setting))
                .findFirst()
                .orElseThrow()
                .median(Metric.EVENTS_PER_S);
    }

    @Test
    void theRunThatChoseTheLeadersDoesNotCount() throws IOException {
        SyntheticSweep sweep = new SyntheticSweep(1).repeats(1);
        Point lucky = V1.with(Factor.OWNER_WORKERS, "2");
        sweep.point(V1, 1e6).point(lucky, 9e6).point(V1.with(Factor.OWNER_WORKERS, "3"), 8e6);
        for (Point leader : List.of(V1, lucky)) {
            sweep.repeats(3).from(2).point(leader, 1e6);
        }
        Advice advice = advise(sweep);
        assertThat(advice.pick(Goal.THROUGHPUT).orElseThrow().value()).isEqualTo(1e6, Offset.offset(1e5));
        assertThat(advice.candidates()).extracting(Measured::point).containsExactly(V1, lucky);
        assertThat(advice.gaps()).anyMatch(gap -> gap.contains("picked among 2 of 3 settings"));
    }

    @Test
    void theServerTakesTheYaml() throws Exception {
        Point setting = V1.with(Factor.PARSE_QUEUE, "abq")
                .with(Factor.OWNER_QUEUE, "disruptor")
                .with(Factor.OWNER_WAIT, "sleeping")
                .with(Factor.PARSE_WORKERS, "3")
                .with(Factor.OWNER_CAPACITY, "1024")
                .with(Factor.BATCH_MESSAGES, "64")
                .with(Factor.LINGER_US, "1000");
        ServerConfig.Pipeline pipeline = load(AdvisedConfig.of(setting, List.of("a reason")));
        assertThat(pipeline.parse().queue().key()).isEqualTo("abq");
        assertThat(pipeline.parse().workers()).isEqualTo(3);
        assertThat(pipeline.summarize().queue().key()).isEqualTo("disruptor");
        assertThat(pipeline.summarize().capacity()).isEqualTo(1024);
        assertThat(pipeline.summarize().waitPolicy().name()).isEqualTo("SLEEPING");
        assertThat(pipeline.batching().messages()).isEqualTo(64);
        assertThat(pipeline.batching().linger()).hasMillis(1);
    }

    @Test
    void theServerTakesTheYamlOfAModeWithoutQueues() throws Exception {
        ServerConfig.Pipeline pipeline =
                load(AdvisedConfig.of(SyntheticSweep.without("inline", "v1", JDK, 3), List.of()));
        assertThat(pipeline.mode().name()).isEqualTo("INLINE");
        assertThat(pipeline.nettyWorkers()).isEqualTo(3);
    }

    @Test
    void theServerTakesTheYamlOfPipelinesOfTheirOwn() throws Exception {
        Map<String, Point> apart = new LinkedHashMap<>();
        apart.put("v1", SyntheticSweep.grid("v1", JDK, "lbq-lbq", 1, 2));
        apart.put("v2", SyntheticSweep.grid("v2", JDK, "mpmc-mpsc", 3, 1));
        ServerConfig.Pipeline pipeline = load(AdvisedConfig.of(V1, apart, List.of("a reason")));
        assertThat(pipeline.pipelines()).extracting(PipelineOptions.Named::name).containsExactly("default", "v1", "v2");
        assertThat(pipeline.pipelines().get(2).parse().workers()).isEqualTo(3);
        assertThat(pipeline.pipelines().get(2).summarize().queue().key()).isEqualTo("mpsc");
        assertThat(pipeline.pipelines().get(1).topics())
                .extracting(Object::toString)
                .contains("ad.click.#");
    }

    private ServerConfig.Pipeline load(String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("advised.yaml"), yaml);
        return ConfigLoader.load(folder, file, Map.of(), List.of()).pipeline();
    }
}
