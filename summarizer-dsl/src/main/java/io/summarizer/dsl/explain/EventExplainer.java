package io.summarizer.dsl.explain;

import io.summarizer.core.dedup.IdHash;
import io.summarizer.core.dedup.IdKey;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.dsl.codegen.GeneratedClasses;
import io.summarizer.dsl.codegen.SourceCompiler;
import io.summarizer.dsl.explain.Explanation.OfMapping;
import io.summarizer.dsl.explain.Explanation.Outcome;
import io.summarizer.dsl.generate.Probe;
import io.summarizer.dsl.generate.ProbeSources;
import io.summarizer.dsl.generate.SummText;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.ExpressionProbes;
import io.summarizer.dsl.runtime.ExpressionProbes.Result;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains one event type. Runs its program, then walks each mapping; the walk has to write the same records as the
 * program.
 */
final class EventExplainer {
    private static final int BATCH_BYTES = 4096;

    /** Any key, because its hashes are only compared with each other. */
    private static final IdKey ID_KEY = new IdKey(1, 2);

    private static final int[] NO_ELEMENTS = {};

    private final EventPlan plan;
    private final EventProgram program;
    private final List<ExpressionProbes> groups;
    private final List<MappingWalk> walks = new ArrayList<>();
    private final DecodedFields fields;
    private final @Nullable TermProbe id;
    private final IdHash ids = new IdHash(ID_KEY);
    private final UpdateBatch written = new UpdateBatch(BATCH_BYTES);
    private final UpdateBatch walked = new UpdateBatch(BATCH_BYTES);

    EventExplainer(EventPlan plan, ValueLimits limits) {
        this.plan = plan;
        Probes probes = new Probes();
        for (int i = 0; i < plan.mappings().size(); i++) {
            walks.add(new MappingWalk(plan.mappings().get(i), i, probes, limits));
        }
        EventType.Dedup dedup = plan.type().dedup();
        id = dedup == null || walks.isEmpty()
                ? null
                : probes.of(0, plan.mappings().get(0), SummText.of(List.of()))
                        .probe(dedup.by(), new Probe.Own(), List.of());
        ProbeSources sources = ProbeSources.of(plan, probes.all());
        GeneratedClasses classes = SourceCompiler.compile(sources.all());
        program = classes.newInstance(sources.program(), EventProgram.class, plan);
        program.useIdKey(ID_KEY);
        program.useLimits(limits);
        groups = sources.probes().stream()
                .map(name -> classes.newInstance(name, ExpressionProbes.class, plan))
                .toList();
        fields = new DecodedFields(plan.schema());
    }

    /** The value of an expression; {@code elements}: records of the loops' current elements. */
    private Result eval(int probe, int[] elements) {
        return groups.get(probe / ProbeSources.PROBES).eval(probe % ProbeSources.PROBES, elements);
    }

    Explanation explain(IMessage message, boolean[] active) {
        written.clear();
        walked.clear();
        long tooLong = program.counts().tooLong;
        String refusal = program.process(message, active, (summary, hash) -> written);
        if (refusal != null) {
            return new Explanation(plan.type().name(), refusal, null, List.of(), null, List.of());
        }
        for (ExpressionProbes group : groups) {
            String other = group.decode(message);
            if (other != null) {
                throw new IllegalStateException("the program took a payload that is refused here: " + other);
            }
        }
        IdHash hashed = identify();
        List<OfMapping> mappings = new ArrayList<>();
        for (int i = 0; i < walks.size(); i++) {
            mappings.add(explain(message, walks.get(i), active[i], hashed));
        }
        check();
        return new Explanation(
                plan.type().name(),
                null,
                program.counts().tooLong == tooLong ? null : program.tooLong(),
                fields.of(groups.get(0).event()),
                identity(),
                mappings);
    }

    private Explanation.@Nullable Identity identity() {
        EventType.Dedup dedup = plan.type().dedup();
        return dedup == null || id == null
                ? null
                : new Explanation.Identity(SummText.dedup(dedup), id.term(number -> eval(number, NO_ELEMENTS)));
    }

    /** The hash of the event's id, or null when it has none. */
    private @Nullable IdHash identify() {
        if (id == null) {
            return null;
        }
        Result result = eval(id.number(), NO_ELEMENTS);
        if (result.isNull()) {
            return null;
        }
        String text = result.text();
        if (text != null) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            ids.ofText(bytes, 0, bytes.length);
            return ids;
        }
        switch (id.probe().expression().type()) {
            case UINT -> ids.ofUint(result.bits());
            case DOUBLE -> ids.ofDouble(Double.longBitsToDouble(result.bits()));
            case TIMESTAMP -> ids.ofTimestamp(result.bits());
            default -> ids.ofInt(result.bits());
        }
        return ids;
    }

    private OfMapping explain(IMessage message, MappingWalk walk, boolean active, @Nullable IdHash hashed) {
        Mapping mapping = walk.mapping();
        TopicPattern pattern = mapping.topic();
        String topic = pattern == null ? null : pattern.toString();
        String summary = walk.summary();
        if (!active) {
            return new OfMapping(mapping.name(), summary, topic, Outcome.OTHER_TOPIC, null, List.of());
        }
        MappingWalk.Run run = walk.run(message, groups.get(0).event(), this::eval, walked, hashed);
        return new OfMapping(
                mapping.name(),
                summary,
                topic,
                run.holds() ? Outcome.APPLIED : Outcome.FILTERED,
                run.where(),
                run.steps());
    }

    /** Checks that the explanation equals the program's result; a wrong explanation would be worse than none. */
    private void check() {
        if (!Arrays.equals(written.bytes(), 0, written.limit(), walked.bytes(), 0, walked.limit())) {
            throw new IllegalStateException("the program does something else than the explanation of "
                    + plan.type().name() + " says");
        }
    }
}
