package io.summarizer.dsl.explain;

import io.summarizer.core.ledger.NullReason;
import io.summarizer.core.store.AggregateType;
import io.summarizer.dsl.generate.SummText;
import io.summarizer.dsl.interpret.Interpreter;
import io.summarizer.dsl.interpret.Purpose;
import io.summarizer.dsl.interpret.Result;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Type;
import io.summarizer.dsl.plan.EventPlan;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes the values of a mapping's expressions, along with the values of their parts. Used by one thread. */
record Terms(EventPlan.Fields fields, SummText text, Interpreter interpreter) {
    /** The purpose of an expression that is shown in its own type. */
    static final Purpose OWN = new Purpose.Own();

    /** Maximum number of names shown of one expression. */
    private static final int NAMES_MAX = 8;
    /** Maximum number of operands that are shown for one {@code and} or {@code or}. */
    private static final int OPERANDS_MAX = 32;
    /**
     * Maximum number of nested levels of {@code and} and {@code or} that are shown. To show a level, all levels below
     * it are evaluated again, so the number is small.
     */
    private static final int DEPTH_MAX = 4;

    /** A condition and its operands. */
    Term condition(Expression condition, Result result) {
        return condition(condition, result, 0);
    }

    private Term condition(Expression condition, Result result, int depth) {
        BinaryOperator junction = junction(condition);
        if (junction == null || depth == DEPTH_MAX) {
            return term(condition, OWN, result);
        }
        List<Expression> operands = new ArrayList<>();
        flatten(condition, junction, operands);
        List<Term> parts = new ArrayList<>();
        for (Expression operand : operands.subList(0, Math.min(OPERANDS_MAX, operands.size()))) {
            Result value = interpreter.eval(operand, OWN);
            if (decides(junction, result, value)) {
                parts.add(condition(operand, value, depth + 1));
            }
        }
        return term(condition, OWN, result, parts);
    }

    /** Whether an operand of {@code and} or {@code or} is a reason for the result. */
    private static boolean decides(BinaryOperator junction, Result result, Result operand) {
        return Objects.equals(result.value(), junction == BinaryOperator.AND)
                || Objects.equals(result.value(), operand.value());
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

    /** An expression with its purpose, and the names in it. */
    Term term(Expression expression, Purpose purpose, Result result) {
        List<Term> parts = new ArrayList<>();
        if (!(expression instanceof Expression.Name) || isChanged(expression, purpose)) {
            Set<Expression> names = new LinkedHashSet<>();
            collect(expression, names);
            names.stream().limit(NAMES_MAX).forEach(name -> {
                Purpose of = purpose(name);
                parts.add(term(name, of, interpreter.eval(name, of), List.of()));
            });
        }
        return term(expression, purpose, result, parts);
    }

    private Term term(Expression expression, Purpose purpose, Result result, List<Term> parts) {
        return new Term(
                text.expression(expression),
                Spelling.of(expression.type(), purpose, result),
                result.isNull(),
                remark(expression, purpose, result),
                parts);
    }

    /**
     * The purpose for which a name is evaluated: presence for a list or message, and the amount for a field that is
     * decoded only as an amount.
     */
    private Purpose purpose(Expression name) {
        if (name.type() == Type.COMPOSITE) {
            return new Purpose.Presence();
        }
        return name instanceof Expression.Field field && fields.field(field).valueSlot() < 0
                ? new Purpose.Observation(AggregateType.SUMCURRENCY)
                : OWN;
    }

    /**
     * Whether the target receives another value than the value of {@code name}. A count receives 1, a multiset receives
     * a hash, and a key column receives an unsigned integer in converted form.
     */
    private static boolean isChanged(Expression name, Purpose purpose) {
        return purpose instanceof Purpose.Observation observation
                ? observation.type() == AggregateType.MULTISET64 || observation.type() == AggregateType.COUNT
                : name.type() == Type.UINT && purpose instanceof Purpose.Key;
    }

    private static void collect(Expression expression, Set<Expression> names) {
        if (expression instanceof Expression.Name) {
            names.add(expression);
        } else {
            expression.operands().forEach(operand -> collect(operand, names));
        }
    }

    private static @Nullable String remark(Expression expression, Purpose purpose, Result result) {
        NullReason reason = result.reason();
        if (!result.isNull()) {
            return null;
        }
        if (result.abandoned()) {
            return "the match took too many steps, or Java's matcher failed";
        }
        if (reason == null) {
            return null;
        }
        return switch (reason) {
            case UNREADABLE ->
                Spelling.quoted(Objects.requireNonNull(result.sample())) + " is no "
                        + switch (expression.type()) {
                            case TIMESTAMP -> "time";
                            case INT, UINT -> "whole number";
                            default -> "number";
                        };
            case DIVISION -> "a division by zero";
            case SPACE -> "a text too large";
            case RANGE ->
                purpose instanceof Purpose.Key key && !(expression instanceof Expression.Binary)
                        ? "out of the range of " + key.type().keyword()
                        : "an overflow, or out of range";
        };
    }
}
