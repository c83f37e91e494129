package io.summarizer.dsl.interpret;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.decode.PayloadDecoder;
import io.summarizer.core.decode.TableDecoders;
import io.summarizer.core.dedup.IdKey;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.UpdateRouter;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.runtime.LoopSteps;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An {@link EventProgram} that decodes a payload into a record and then walks the evaluators of each mapping. Belongs
 * to one parser worker; allocates nothing per event, except in {@code extract} and non-ASCII {@code lower} and
 * {@code upper}.
 */
public final class Interpreter implements EventProgram {
    private final PayloadDecoder decoder;
    private final Frame frame;
    private final Rule[] rules;
    private final LoopSteps steps;
    /** Sets the event's id in the frame; null when all events count. */
    private final @Nullable Action id;

    /** A mapping, ready to run. */
    private record Rule(@Nullable BoolNode where, Action body) {}

    /** A program for the mappings of {@code plan}. */
    public Interpreter(EventPlan plan) {
        decoder = TableDecoders.of(plan.schema());
        List<EventPlan.MappingPlan> mappings = plan.mappings();
        int loops =
                mappings.stream().mapToInt(EventPlan.MappingPlan::loops).max().orElse(0);
        frame = new Frame(loops, mappings.size());
        Builtins builtins = new Builtins(plan.schema().zones());
        rules = mappings.stream()
                .map(mapping -> {
                    ExpressionCompiler expressions = new ExpressionCompiler(mapping, builtins);
                    return new Rule(
                            StatementCompiler.where(mapping.mapping().where(), expressions),
                            new StatementCompiler(mapping, expressions).body());
                })
                .toArray(Rule[]::new);
        steps = new LoopSteps(mappings);
        EventType.Dedup dedup = plan.type().dedup();
        id = dedup == null || mappings.isEmpty()
                ? null
                : id(new ExpressionCompiler(plan.fields(), builtins).operand(dedup.by()));
    }

    private static Action id(Operand operand) {
        if (operand.type() == Expression.Type.STRING) {
            StringNode text = operand.text();
            return f -> {
                long string = text.eval(f);
                f.hasId = string != InputEvent.NULL_STRING;
                if (f.hasId) {
                    f.ids.ofText(
                            f.event.stringBytes(string),
                            InputEvent.stringOffset(string),
                            InputEvent.stringLength(string));
                }
            };
        }
        if (operand.type() == Expression.Type.DOUBLE) {
            DoubleNode number = operand.number();
            return f -> {
                double value = number.eval(f);
                f.hasId = !f.isNull;
                f.ids.ofDouble(value);
            };
        }
        LongNode bits = operand.bits();
        return f -> {
            long value = bits.eval(f);
            f.hasId = !f.isNull;
            switch (operand.type()) {
                case UINT -> f.ids.ofUint(value);
                case TIMESTAMP -> f.ids.ofTimestamp(value);
                default -> f.ids.ofInt(value);
            }
        };
    }

    @Override
    public void useIdKey(IdKey key) {
        frame.ids.key(key);
    }

    @Override
    public @Nullable String process(IMessage message, boolean[] active, UpdateRouter router) {
        String problem = decoder.decode(message, frame.event);
        if (problem != null) {
            return problem;
        }
        if (steps.exceeded(frame.event, active, message.length(MessageBatch.PAYLOAD))) {
            return LoopSteps.TOO_MANY;
        }
        frame.start(message, router);
        ProgramCounts counts = frame.counts;
        if (id != null) {
            int mark = frame.event.scratchLimit();
            frame.begin();
            id.run(frame);
            frame.event.releaseScratch(mark);
            counts.countWithoutId(frame.hasId ? 0 : 1);
        }
        for (int i = 0; i < rules.length; i++) {
            if (!active[i]) {
                continue;
            }
            Rule rule = rules[i];
            if (rule.where != null && rule.where.eval(frame) != BoolNode.TRUE) {
                counts.countFiltered(i);
            } else {
                frame.first = true;
                rule.body.run(frame);
                counts.countApplied(i);
            }
        }
        counts.countInvalidUtf8(frame.event.repaired());
        return null;
    }

    @Override
    public ProgramCounts counts() {
        return frame.counts;
    }
}
