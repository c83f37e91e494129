package io.summarizer.dsl.interpret;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.pipeline.WindowOptions;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.window.LateFlag;
import io.summarizer.core.window.WindowInput;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.model.Definitions;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The program of the first event type of definitions, fed with payloads. */
final class Program {
    private final Plan plan;
    private final EventProgram program;
    private final Updates updates;
    private final boolean[] active;
    private final MessageBatch batch = new MessageBatch(1 << 16);
    private final Map<Integer, WindowInput> windows = new HashMap<>();
    private long arrival = 77;

    Program(Definitions definitions) {
        this(definitions, PlanCompiler.Options.DEFAULT);
    }

    Program(Definitions definitions, PlanCompiler.Options options) {
        plan = PlanCompiler.compile(definitions, options);
        program = plan.newProgram(0);
        updates = new Updates(plan.summaries());
        active = new boolean[plan.events().get(0).mappings().size()];
        Arrays.fill(active, true);
        for (int summary = 0; summary < definitions.summaries().size(); summary++) {
            SummaryWindow window = definitions.summaries().get(summary).window();
            if (window != null) {
                windows.put(summary, new WindowInput(window, WindowOptions.DEFAULT.aheadMicros(), new LateFlag()));
            }
        }
        program.useWindows(windows::get);
    }

    /** Sets the mappings whose own topic patterns match. */
    Program active(boolean... mappings) {
        System.arraycopy(mappings, 0, active, 0, active.length);
        return this;
    }

    /** Sets the arrival stamp of the next messages. */
    Program arrival(long micros) {
        arrival = micros;
        return this;
    }

    /** The windows of a summary that has windows. */
    WindowInput windows(int summary) {
        return Objects.requireNonNull(windows.get(summary));
    }

    /** The records of a payload. */
    List<String> run(String payload) {
        return run(payload.getBytes(StandardCharsets.UTF_8));
    }

    List<String> run(byte[] payload) {
        assertThat(process(payload)).as("reason for the rejection").isNull();
        return updates.take();
    }

    /** The reason why a payload is rejected; no record may have been written. */
    @Nullable
    String reject(String payload) {
        String reason = process(payload.getBytes(StandardCharsets.UTF_8));
        assertThat(updates.take()).isEmpty();
        return reason;
    }

    private @Nullable String process(byte[] payload) {
        batch.clear();
        batch.firstStamp(arrival);
        return program.process(Messages.add(batch, "ad.impression.us", payload), active, updates);
    }

    ProgramCounts counts() {
        return program.counts();
    }
}
