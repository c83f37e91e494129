package io.summarizer.dsl.explain;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.text.DecimalText;
import io.summarizer.core.text.TimestampText;
import io.summarizer.dsl.generate.SummText;
import io.summarizer.dsl.interpret.Purpose;
import io.summarizer.dsl.interpret.Result;
import io.summarizer.dsl.model.Expression.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/** Writes values as text for people. */
final class Spelling {
    private static final int TEXT_CHARS_MAX = 200;

    private Spelling() {}

    /** The text of the value of an expression of type {@code type}, evaluated for {@code purpose}. */
    static String of(Type type, Purpose purpose, Result result) {
        Object value = result.value();
        if (value == null) {
            return "null";
        }
        if (value instanceof String text) {
            return quoted(text);
        }
        if (purpose instanceof Purpose.Presence) {
            return result.holds() ? "present" : "absent";
        }
        if (!(value instanceof BigInteger)) {
            return value.toString();
        }
        AggregateType column = purpose instanceof Purpose.Observation observation ? observation.type() : null;
        if (column == AggregateType.SUMCURRENCY) {
            return micros(result.bits());
        }
        if (column == AggregateType.MULTISET64) {
            return String.format(Locale.ROOT, "hash %016x", result.bits());
        }
        if (column == AggregateType.COUNT || (type != Type.TIMESTAMP && type != Type.DURATION)) {
            return value.toString();
        }
        return type == Type.TIMESTAMP ? TimestampText.toString(result.bits()) : SummText.duration(result.bits());
    }

    /** Millionths as a decimal number. */
    static String micros(long bits) {
        return bits == DecimalText.TOO_LARGE
                ? "too large for a currency"
                : BigDecimal.valueOf(bits, 6).toPlainString();
    }

    /** A string in quotes. Cuts long strings, and escapes unprintable characters. */
    static String quoted(String text) {
        String cut = text.length() <= TEXT_CHARS_MAX ? text : text.substring(0, TEXT_CHARS_MAX);
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < cut.length(); i++) {
            char c = cut.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    boolean printable =
                            !Character.isISOControl(c) && c != '\u2028' && c != '\u2029' && !Character.isSurrogate(c);
                    if (printable || isPair(cut, i)) {
                        quoted.append(c);
                    } else {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    }
                }
            }
        }
        quoted.append('"');
        return cut.length() == text.length()
                ? quoted.toString()
                : quoted + "... (" + text.codePointCount(0, text.length()) + " characters)";
    }

    /** Whether the character at {@code at} is one half of a pair of surrogates. */
    private static boolean isPair(String text, int at) {
        char c = text.charAt(at);
        return Character.isHighSurrogate(c)
                ? at + 1 < text.length() && Character.isLowSurrogate(text.charAt(at + 1))
                : Character.isLowSurrogate(c) && at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
    }
}
