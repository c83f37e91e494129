package io.summarizer.dsl.interpret;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Functions of strings. New results lie in the event's scratch space. */
final class Texts {
    private Texts() {}

    static StringNode literal(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return f -> f.event.copyToScratch(bytes, 0, bytes.length);
    }

    /** Number of code points. */
    static LongNode length(StringNode text) {
        return f -> {
            long string = text.eval(f);
            if (string == InputEvent.NULL_STRING) {
                return f.none();
            }
            int from = InputEvent.stringOffset(string);
            return f.value(Utf8.codePoints(f.event.stringBytes(string), from, from + InputEvent.stringLength(string)));
        };
    }

    /** The concatenation of the parts, null when one of them is. */
    static StringNode concat(List<StringNode> parts) {
        StringNode[] nodes = parts.toArray(new StringNode[0]);
        long[] strings = new long[nodes.length];
        return f -> {
            long total = 0;
            for (int i = 0; i < nodes.length; i++) {
                strings[i] = nodes[i].eval(f);
                if (strings[i] == InputEvent.NULL_STRING) {
                    return InputEvent.NULL_STRING;
                }
                total += InputEvent.stringLength(strings[i]);
            }
            if (total > Integer.MAX_VALUE || !f.event.reserveScratch((int) total)) {
                return InputEvent.NULL_STRING;
            }
            int start = f.event.scratchLimit();
            int at = start;
            for (long string : strings) {
                int length = InputEvent.stringLength(string);
                System.arraycopy(
                        f.event.stringBytes(string), InputEvent.stringOffset(string), f.event.scratch(), at, length);
                at += length;
            }
            f.event.scratchLimit(at);
            return InputEvent.scratchString(start, at - start);
        };
    }

    /**
     * Code points {@code from} to {@code from + count - 1}, counted from 1, as far as they exist; to the end without a
     * count. A negative count counts as 0.
     */
    static StringNode substring(StringNode text, LongNode from, @Nullable LongNode count) {
        return f -> {
            long string = text.eval(f);
            if (string == InputEvent.NULL_STRING) {
                return InputEvent.NULL_STRING;
            }
            long first = from.eval(f);
            if (f.isNull) {
                return InputEvent.NULL_STRING;
            }
            long end = Long.MAX_VALUE;
            if (count != null) {
                long wanted = count.eval(f);
                if (f.isNull) {
                    return InputEvent.NULL_STRING;
                }
                // Saturated, not wrapped: both may be any number.
                end = first > 0 && wanted > Long.MAX_VALUE - first ? Long.MAX_VALUE : first + Math.max(0, wanted);
            }
            first = Math.max(1, first);
            byte[] bytes = f.event.stringBytes(string);
            int offset = InputEvent.stringOffset(string);
            int limit = offset + InputEvent.stringLength(string);
            int start = Utf8.skip(bytes, offset, limit, first - 1);
            int stop = Utf8.skip(bytes, start, limit, Math.max(0, end - first));
            return InputEvent.slice(string, start, stop - start);
        };
    }

    /** The text in lower case, for any default locale. */
    static StringNode lower(StringNode text) {
        return mapped(text, (byte) 'A', (byte) 'Z', string -> string.toLowerCase(Locale.ROOT));
    }

    /** The text in upper case, for any default locale. */
    static StringNode upper(StringNode text) {
        return mapped(text, (byte) 'a', (byte) 'z', string -> string.toUpperCase(Locale.ROOT));
    }

    private static StringNode mapped(StringNode text, byte first, byte last, UnaryOperator<String> unicode) {
        return f -> {
            long string = text.eval(f);
            if (string == InputEvent.NULL_STRING) {
                return string;
            }
            byte[] bytes = f.event.stringBytes(string);
            int from = InputEvent.stringOffset(string);
            int length = InputEvent.stringLength(string);
            if (!Utf8.isAscii(bytes, from, from + length)) {
                byte[] mapped = unicode.apply(f.event.string(string)).getBytes(StandardCharsets.UTF_8);
                return f.event.copyToScratch(mapped, 0, mapped.length);
            }
            long copy = f.event.copyToScratch(bytes, from, length);
            if (copy == InputEvent.NULL_STRING) {
                return copy;
            }
            byte[] scratch = f.event.scratch();
            int start = InputEvent.stringOffset(copy);
            for (int at = start; at < start + length; at++) {
                if (scratch[at] >= first && scratch[at] <= last) {
                    scratch[at] ^= 0x20;
                }
            }
            return copy;
        };
    }
}
