package io.summarizer.dsl.check;

import io.summarizer.core.route.TopicPattern;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.parse.Ast;
import org.jspecify.annotations.Nullable;

/** Checks the syntax of topic patterns. */
final class TopicPatterns {
    /** Longest pattern, as in AMQP. */
    static final int MAX_LENGTH = 255;

    private TopicPatterns() {}

    /** The pattern of {@code text}. If the text is not a valid pattern, reports an error and returns null. */
    static @Nullable TopicPattern pattern(Ast.Text text, Diagnostics diagnostics) {
        String pattern = text.value();
        if (text.isBroken()) {
            return null;
        }
        if (pattern.isEmpty()) {
            return diagnostics.error(text.span(), "the topic pattern is empty", "`#` matches every topic");
        }
        if (pattern.length() > MAX_LENGTH) {
            return diagnostics.error(text.span(), "the topic pattern is longer than " + MAX_LENGTH + " characters");
        }
        for (String word : TopicPattern.words(pattern)) {
            if (word.length() > 1 && (word.contains("*") || word.contains("#"))) {
                return diagnostics.error(
                        text.span(),
                        "`" + word + "` is no word of a topic pattern",
                        "`*` stands for one whole word, `#` for any number of words; words are separated by dots");
            }
            if (word.chars().anyMatch(Character::isWhitespace)) {
                return diagnostics.error(text.span(), "a topic has no spaces");
            }
        }
        return TopicPattern.of(pattern);
    }
}
