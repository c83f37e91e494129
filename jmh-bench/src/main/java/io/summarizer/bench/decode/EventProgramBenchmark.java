package io.summarizer.bench.decode;

import io.summarizer.bench.e2e.Traffic;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.PlanCompiler;
import java.io.IOException;
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
 * Measures the work of a parser worker on an event of a workload: decode the payload, evaluate the mapping, write the
 * updates. Leaves out the envelope and the topic. {@code bin/bench jmh EventProgramBenchmark -prof gc}
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

    /** The messages: flat CSV, nested JSON, or long lines of flat JSON. */
    @Param({"v1", "v2", "access-log"})
    String workload = "v1";

    @SuppressWarnings("NullAway.Init") // JMH calls setUp first
    private EventProgram[] programs;

    @SuppressWarnings("NullAway.Init") // likewise
    private MessageBatch messages;

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
        Traffic traffic = Traffic.of(workload);
        Plan plan = PlanCompiler.compile(AdPayloads.definitions(traffic));
        List<EventProgram> made = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < plan.events().size(); i++) {
            names.add(plan.events().get(i).name());
            made.add(plan.newProgram(i));
        }
        programs = made.toArray(new EventProgram[0]);
        messages = AdPayloads.messages(traffic, EVENTS);
        for (int event = 0; event < EVENTS; event++) {
            programOf[event] = names.size() == 1 ? 0 : names.indexOf(AdPayloads.type(messages.message(event)));
        }
    }

    /** Processes all events once. */
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
