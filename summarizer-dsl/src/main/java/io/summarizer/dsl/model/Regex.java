package io.summarizer.dsl.model;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regex of {@code extract}: a {@link Pattern} whose cost per character is bounded. Immutable.
 *
 * <p>A {@link Pattern} backtracks, so its matches are bounded by the characters that they look at. Between two looks it may
 * still take steps that look at none: it enters groups, chooses alternatives, goes through what matches the empty text.
 * {@link #weight} bounds their number, computed from the regex alone, so that looks times weight bounds all work:
 *
 * <pre>
 *   ways   how often a part can be gone through without a character
 *   front  steps from the start of a part to the next looks
 *   tail   steps from behind a character within the part to the next looks, or out of the part
 *   exits  how often the part is left on the way
 * </pre>
 *
 * <p>A repetition counts as if each of its least iterations could be empty, in all ways: {@code (|){30}b} is refused. So are
 * repetitions of repetitions and of nothing, such as {@code a{2}{1000000000}}: {@link Pattern} takes the second one for that many
 * iterations of the empty text.
 */
public final class Regex {
    /** Characters of a regex; longer ones might exhaust the stack of the regex compiler. */
    public static final int CHARACTERS_MAX = 1000;

    /** Steps between two characters beyond which a regex is refused. */
    private static final int STEPS_MAX = 4_000;
    /** Steps between two characters that cost no more than looking at one. */
    private static final int STEPS_FREE = 128;
    /** Characters of a class, as of {@code [a-cx-z]}, that take as long as a step. */
    private static final int CLASS_CHARACTERS = 4;
    /** Iterations beyond which it makes no difference whether there are two ways or more. */
    private static final int ITERATIONS_MAX = 64;

    private final Pattern pattern;
    private final int weight;

    private Regex(Pattern pattern, int weight) {
        this.pattern = pattern;
        this.weight = weight;
    }

    /**
     * Compiles a regex.
     *
     * @throws PatternSyntaxException when it is wrong or has no bound, with the place where that is known
     */
    public static Regex of(String regex) {
        if (regex.length() > CHARACTERS_MAX) {
            throw new PatternSyntaxException("longer than " + CHARACTERS_MAX + " characters", regex, -1);
        }
        String unquoted = unquoted(regex);
        try {
            Pattern pattern = Pattern.compile(unquoted);
            double steps = new Reader(unquoted).steps();
            if (!(steps <= STEPS_MAX)) {
                throw new PatternSyntaxException(
                        "there are too many ways between two characters; let what is repeated match at least one"
                                + " character, or shorten a look-behind",
                        regex,
                        -1);
            }
            return new Regex(pattern, (int) Math.max(1, steps / STEPS_FREE));
        } catch (PatternSyntaxException e) {
            throw unquoted.equals(regex) ? e : new PatternSyntaxException(e.getDescription(), regex, -1);
        }
    }

    /**
     * The same regex with a backslash before each quoted character instead of quotes: {@code \(a} for {@code \Q(a\E}. {@link Pattern} takes
     * quotes away before it parses, even those in {@code (\Q\E?:a)}, so a reader that knows of quotes would read another regex.
     */
    private static String unquoted(String regex) {
        if (!regex.contains("\\Q")) {
            return regex;
        }
        StringBuilder out = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < regex.length(); at++) {
            char c = regex.charAt(at);
            if (quoted && regex.startsWith("\\E", at)) {
                quoted = false;
                at++;
            } else if (!quoted && regex.startsWith("\\Q", at)) {
                quoted = true;
                at++;
            } else if (quoted && c >= '0' && c <= '9') {
                out.append("\\x3").append(c); // alone, it might belong to an escape before it
            } else if (quoted) {
                out.append(c < 128 && !Character.isLetter(c) ? "\\" : "").append(c);
            } else {
                out.append(c);
                if (c == '\\' && at + 1 < regex.length()) {
                    out.append(regex.charAt(++at));
                }
            }
        }
        return out.toString();
    }

    /** The pattern. */
    public Pattern pattern() {
        return pattern;
    }

    /** Capturing groups. */
    public int groups() {
        return pattern.matcher("").groupCount();
    }

    /** Cost of a look at a character, at least 1. */
    public int weight() {
        return weight;
    }

    /**
     * The ways of a part of a regex between two characters. The numbers are bounds, and infinite beyond all bounds.
     *
     * @param least characters that it takes at least
     * @param most characters that it takes at most
     */
    private record Part(double ways, double front, double tail, double exits, double least, double most) {
        static final Part NOTHING = new Part(1, 0, 0, 0, 0, 0);
        static final Part CHARACTER = character(1);
        /** A place, such as the start of a line. */
        static final Part PLACE = new Part(1, 1, 0, 0, 0, 0);
        /** A part that may take any number of characters, and none: the text that a group caught. */
        static final Part CAUGHT = new Part(1, 1, 1, 1, 0, Double.POSITIVE_INFINITY);

        /** A character that is compared with so many others. */
        static Part character(int steps) {
            return new Part(0, steps, steps, 1, 1, 2);
        }

        Part then(Part next) {
            return new Part(
                    times(ways, next.ways),
                    front + times(ways, next.front),
                    Math.max(next.tail, tail + times(exits, next.front)),
                    Math.max(next.exits, times(exits, next.ways)),
                    least + next.least,
                    most + next.most);
        }

        Part or(Part other) {
            return new Part(
                    ways + other.ways,
                    front + other.front + 1,
                    Math.max(tail, other.tail),
                    Math.max(exits, other.exits),
                    Math.min(least, other.least),
                    Math.max(most, other.most));
        }

        Part grouped() {
            return new Part(ways, front + 1, tail + 1, exits, least, most);
        }

        /** {@code max} below 0: without end. */
        Part repeated(int min, int max) {
            double skipped = min == 0 ? 1 : 0;
            double longest = max < 0 ? (most == 0 ? 0 : Double.POSITIVE_INFINITY) : times(max, most);
            if (max == 0 || max == 1) {
                return new Part(ways + skipped, front + 1, tail + exits, exits, times(min, least), longest);
            }
            double empty = ways == 0 ? 0 : Math.pow(1 + ways, Math.max(1, Math.min(min, ITERATIONS_MAX)));
            double again = 1 + times(front, 1 + empty);
            return new Part(
                    empty + skipped,
                    again,
                    tail + times(exits, again),
                    times(exits, 1 + empty),
                    times(min, least),
                    longest);
        }

        Part lookedAhead() {
            return new Part(Math.max(1, ways), front + 1, tail + 1, Math.max(1, exits), 0, 0);
        }

        /** Each length is tried in turn. */
        Part lookedBehind() {
            double tries = times(front + 1, most - least + 1);
            return new Part(Math.max(1, ways), tries, tail + tries, Math.max(1, exits), 0, 0);
        }

        /** Nothing times infinity is nothing. */
        private static double times(double a, double b) {
            return a == 0 || b == 0 ? 0 : a * b;
        }
    }

    /** Reads the structure of a regex that {@link Pattern} takes. */
    private static final class Reader {
        private final String regex;
        private int at;

        Reader(String regex) {
            this.regex = regex;
        }

        double steps() {
            Part all = alternatives();
            return 1 + all.front + all.tail + all.exits;
        }

        private Part alternatives() {
            Part all = sequence();
            while (takes('|')) {
                all = all.or(sequence());
            }
            return all;
        }

        private Part sequence() {
            Part all = Part.NOTHING;
            while (at < regex.length() && peek() != '|' && peek() != ')') {
                all = all.then(repetitions(atom()));
            }
            return all;
        }

        private Part repetitions(Part part) {
            Part repeated;
            if (takes('*')) {
                repeated = part.repeated(0, -1);
            } else if (takes('+')) {
                repeated = part.repeated(1, -1);
            } else if (takes('?')) {
                repeated = part.repeated(0, 1);
            } else if (at < regex.length() && peek() == '{') {
                repeated = counted(part);
            } else {
                return part;
            }
            if (!takes('?')) {
                takes('+');
            }
            return repeated;
        }

        private Part counted(Part part) {
            String[] bounds = upTo('}').substring(1).split(",", -1);
            int min = count(bounds[0]);
            return part.repeated(min, bounds.length == 1 ? min : bounds[1].isEmpty() ? -1 : count(bounds[1]));
        }

        private static int count(String digits) {
            try {
                return Integer.parseInt(digits);
            } catch (NumberFormatException e) {
                return Integer.MAX_VALUE;
            }
        }

        private Part atom() {
            int c = regex.codePointAt(at);
            at += Character.charCount(c);
            return switch (c) {
                case '(' -> group();
                case '[' -> {
                    int from = at;
                    skipClass();
                    yield Part.character(1 + (at - from) / CLASS_CHARACTERS);
                }
                case '{' ->
                    throw new PatternSyntaxException(
                            "a repetition of a repetition, or of nothing; put what is repeated into a group, and write"
                                    + " \\{ for a brace",
                            regex,
                            at - 1);
                case '\\' -> escape();
                case '^', '$' -> Part.PLACE;
                default -> Part.CHARACTER;
            };
        }

        private Part group() {
            if (!takes('?')) {
                return closed().grouped();
            }
            if (takes(':') || takes('>')) {
                return closed().grouped();
            }
            if (takes('=') || takes('!')) {
                return closed().lookedAhead();
            }
            if (takes('<')) {
                if (takes('=') || takes('!')) {
                    return closed().lookedBehind();
                }
                upTo('>');
                return closed().grouped();
            }
            int from = at;
            while (at < regex.length() && peek() != ')' && peek() != ':') {
                at++;
            }
            if (regex.substring(from, at).indexOf('x') >= 0) {
                throw new PatternSyntaxException("the flag x, for comments, is not supported", regex, from);
            }
            return takes(')') ? Part.PLACE : behindColon();
        }

        private Part behindColon() {
            takes(':');
            return closed().grouped();
        }

        private Part closed() {
            Part part = alternatives();
            takes(')');
            return part;
        }

        private void skipClass() {
            takes('^');
            boolean first = true;
            while (at < regex.length()) {
                char c = regex.charAt(at++);
                if (c == ']' && !first) {
                    return;
                }
                if (c == '[') {
                    skipClass();
                } else if (c == '\\') {
                    at++;
                }
                first = false;
            }
        }

        private Part escape() {
            char c = at < regex.length() ? regex.charAt(at++) : '\\';
            switch (c) {
                case 'b', 'B', 'A', 'G', 'Z', 'z' -> {
                    if (regex.startsWith("{g}", at)) {
                        at += 3;
                    }
                    return Part.PLACE;
                }
                case 'k' -> {
                    upTo('>');
                    return Part.CAUGHT;
                }
                case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> {
                    while (at < regex.length() && Character.isDigit(peek())) {
                        at++;
                    }
                    return Part.CAUGHT;
                }
                case 'N', 'p', 'P', 'x' -> {
                    if (at < regex.length() && peek() == '{') {
                        upTo('}');
                    } else {
                        at += c == 'x' ? 2 : 1;
                    }
                }
                case 'u' -> {
                    at += 4;
                    if (isHighSurrogate(at - 4) && regex.startsWith("\\u", at)) {
                        at += 6; // a code point in two halves
                    }
                }
                case '0' -> {
                    int digits = at < regex.length() && peek() <= '3' ? 3 : 2;
                    for (int i = 0; i < digits && at < regex.length() && peek() >= '0' && peek() <= '7'; i++) {
                        at++;
                    }
                }
                case 'c' -> at++;
                case 'X' -> {
                    return new Part(0, 1, 1, 1, 1, Double.POSITIVE_INFINITY);
                }
                default -> {}
            }
            return Part.CHARACTER;
        }

        private boolean isHighSurrogate(int digits) {
            return regex.regionMatches(true, digits, "d8", 0, 2)
                    || regex.regionMatches(true, digits, "d9", 0, 2)
                    || regex.regionMatches(true, digits, "da", 0, 2)
                    || regex.regionMatches(true, digits, "db", 0, 2);
        }

        private char peek() {
            return regex.charAt(at);
        }

        private boolean takes(char c) {
            if (at < regex.length() && peek() == c) {
                at++;
                return true;
            }
            return false;
        }

        /** The text up to the next {@code end}, which is passed. */
        private String upTo(char end) {
            int to = regex.indexOf(end, at);
            int from = at;
            at = to < 0 ? regex.length() : to + 1;
            return regex.substring(from, to < 0 ? regex.length() : to);
        }
    }
}
