package io.summarizer.dsl.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An expression and its value. Immutable.
 *
 * @param text in the syntax of definitions
 * @param value as text: {@code null}, {@code 7}, {@code "x"}
 * @param isNull whether it is null
 * @param remark the reason why it is null although its operands are not, or null
 * @param parts the parts that help to understand the value
 */
public record Term(
        String text, String value, boolean isNull, @Nullable String remark, List<Term> parts) {
    public Term {
        parts = List.copyOf(parts);
    }
}
