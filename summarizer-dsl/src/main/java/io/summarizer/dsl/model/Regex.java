package io.summarizer.dsl.model;

import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A regex of {@code extract}: a {@link Pattern} whose cost per character is bounded. Immutable.
 *
 * <p>A {@link Pattern} backtracks, so callers limit how many characters a match reads, repeated reads included. Between
 * two reads, the match may take other steps. Their number is at most {@link #steps}, which is computed from the regex.
 */
public final class Regex {
    /*
     * Claim: if a search of n characters looks at characters L times in total, it takes at most steps() * (L + n + 1)
     * steps. Each step is a few calls in the JDK. A bound on L, as in Extraction, therefore bounds the time.
     *
     * A Pattern is a tree of nodes. A call matches a node at a place of the text. In a call, the node looks at
     * characters and calls other nodes; each read of a character is a look. A search begins at n + 1 places, the
     * starts. From a start, a chain of nested calls leads to each call. Each call is charged to the last look in its
     * chain. If the chain has no look, the call is charged to the start.
     *
     * A greedy loop calls the node behind the loop after the last iteration. If the loop gives this iteration back, it
     * calls the node again after the previous iteration, and so on. The chain of each of these calls has the
     * iterations that the loop kept. If each iteration has a look, each call is charged to a look of the last iteration
     * in its chain. This iteration is a different one for each call.
     *
     * It remains to show that steps() bounds the calls that are charged to one look or to one start. For this, a Part
     * has four bounds on one part of the regex:
     *
     *   ways:   how often one entry of the part can lead to the end of the part without any look
     *   front:  number of calls after one entry of the part, up to the first look in each chain
     *   tail:   number of calls after one look within the part, up to the next look or the part's end in each chain
     *   exits:  how often one look within the part can lead to the end of the part without a further look
     *
     * Then 1 + front + tail + exits of the whole regex is the bound. The bounds follow by induction over the structure:
     *
     * - A character, class or literal looks at each character before it goes on, or fails at the end of the text: ways
     *   0, exits 1. A class takes time for each of its characters, so these characters count as steps.
     * - A place (^ $ \b \G \A \z \Z, a flag) may go on without a look: ways 1.
     * - A sequence enters its second part once for each way, or exit, of its first part.
     * - Alternatives are entered one after the other, so the ways of all alternatives are added, and so are the fronts.
     *   A look is in one alternative only, so tails and exits are not added.
     * - A repetition of at most one iteration has one more way if the iteration may be skipped.
     * - A repetition of more iterations requires a number of iterations, min. If the repeated part has ways, all
     *   required iterations may be empty: this makes (1 + ways)^min ways. After the required iterations, the repetition
     *   ends with the first iteration that takes no character. If min is more than 64, the number of ways is far above
     *   the limit, and the regex is refused: (?:){2000000000}. If the repeated part has ways 0, each iteration has a
     *   look, and the calls of an iteration are charged to the looks of this iteration. Therefore, the number of
     *   iterations does not matter: a{2000000000}, (a{1000}){1000000}.
     * - Lazy repetitions make the same calls in another order. Possessive repetitions and independent groups (?>...)
     *   make fewer calls, because they are left once, not once for each iteration.
     * - A look-ahead is left at most once for each time that it is entered: when its part matches or, if the look-ahead
     *   is negative, when its part fails. So one way and one exit count even if the part has none.
     * - A look-behind enters its part once for each length that the part can have, so its front counts once for each
     *   length.
     * - A reference to a group looks at each character that it compares. The reference counts as a way when the group
     *   captured no characters. It fails when the group took no part in the match.
     * - \X looks at the characters that it passes, and goes on once; \R goes on after a CR LF and, after another look,
     *   after the CR.
     *
     * Everything else is refused. Flag x would change the structure. \b{g} reads beyond the text. A repetition with
     * nothing before it, such as {1000000000} alone, would match the empty text that many times. In a{2}{1000000000},
     * Pattern takes {1000000000} for such a repetition, too.
     *
     * Two kinds of optimized nodes in the JDK take fewer steps: a node that searches for literals at the start by Boyer
     * and Moore's algorithm, and a group in a repetition, which remembers where it failed. RegexStepsTest counts the
     * calls in a copy of the JDK's matcher, for each construct and for random regexes.
     */

    /** Maximum number of characters of a regex; longer ones might exhaust the stack of the regex compiler. */
    public static final int CHARACTERS_MAX = 1000;

    /**
     * Maximum number of steps from one look at a character to the next; a regex that may take more steps is refused.
     */
    private static final int STEPS_MAX = 4_000;
    /** Number of steps that cost as much as one look at a character. */
    private static final int STEPS_FREE = 128;
    /** Number of characters in the text of a class, such as {@code [a-cx-z]}, that count as one step. */
    private static final int CLASS_CHARACTERS = 4;
    /**
     * Maximum number of iterations that are counted for a part that may be empty. With this number of iterations, the
     * number of ways through the repetition is already above every limit.
     */
    private static final int ITERATIONS_MAX = 64;

    private final Pattern pattern;
    private final int steps;

    private Regex(Pattern pattern, int steps) {
        this.pattern = pattern;
        this.steps = steps;
    }

    /**
     * Compiles a regex.
     *
     * @throws PatternSyntaxException when the regex is malformed or has no bound; the exception has the place of the
     *     problem if it is known
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
            return new Regex(pattern, (int) steps);
        } catch (PatternSyntaxException e) {
            throw unquoted.equals(regex) ? e : new PatternSyntaxException(e.getDescription(), regex, -1);
        }
    }

    /**
     * The same regex with a backslash before each quoted character instead of quotes: {@code \(a} for {@code \Q(a\E}.
     * {@link Pattern} replaces quotes before it parses, even in {@code (\Q\E?:a)}. If a {@link Reader} handled quotes
     * only while it parses, it would read another regex than {@link Pattern} does.
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
                out.append("\\x3").append(c); // a digit alone might belong to a preceding escape
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

    /** Number of capturing groups. */
    public int groups() {
        return pattern.matcher("").groupCount();
    }

    /** Cost of a look at a character, at least 1. */
    public int weight() {
        return Math.max(1, steps / STEPS_FREE);
    }

    /** Bound on the steps from one look at a character to the next. */
    int steps() {
        return steps;
    }

    /**
     * Bounds on the number of nodes that the matcher calls between two looks at characters, for one part of a regex.
     * The comment at the start of the class explains the bounds. A bound may be infinite.
     *
     * @param least smallest number of characters that the part takes
     * @param most largest number of characters that the part takes
     */
    private record Part(double ways, double front, double tail, double exits, double least, double most) {
        static final Part NOTHING = new Part(1, 0, 0, 0, 0, 0);
        static final Part CHARACTER = character(1);
        /** A place, such as the start of a line. */
        static final Part PLACE = new Part(1, 1, 0, 0, 0, 0);
        /** A reference to the text of a group. The reference may take any number of characters, or no character. */
        static final Part CAUGHT = new Part(1, 1, 1, 1, 0, Double.POSITIVE_INFINITY);

        /** A character that is compared with several others. */
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

        /** This part with a repetition; a negative {@code max} stands for no bound. */
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

        /** This part in a look-behind, which tries each length in turn. */
        Part lookedBehind() {
            double tries = times(front + 1, most - least + 1);
            return new Part(Math.max(1, ways), tries, tail + tries, Math.max(1, exits), 0, 0);
        }

        /** The product, in which zero times infinity is zero. */
        private static double times(double a, double b) {
            return a == 0 || b == 0 ? 0 : a * b;
        }
    }

    /** Reads the structure of a regex that {@link Pattern} accepts. */
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
            if (!takes('?') || takes(':') || takes('>')) {
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
            if (takes(')')) {
                return Part.PLACE;
            }
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
                    Part unused = escape(); // may have several characters, such as \c]
                }
                first = false;
            }
        }

        private Part escape() {
            char c = at < regex.length() ? regex.charAt(at++) : '\\';
            switch (c) {
                case 'b', 'B', 'A', 'G', 'Z', 'z' -> {
                    if (regex.startsWith("{g}", at)) {
                        // The JDK searches for this boundary from the end of the last match. If this is the end of the
                        // text, the JDK reads beyond the text.
                        throw new PatternSyntaxException(
                                "\\b{g} is not supported; \\X matches a grapheme", regex, at - 2);
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

        /** The text up to the next {@code end}. Consumes the text and {@code end}. */
        private String upTo(char end) {
            int to = regex.indexOf(end, at);
            int from = at;
            at = to < 0 ? regex.length() : to + 1;
            return regex.substring(from, to < 0 ? regex.length() : to);
        }
    }
}
