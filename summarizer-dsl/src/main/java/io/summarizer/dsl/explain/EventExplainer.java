package io.summarizer.dsl.explain;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.dedup.IdHash;
import io.summarizer.core.dedup.IdKey;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.core.window.LateFlag;
import io.summarizer.core.window.WindowInput;
import io.summarizer.dsl.codegen.SourceCompiler;
import io.summarizer.dsl.explain.Explanation.OfMapping;
import io.summarizer.dsl.explain.Explanation.Outcome;
import io.summarizer.dsl.generate.PlanSources;
import io.summarizer.dsl.generate.SummText;
import io.summarizer.dsl.interpret.Interpreter;
import io.summarizer.dsl.interpret.Result;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.MappingProgram;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Explains the events of one type. Runs the program of the event type, and then walks the statements of each mapping.
 * The walk must write the same records as the program.
 */
final class EventExplainer {
    private static final int BATCH_BYTES = 4096;
    private static final String TOO_MUCH_WORK =
            "some expressions are null, because the loops or the matches of `extract` took too much work";

    /** The key of the hashes of ids. Any key will do, because these hashes are only compared with each other. */
    private static final IdKey ID_KEY = new IdKey(1, 2);

    private final EventPlan plan;
    private final MappingProgram program;
    private final List<MappingWalk> walks;
    private final DecodedFields fields;
    private final Interpreter interpreter;
    private final IdHash ids = new IdHash(ID_KEY);
    private final UpdateBatch written = new UpdateBatch(BATCH_BYTES);
    private final UpdateBatch walked = new UpdateBatch(BATCH_BYTES);
    private long failures;

    EventExplainer(EventPlan plan, ValueLimits limits, long aheadMicros) {
        this.plan = plan;
        walks = plan.mappings().stream()
                .map(mapping -> new MappingWalk(plan, mapping, limits, aheadMicros))
                .toList();
        PlanSources sources = PlanSources.of(plan);
        program = SourceCompiler.compile(sources.all()).newInstance(sources.program(0), MappingProgram.class, plan);
        program.useIdKey(ID_KEY);
        program.useLimits(limits);
        Map<Integer, WindowInput> windows = new HashMap<>();
        plan.mappings().forEach(mapping -> {
            SummaryWindow window = mapping.summary().window();
            if (window != null) {
                windows.put(mapping.mapping().summary(), new WindowInput(window, aheadMicros, new LateFlag()));
            }
        });
        program.useWindows(windows::get);
        fields = new DecodedFields(plan.schema());
        interpreter = new Interpreter(plan, plan.fields());
    }

    /** The program that is explained. */
    MappingProgram program() {
        return program;
    }

    /** The records of the last event. */
    UpdateBatch written() {
        return written;
    }

    /** Number of failures so far in evaluations of expressions. */
    long failures() {
        return failures + walks.stream().mapToLong(MappingWalk::failures).sum();
    }

    Explanation explain(IMessage message, boolean[] active) {
        return explain(message, active, program.event());
    }

    /**
     * Explains a message whose fields are in {@code event}. The program's decoder, or another decoder, has written them
     * there.
     */
    Explanation explain(IMessage message, boolean[] active, InputEvent event) {
        written.clear();
        walked.clear();
        long tooLong = program.counts().tooLong;
        String refusal = program.process(message, active, (summary, hash) -> written);
        if (refusal != null) {
            return new Explanation(plan.type().name(), refusal, null, null, List.of(), null, List.of());
        }
        if (program.tookTooMuchWork()) {
            // The interpreter has no bound, so its values would differ from those of the program.
            return new Explanation(plan.type().name(), null, null, TOO_MUCH_WORK, fields.of(event), null, List.of());
        }
        interpreter.start(message, event, new int[0]);
        EventType.Dedup dedup = walks.isEmpty() ? null : plan.type().dedup();
        Result id = dedup == null ? null : interpreter.eval(dedup.by(), Terms.OWN);
        failures += id == null || id.reason() == null ? 0 : 1;
        IdHash hashed = dedup == null || id == null || id.isNull() ? null : identify(dedup, id);
        List<OfMapping> mappings = new ArrayList<>();
        for (int i = 0; i < walks.size(); i++) {
            mappings.add(explain(message, event, walks.get(i), active[i], hashed));
        }
        // A wrong explanation would be worse than no explanation.
        if (!Arrays.equals(written.bytes(), 0, written.limit(), walked.bytes(), 0, walked.limit())) {
            throw new IllegalStateException("the program does something else than the explanation of "
                    + plan.type().name() + " says");
        }
        return new Explanation(
                plan.type().name(),
                null,
                program.counts().tooLong == tooLong ? null : program.tooLong(),
                null,
                fields.of(event),
                dedup == null || id == null
                        ? null
                        : new Explanation.Identity(
                                SummText.dedup(dedup),
                                new Terms(plan.fields(), SummText.of(List.of()), interpreter)
                                        .term(dedup.by(), Terms.OWN, id)),
                mappings);
    }

    /** The hash of the event's id. */
    private IdHash identify(EventType.Dedup dedup, Result id) {
        String text = id.text();
        if (text != null) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            ids.ofText(bytes, 0, bytes.length);
            return ids;
        }
        switch (dedup.by().type()) {
            case UINT -> ids.ofUint(id.bits());
            case DOUBLE -> ids.ofDouble(Double.longBitsToDouble(id.bits()));
            case TIMESTAMP -> ids.ofTimestamp(id.bits());
            default -> ids.ofInt(id.bits());
        }
        return ids;
    }

    private OfMapping explain(
            IMessage message, InputEvent event, MappingWalk walk, boolean active, @Nullable IdHash hashed) {
        TopicPattern pattern = walk.mapping().topic();
        MappingWalk.Condition where = active ? walk.start(message, event, walked, hashed) : null;
        boolean applied = where != null && where.holds();
        List<Step> steps = applied ? walk.walk() : List.of();
        return new OfMapping(
                walk.mapping().name(),
                walk.summary(),
                pattern == null ? null : pattern.toString(),
                applied ? Outcome.APPLIED : active ? Outcome.FILTERED : Outcome.OTHER_TOPIC,
                where == null ? null : where.term(),
                active ? walk.rejected() : null,
                steps);
    }
}
