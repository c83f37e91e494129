package io.summarizer.dsl.explain;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.explain.Explanation.OfMapping;
import io.summarizer.dsl.explain.Explanation.Outcome;
import io.summarizer.dsl.generate.GeneratedClasses;
import io.summarizer.dsl.generate.ProbeSources;
import io.summarizer.dsl.generate.SourceCompiler;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.ExpressionProbes;
import io.summarizer.dsl.runtime.ExpressionProbes.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Explains one event type. Runs its program, then walks each mapping; what the walk writes has to be what the program wrote.
 */
final class EventExplainer {
    private static final int BATCH_BYTES = 4096;

    private final EventPlan plan;
    private final EventProgram program;
    private final List<ExpressionProbes> groups;
    private final List<MappingWalk> walks = new ArrayList<>();
    private final DecodedFields fields;
    private final UpdateBatch written = new UpdateBatch(BATCH_BYTES);
    private final UpdateBatch walked = new UpdateBatch(BATCH_BYTES);

    EventExplainer(EventPlan plan) {
        this.plan = plan;
        Probes probes = new Probes();
        for (int i = 0; i < plan.mappings().size(); i++) {
            walks.add(new MappingWalk(plan.mappings().get(i), i, probes));
        }
        ProbeSources sources = ProbeSources.of(plan, probes.all());
        GeneratedClasses classes = SourceCompiler.compile(sources.all());
        program = classes.newInstance(sources.program(), EventProgram.class, plan);
        groups = sources.probes().stream()
                .map(name -> classes.newInstance(name, ExpressionProbes.class, plan))
                .toList();
        fields = new DecodedFields(plan.schema());
    }

    /** What an expression comes to; {@code elements}: records of the loops' current elements. */
    private Result eval(int probe, int[] elements) {
        return groups.get(probe / ProbeSources.PROBES).eval(probe % ProbeSources.PROBES, elements);
    }

    Explanation explain(IMessage message, boolean[] active) {
        written.clear();
        walked.clear();
        String refusal = program.process(message, active, (summary, hash) -> written);
        if (refusal != null) {
            return new Explanation(plan.type().name(), refusal, List.of(), List.of());
        }
        for (ExpressionProbes group : groups) {
            String other = group.decode(message);
            if (other != null) {
                throw new IllegalStateException("the program took a payload that is refused here: " + other);
            }
        }
        List<OfMapping> mappings = new ArrayList<>();
        for (int i = 0; i < walks.size(); i++) {
            mappings.add(explain(message, walks.get(i), active[i]));
        }
        check();
        return new Explanation(plan.type().name(), null, fields.of(groups.get(0).event()), mappings);
    }

    private OfMapping explain(IMessage message, MappingWalk walk, boolean active) {
        Mapping mapping = walk.mapping();
        TopicPattern pattern = mapping.topic();
        String topic = pattern == null ? null : pattern.toString();
        String summary = walk.summary();
        if (!active) {
            return new OfMapping(mapping.name(), summary, topic, Outcome.OTHER_TOPIC, null, List.of());
        }
        MappingWalk.Run run = walk.run(message, groups.get(0).event(), this::eval, walked);
        return new OfMapping(
                mapping.name(),
                summary,
                topic,
                run.holds() ? Outcome.APPLIED : Outcome.FILTERED,
                run.where(),
                run.steps());
    }

    /** An explanation that is not what the program does would be worse than none. */
    private void check() {
        if (!Arrays.equals(written.bytes(), 0, written.limit(), walked.bytes(), 0, walked.limit())) {
            throw new IllegalStateException("the program does something else than the explanation of "
                    + plan.type().name() + " says");
        }
    }
}
