package io.summarizer.dsl.runtime;

import io.summarizer.core.decode.InputEvent;
import io.summarizer.core.ledger.ProgramCounts;
import io.summarizer.core.text.Utf8;
import io.summarizer.dsl.model.Regex;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates {@code extract(text, "regex", group)}. The result is the text of the group in the first match; null when
 * there is no match, or when the group took no part in the match.
 *
 * <p>A match of a {@link Regex} backtracks, which can take exponential time or deep recursion. Therefore, a match may
 * take only {@value #STEPS} steps, plus {@value #STEPS_PER_CHARACTER} per character of the text, and at most {@value
 * #STEPS_MAX}. Each read of a character counts as a fixed number of steps, which is the weight of the regex. Each
 * position where the match may start also counts: its number of steps is the weight minus one. Work is done there even
 * if no character is read. All matches for an event, or for a row of a query, share {@link ProgramCounts#extractSteps};
 * each match also takes one of these shared steps per byte of its text. When the steps are used up, when the stack
 * overflows, or when the JDK's matcher fails, the result is null, and the failure is counted.
 *
 * <p>A {@link OnePass} matches simple regexes in ASCII text, with the same result. A read costs the same number of
 * steps in a {@link OnePass} as in the JDK's matcher, but a {@link OnePass} never goes back.
 *
 * <p>Each place in a program has an extraction of its own. A match in ASCII text allocates memory for backtracking
 * only. This memory is released after a match of more than {@value #STEPS_KEPT} steps.
 */
public final class Extraction {
    private static final int STEPS = 10_000;
    private static final int STEPS_PER_CHARACTER = 100;
    private static final int STEPS_MAX = 4_000_000;
    private static final int STEPS_KEPT = 50_000;

    private final int group;
    private final Pattern pattern;
    private Matcher matcher;
    private final Budgeted input;
    private final int weight;
    /** A matcher for ASCII text, if the regex is simple; otherwise null. */
    private final @Nullable OnePass onePass;

    /** An extraction of group {@code group} of {@code regex}. */
    public Extraction(String regex, int group) {
        this.group = group;
        Regex compiled = Regex.of(regex);
        pattern = compiled.pattern();
        matcher = pattern.matcher("");
        weight = compiled.weight();
        input = new Budgeted(weight);
        if (group < 0 || group > matcher.groupCount()) {
            throw new IllegalArgumentException("\"" + regex + "\" has no group " + group);
        }
        onePass = OnePass.of(regex, group);
    }

    /** The group's text in a string of {@code event}, or {@link InputEvent#NULL_STRING}. */
    public long find(InputEvent event, ProgramCounts counts, long string) {
        byte[] bytes = event.stringBytes(string);
        int from = InputEvent.stringOffset(string);
        int length = InputEvent.stringLength(string);
        counts.extractSteps -= length;
        if (counts.extractSteps < 0) {
            counts.countExtractsAbandoned(1);
            return InputEvent.NULL_STRING;
        }
        boolean ascii = Utf8.isAscii(bytes, from, from + length);
        if (ascii && onePass != null) {
            return findOnce(onePass, counts, string, bytes, from, length);
        }
        if (ascii) {
            input.reset(bytes, from, length, counts.extractSteps);
        } else {
            byte[] chars = event.string(string).getBytes(StandardCharsets.UTF_16BE);
            input.resetWide(chars, counts.extractSteps);
        }
        Matcher matcher = this.matcher;
        try {
            input.start();
            if (!matcher.reset(input).find() || matcher.start(group) < 0) {
                return InputEvent.NULL_STRING;
            }
            int start = matcher.start(group);
            int end = matcher.end(group);
            if (ascii) {
                return InputEvent.slice(string, from + start, end - start);
            }
            byte[] found = input.subSequence(start, end).toString().getBytes(StandardCharsets.UTF_8);
            return event.copyToScratch(found, 0, found.length);
        } catch (OutOfBudgetException | StackOverflowError | IndexOutOfBoundsException | NullPointerException e) {
            // The last two exceptions come from faults in the JDK's matcher. With a case-insensitive reference to a
            // group, it reads beyond a text that ends with a surrogate pair. For some classes, such as [a-z1&&], a part
            // of the matcher is null.
            counts.countExtractsAbandoned(1);
            return InputEvent.NULL_STRING;
        } finally {
            counts.extractSteps -= input.steps();
            if (input.steps() > STEPS_KEPT) {
                this.matcher = pattern.matcher("");
            }
            input.forget();
        }
    }

    private long findOnce(OnePass onePass, ProgramCounts counts, long string, byte[] bytes, int from, int length) {
        boolean found = onePass.matches(bytes, from, from + length);
        long steps = startSteps(weight, length) + (long) weight * onePass.looks();
        boolean abandoned = steps > allowed(length, counts.extractSteps);
        counts.extractSteps -= steps;
        if (abandoned) {
            counts.countExtractsAbandoned(1);
        }
        return found && !abandoned
                ? InputEvent.slice(string, onePass.start(), onePass.end() - onePass.start())
                : InputEvent.NULL_STRING;
    }

    /** Steps for the positions where a match may start. */
    private static long startSteps(int weight, int length) {
        return (weight - 1L) * (length + 1L);
    }

    /** Number of steps that a match may take, at most {@code most}. */
    private static long allowed(int length, long most) {
        return Math.min(most, Math.min(STEPS_MAX, STEPS + (long) length * STEPS_PER_CHARACTER));
    }

    /** Thrown when a match took too many steps. Has no stack trace. */
    private static final class OutOfBudgetException extends RuntimeException {
        OutOfBudgetException() {
            super("too many steps", null, false, false);
        }
    }

    /** A text that bounds the number of looks at its characters. */
    private static final class Budgeted implements CharSequence {
        private static final byte[] NOTHING = {};

        private final int weight;
        private byte[] bytes = NOTHING;
        private int from;
        private int length;
        /** Shift from a number of characters to a number of bytes: 0 for ASCII, 1 for UTF-16. */
        private int shift;

        private long allowed;
        private long budget;

        Budgeted(int weight) {
            this.weight = weight;
        }

        void reset(byte[] bytes, int from, int length, long most) {
            this.bytes = bytes;
            this.from = from;
            this.length = length;
            shift = 0;
            allowed = Extraction.allowed(length, most);
            budget = allowed;
        }

        /** Takes the steps for each position where the match may start. */
        void start() {
            budget -= startSteps(weight, length);
            if (budget < 0) {
                throw new OutOfBudgetException();
            }
        }

        /** Steps taken since the last reset. */
        long steps() {
            return allowed - budget;
        }

        void resetWide(byte[] chars, long most) {
            reset(chars, 0, chars.length / 2, most);
            shift = 1;
        }

        /** Releases the text. */
        void forget() {
            bytes = NOTHING;
            length = 0;
        }

        @Override
        public int length() {
            return length;
        }

        @Override
        public char charAt(int index) {
            if ((budget -= weight) < 0) {
                throw new OutOfBudgetException();
            }
            int at = from + (index << shift);
            return (char) (shift == 0 ? bytes[at] : (bytes[at] << 8 | (bytes[at + 1] & 0xff)));
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new String(
                    bytes,
                    from + (start << shift),
                    (end - start) << shift,
                    shift == 0 ? StandardCharsets.US_ASCII : StandardCharsets.UTF_16BE);
        }

        @Override
        public String toString() {
            return subSequence(0, length).toString();
        }
    }
}
