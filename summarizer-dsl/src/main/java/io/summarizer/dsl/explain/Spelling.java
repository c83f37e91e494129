package io.summarizer.dsl.explain;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.text.DecimalText;
import io.summarizer.core.text.TimestampText;
import io.summarizer.dsl.generate.Probe;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.runtime.ExpressionProbes.Result;
import java.math.BigDecimal;
import java.util.Locale;

/** Text of values, for people. */
final class Spelling {
    private static final int TEXT_CHARS_MAX = 200;

    private Spelling() {}

    static String of(Probe probe, Result result) {
        if (result.isNull()) {
            return "null";
        }
        String text = result.text();
        if (text != null) {
            return quoted(text);
        }
        if (probe.purpose() instanceof Probe.Presence) {
            return result.bits() == 0 ? "absent" : "present";
        }
        if (probe.purpose() instanceof Probe.Key key) {
            return key(key.type(), result.bits());
        }
        if (probe.purpose() instanceof Probe.Observation observation) {
            return observation(observation.type(), result.bits());
        }
        return own(probe.expression().type(), result.bits());
    }

    private static String key(KeyType type, long bits) {
        return switch (type) {
            case INT32, INT64, UINT32 -> Long.toString(bits);
            case UINT64 -> Long.toUnsignedString(bits);
            case BOOL -> bits == 0 ? "false" : "true";
            case TIMESTAMP -> TimestampText.toString(bits);
            case STRING -> throw new IllegalArgumentException("a string has text");
        };
    }

    private static String observation(AggregateType type, long bits) {
        return switch (type) {
            case SUMINT32, SUMINT64, COUNT, MININT64, MAXINT64, FIRSTINT64, LASTINT64 -> Long.toString(bits);
            case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> Double.toString(Double.longBitsToDouble(bits));
            case SUMCURRENCY -> micros(bits);
            case MINTIMESTAMP, MAXTIMESTAMP -> TimestampText.toString(bits);
            case MULTISET64 -> String.format(Locale.ROOT, "hash %016x", bits);
            case FIRSTSTRING, LASTSTRING -> throw new IllegalArgumentException("a string has text");
        };
    }

    private static String own(Expression.Type type, long bits) {
        return switch (type) {
            case INT -> Long.toString(bits);
            case UINT -> Long.toUnsignedString(bits);
            case DOUBLE -> Double.toString(Double.longBitsToDouble(bits));
            case BOOL -> bits == 0 ? "false" : "true";
            case TIMESTAMP -> TimestampText.toString(bits);
            case DURATION -> duration(bits);
            case STRING, NULL, COMPOSITE -> throw new IllegalArgumentException(type + " has no bits");
        };
    }

    /** Millionths as a decimal number. */
    static String micros(long bits) {
        return bits == DecimalText.TOO_LARGE
                ? "too large for a currency"
                : BigDecimal.valueOf(bits, 6).toPlainString();
    }

    private static String duration(long micros) {
        return micros % 1000 == 0 ? micros / 1000 + "ms" : micros + "us";
    }

    /** A string in quotes, cut when it is long; unprintable characters are escaped. */
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
