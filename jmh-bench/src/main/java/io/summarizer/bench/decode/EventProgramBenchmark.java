package io.summarizer.bench.decode;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.server.workload.AdsWorkload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a parser worker does with an event of the reference workload: decode the payload, evaluate the mapping of
 * {@code schemas/ads.summ}, write the updates. Peeling the envelope and matching the topic are not in it.
 * {@code bin/bench jmh EventProgramBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class EventProgramBenchmark {
    private static final int EVENTS = 8192;
    private static final int FLUSH_BYTES = 64 * 1024;
    private static final String[] V1 = {"Impression", "Click", "Conversion"};

    /** The flat CSV messages or the nested JSON ones. */
    @Param({"v1", "v2"})
    String workload = "v1";

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private EventProgram[] programs;

    private final MessageBatch messages = new MessageBatch(EVENTS * 512);
    private final int[] programOf = new int[EVENTS];
    private final boolean[] active = {true};
    private final UpdateBatch updates = new UpdateBatch(2 * FLUSH_BYTES);
    private final UpdateRouter router = (summary, hash) -> {
        if (updates.limit() > FLUSH_BYTES) {
            updates.clear();
        }
        return updates;
    };

    /** Makes the programs and slices the payloads. */
    @Setup
    public void setUp() throws IOException {
        CheckResult result = DefinitionsCompiler.check(Path.of(System.getProperty("summarizer.home", "."), "schemas"));
        Plan plan = PlanCompiler.compile(
                result.definitions().orElseThrow(() -> new IllegalStateException(result.render())));
        boolean nested = workload.equals("v2");
        List<EventProgram> made = new ArrayList<>();
        for (String name : nested ? new String[] {"Auction"} : V1) {
            for (int i = 0; i < plan.events().size(); i++) {
                if (plan.events().get(i).name().equals(name)) {
                    made.add(plan.newProgram(i));
                }
            }
        }
        programs = made.toArray(new EventProgram[0]);
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        (nested ? AdsWorkload.v2(1) : AdsWorkload.v1(1)).writeTo(lines, EVENTS);
        byte[] bytes = lines.toByteArray();
        messages.ensureCapacity(bytes.length);
        System.arraycopy(bytes, 0, messages.bytes(), 0, bytes.length);
        messages.limit(bytes.length);
        slice(bytes);
    }

    private void slice(byte[] bytes) {
        int from = 0;
        for (int event = 0; event < EVENTS; event++) {
            int space = from;
            int topic = 0;
            for (int field = 0; field < 7; field++) {
                topic = field == 5 ? space : topic;
                while (bytes[space++] != ' ') {}
            }
            int end = space;
            while (bytes[end] != '\n') {
                end++;
            }
            String name = new String(bytes, topic, space - topic, StandardCharsets.US_ASCII);
            programOf[event] = name.startsWith("ad.click") ? 1 : name.startsWith("ad.conversion") ? 2 : 0;
            int message = messages.append(from, end - from);
            messages.slice(message, MessageBatch.PAYLOAD, space, end - space);
            from = end + 1;
        }
    }

    /** All events, each once. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long process() {
        for (int event = 0; event < EVENTS; event++) {
            String problem = programs[programOf[event]].process(messages.message(event), active, router);
            if (problem != null) {
                throw new IllegalStateException(problem);
            }
        }
        return updates.limit();
    }
}
