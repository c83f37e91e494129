package io.summarizer.dsl.explain;

import io.summarizer.core.ledger.NullReason;
import io.summarizer.dsl.generate.Probe;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.runtime.ExpressionProbes.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An expression that can be evaluated by itself, and the parts that explain its value. Immutable.
 *
 * @param number the probe's number
 * @param junction AND or OR when the parts are its operands; null when they are its names
 */
record TermProbe(
        int number, String text, Probe probe, @Nullable BinaryOperator junction, List<TermProbe> parts) {
    TermProbe {
        parts = List.copyOf(parts);
    }

    /** The expression with its value. */
    Term term(IntFunction<Result> results) {
        return term(results.apply(number), results);
    }

    Term term(Result result, IntFunction<Result> results) {
        List<Term> shown = new ArrayList<>();
        for (TermProbe part : parts) {
            Result value = results.apply(part.number);
            if (junction == null || decides(result, value)) {
                shown.add(part.term(value, results));
            }
        }
        return new Term(text, Spelling.of(probe, result), result.isNull(), remark(result), shown);
    }

    /** Whether an operand of {@code and} or {@code or} decides the result. */
    private boolean decides(Result result, Result operand) {
        boolean allHadASay = !result.isNull() && (result.bits() != 0) == (junction == BinaryOperator.AND);
        return allHadASay || (operand.isNull() == result.isNull() && operand.bits() == result.bits());
    }

    private @Nullable String remark(Result result) {
        if (!result.isNull()) {
            return null;
        }
        if (result.abandoned() > 0) {
            return "the match took too many steps, or Java's matcher failed";
        }
        NullReason reason = result.reason();
        if (reason == null) {
            return null;
        }
        switch (reason) {
            case UNREADABLE -> {
                return Spelling.quoted(Objects.requireNonNull(result.sample())) + " is no "
                        + (probe.expression().type() == Expression.Type.TIMESTAMP ? "time" : "number");
            }
            case DIVISION -> {
                return "a division by zero";
            }
            case SPACE -> {
                return "a text too large";
            }
            case RANGE -> {
                // below
            }
        }
        return probe.purpose() instanceof Probe.Key key && !(probe.expression() instanceof Expression.Binary)
                ? "out of the range of " + key.type().keyword()
                : "an overflow, or out of range";
    }
}
