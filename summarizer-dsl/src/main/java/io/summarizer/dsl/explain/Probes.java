package io.summarizer.dsl.explain;

import io.summarizer.core.store.AggregateType;
import io.summarizer.dsl.generate.Probe;
import io.summarizer.dsl.generate.SummText;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.plan.EventPlan;
import io.summarizer.dsl.plan.FieldUse;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the expressions of an event type's mappings that an explanation evaluates. Used by one thread, once. */
final class Probes {
    /** Most names shown of one expression. */
    private static final int NAMES_MAX = 8;
    /** Most operands shown of one {@code and} or {@code or}. */
    private static final int OPERANDS_MAX = 32;
    /** Most levels of {@code and} within {@code or} and so on: each evaluates all levels below it again. */
    private static final int DEPTH_MAX = 4;

    private final List<Probe> all = new ArrayList<>();

    /** All expressions so far, by number. */
    List<Probe> all() {
        return List.copyOf(all);
    }

    /** Adds the expressions of one mapping. */
    OfMapping of(int number, EventPlan.MappingPlan mapping, SummText text) {
        return new OfMapping(number, mapping, text);
    }

    /** Takes expressions of one mapping. */
    final class OfMapping {
        private final int mapping;
        private final EventPlan.MappingPlan plan;
        private final SummText text;

        private OfMapping(int mapping, EventPlan.MappingPlan plan, SummText text) {
            this.mapping = mapping;
            this.plan = plan;
            this.text = text;
        }

        /** A condition, or null for none. */
        @Nullable
        TermProbe condition(@Nullable Expression where, List<Integer> loops) {
            return where == null ? null : condition(where, loops, 0);
        }

        private TermProbe condition(Expression condition, List<Integer> loops, int depth) {
            BinaryOperator junction = junction(condition);
            if (junction == null || depth == DEPTH_MAX) {
                return probe(condition, new Probe.Own(), loops);
            }
            List<Expression> operands = new ArrayList<>();
            flatten(condition, junction, operands);
            List<TermProbe> parts = new ArrayList<>();
            for (Expression operand : operands.subList(0, Math.min(OPERANDS_MAX, operands.size()))) {
                parts.add(condition(operand, loops, depth + 1));
            }
            return add(condition, new Probe.Own(), loops, junction, parts);
        }

        /** An expression with its purpose, and the names in it. */
        TermProbe probe(Expression expression, Probe.Purpose purpose, List<Integer> loops) {
            Set<Expression> names = new LinkedHashSet<>();
            collect(expression, names);
            List<TermProbe> parts = new ArrayList<>();
            boolean isName = isName(expression) && !isChanged(expression, purpose);
            if (!isName) {
                for (Expression name : names) {
                    if (parts.size() < NAMES_MAX) {
                        parts.add(add(name, purpose(name), loops, null, List.of()));
                    }
                }
            }
            return add(expression, purpose, loops, null, parts);
        }

        private TermProbe add(
                Expression expression,
                Probe.Purpose purpose,
                List<Integer> loops,
                @Nullable BinaryOperator junction,
                List<TermProbe> parts) {
            Probe probe = new Probe(mapping, expression, purpose, loops);
            all.add(probe);
            return new TermProbe(all.size() - 1, text.expression(expression), probe, junction, parts);
        }

        /**
         * The purpose of a name: of a list or message only the presence; an amount may only be decoded as an amount.
         */
        private Probe.Purpose purpose(Expression name) {
            if (name.type() == Type.COMPOSITE) {
                return new Probe.Presence();
            }
            if (name instanceof Expression.Field field) {
                FieldUse use = plan.field(field);
                if (use.valueSlot() < 0) {
                    return new Probe.Observation(AggregateType.SUMCURRENCY);
                }
            }
            return new Probe.Own();
        }

        /** Whether the shown value of a name differs from its own value, because of its purpose. */
        private boolean isChanged(Expression name, Probe.Purpose purpose) {
            return purpose instanceof Probe.Observation observation
                    ? observation.type() == AggregateType.MULTISET64 || observation.type() == AggregateType.COUNT
                    : name.type() == Type.UINT && purpose instanceof Probe.Key;
        }
    }

    private static @Nullable BinaryOperator junction(Expression expression) {
        return expression instanceof Expression.Binary binary
                        && (binary.operator() == BinaryOperator.AND || binary.operator() == BinaryOperator.OR)
                ? binary.operator()
                : null;
    }

    private static void flatten(Expression expression, BinaryOperator junction, List<Expression> operands) {
        if (expression instanceof Expression.Binary binary && binary.operator() == junction) {
            flatten(binary.left(), junction, operands);
            flatten(binary.right(), junction, operands);
        } else {
            operands.add(expression);
        }
    }

    private static boolean isName(Expression expression) {
        return expression instanceof Expression.Field
                || expression instanceof Expression.BuiltinValue
                || expression instanceof Expression.TopicWord
                || expression instanceof Expression.StructuredData;
    }

    private static void collect(Expression expression, Set<Expression> names) {
        if (isName(expression)) {
            names.add(expression);
        } else if (expression instanceof Expression.Unary unary) {
            collect(unary.operand(), names);
        } else if (expression instanceof Expression.Binary binary) {
            collect(binary.left(), names);
            collect(binary.right(), names);
        } else if (expression instanceof Expression.In in) {
            collect(in.operand(), names);
            in.elements().forEach(element -> collect(element, names));
        } else if (expression instanceof Expression.Call call) {
            call.arguments().forEach(argument -> collect(argument, names));
        }
    }
}
