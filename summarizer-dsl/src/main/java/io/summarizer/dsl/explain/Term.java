package io.summarizer.dsl.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An expression and what it came to. Immutable.
 *
 * @param text as definitions spell it
 * @param value spelled for people: {@code null}, {@code 7}, {@code "x"}
 * @param isNull whether it came to nothing
 * @param remark why it is null though its operands are not, or null
 * @param parts what it is made of, as far as that helps to see why
 */
public record Term(
        String text, String value, boolean isNull, @Nullable String remark, List<Term> parts) {
    public Term {
        parts = List.copyOf(parts);
    }
}
