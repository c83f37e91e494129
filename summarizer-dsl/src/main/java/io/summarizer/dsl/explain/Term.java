package io.summarizer.dsl.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An expression and its value. Immutable.
 *
 * @param text the expression in the syntax of definitions
 * @param value the value as text: {@code null}, {@code 7}, {@code "x"}
 * @param isNull whether the value is null
 * @param remark the reason why the value is null although the operands are not null, or the way in which a window
 *     changed the value; null when there is no remark
 * @param parts the parts that help to understand the value
 */
public record Term(
        String text, String value, boolean isNull, @Nullable String remark, List<Term> parts) {
    public Term {
        parts = List.copyOf(parts);
    }
}
