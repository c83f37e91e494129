package io.summarizer.dsl.runtime;

import io.summarizer.core.bytes.Swar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Matches a simple regex, such as {@code ^([^?]+)} or {@code ^ ?Accepted (\S+) for (\S+) from}, against ASCII text.
 * Does not backtrack, and is several times as fast as the JDK's matcher.
 *
 * <p>Such a regex begins with {@code ^}. A sequence of characters and classes follows; each may have one of the
 * quantifiers {@code ?}, {@code *} and {@code +}. Parentheses may group parts of the sequence, but have no quantifier.
 * A quantified class must not match any character with which the rest of the regex may begin. The JDK's matcher lets a
 * class take as many characters as possible. If the rest does not match, the JDK's matcher gives these characters back
 * one by one. In a simple regex, giving back never helps, because the rest of the regex cannot begin with a character
 * that a class gives back. Therefore, a matcher that never gives back finds the same match.
 *
 * <p>Used by one extraction. Allocates nothing after construction. {@code EventProgramBenchmark} measures the cost.
 */
final class OnePass {
    private static final int ASCII = 128;
    /** Characters that are literals everywhere in a simple regex, in addition to letters and digits. */
    private static final String LITERALS = " !\"#%&',-/:;<=>@_`~\t";
    /** Characters that are literals within a class only. */
    private static final String LITERALS_OF_CLASSES = "?.*+()|${}";

    private final Item[] items;
    /**
     * Number of items before the start of the group. {@link #last} is the number of items before the end of the group.
     */
    private final int first;

    private final int last;
    /** For each item, its start in the last text. One more entry has the end of the last item. */
    private final int[] places;

    private int looks;

    private OnePass(List<Item> items, int first, int last) {
        this.items = items.toArray(new Item[0]);
        this.first = first;
        this.last = last;
        places = new int[items.size() + 1];
    }

    /** A matcher of a regex that Java accepts; null when the regex is not simple enough. */
    static @Nullable OnePass of(String regex, int group) {
        Reader reader = new Reader(regex);
        if (!reader.read() || group >= reader.groups.size()) {
            return null;
        }
        boolean[] begins = new boolean[ASCII];
        for (int i = reader.items.size() - 1; i >= 0; i--) {
            Item item = reader.items.get(i);
            boolean[] taken = item.taken;
            if (item.least == 1 && !item.repeated) {
                begins = taken;
                continue;
            }
            boolean[] either = item.least == 1 ? taken.clone() : begins.clone();
            for (int c = 0; c < ASCII; c++) {
                if (taken[c] && begins[c]) {
                    return null;
                }
                either[c] |= taken[c];
            }
            begins = either;
        }
        int[] span = reader.groups.get(group);
        return new OnePass(reader.items, span[0], span[1]);
    }

    /**
     * Whether the regex matches ASCII text. If so, {@link #start()} and {@link #end()} return the place of the group.
     */
    boolean matches(byte[] bytes, int from, int to) {
        int[] places = this.places;
        Item[] items = this.items;
        int at = from;
        int looks = 0;
        places[0] = from;
        for (int i = 0; i < items.length; i++) {
            int end = items[i].end(bytes, at, to);
            looks += end - at;
            if (items[i].repeated || end == at) {
                // Count the character after the item, too: the matcher looked at it.
                looks += end < to ? 1 : 0;
                if (end - at < items[i].least) {
                    this.looks = looks;
                    return false;
                }
            }
            at = end;
            places[i + 1] = at;
        }
        this.looks = looks;
        return true;
    }

    /** Number of times that the last match looked at a character. */
    int looks() {
        return looks;
    }

    /** Start of the group in the array. */
    int start() {
        return places[first];
    }

    /** End of the group in the array. */
    int end() {
        return places[last];
    }

    /** A character or class with its quantifier. */
    private static final class Item {
        /** For each ASCII character, whether the item matches the character. */
        final boolean[] taken;
        /** The only character that the item does not match; -1 when there are several such characters or none. */
        private final int stop;

        /** Least number of characters, 0 or 1. */
        final int least;
        /** Whether the item takes any number of characters; otherwise, it takes at most one. */
        final boolean repeated;

        Item(boolean[] taken, int least, boolean repeated) {
            this.taken = taken;
            this.least = least;
            this.repeated = repeated;
            int refused = -1;
            int count = 0;
            for (int c = 0; c < ASCII; c++) {
                if (!taken[c]) {
                    refused = c;
                    count++;
                }
            }
            stop = count == 1 ? refused : -1;
        }

        /** End of the characters that the item takes from {@code from} on. */
        int end(byte[] bytes, int from, int to) {
            int at = from;
            if (!repeated) {
                return at < to && taken[bytes[at]] ? at + 1 : at;
            }
            if (stop >= 0) {
                int found = Swar.indexOf((byte) stop, bytes, at, to);
                return found < 0 ? to : found;
            }
            boolean[] taken = this.taken;
            while (at < to && taken[bytes[at]]) {
                at++;
            }
            return at;
        }
    }

    /** Reads a regex into items; stops at the first construct that is not simple. */
    private static final class Reader {
        private final String regex;
        private int at;
        final List<Item> items = new ArrayList<>();
        /** For each group, the numbers of items before its start and before its end. */
        final List<int[]> groups = new ArrayList<>();

        Reader(String regex) {
            this.regex = regex;
        }

        /** Whether the whole regex is simple. */
        boolean read() {
            if (!takes("^")) {
                return false;
            }
            int[] all = {0, 0};
            groups.add(all);
            if (!sequence() || at < regex.length()) {
                return false;
            }
            all[1] = items.size();
            return true;
        }

        /** Reads items up to a closing parenthesis or to the end of the regex. Returns whether they are simple. */
        private boolean sequence() {
            while (at < regex.length() && regex.charAt(at) != ')') {
                if (takes("(")) {
                    boolean captures = !takes("?:");
                    int[] span = {items.size(), 0};
                    if (captures) {
                        groups.add(span);
                    }
                    if (!sequence() || !takes(")") || isQuantified()) {
                        return false;
                    }
                    span[1] = items.size();
                    continue;
                }
                boolean[] taken = new boolean[ASCII];
                if (!(takes("[") ? bracket(taken) : single(taken))) {
                    return false;
                }
                boolean optional = takes("?");
                boolean any = !optional && takes("*");
                boolean many = any || (!optional && takes("+"));
                if (isQuantified()) {
                    return false; // lazy, possessive or counted
                }
                items.add(new Item(taken, optional || any ? 0 : 1, many));
            }
            return true;
        }

        private boolean isQuantified() {
            return at < regex.length() && "?*+{".indexOf(regex.charAt(at)) >= 0;
        }

        private boolean single(boolean[] taken) {
            if (takes(".")) {
                Arrays.fill(taken, true);
                taken['\n'] = false;
                taken['\r'] = false;
                return true;
            }
            return takes("\\") ? escape(taken) >= -1 : literal(taken, "") >= 0;
        }

        /** Reads a literal and adds it to the item. Returns the character, or -2 when there is no literal. */
        private int literal(boolean[] taken, String more) {
            char c = at < regex.length() ? regex.charAt(at) : ASCII;
            if (!isAlphanumeric(c) && LITERALS.indexOf(c) < 0 && more.indexOf(c) < 0) {
                return -2;
            }
            at++;
            taken[c] = true;
            return c;
        }

        /**
         * Reads the rest of an escape, and adds its characters to the item. Returns the character if the escape stands
         * for one character, -1 if the escape stands for several characters, and -2 if the escape is not simple.
         */
        private int escape(boolean[] taken) {
            char c = at < regex.length() ? regex.charAt(at++) : ASCII;
            if (c < ASCII && !isAlphanumeric(c)) {
                taken[c] = true;
                return c;
            }
            if ("dDsSwW".indexOf(c) < 0) {
                return -2;
            }
            char kind = (char) (c | 0x20);
            for (char x = 0; x < ASCII; x++) {
                boolean isOfKind = kind == 'd'
                        ? x >= '0' && x <= '9'
                        : kind == 's' ? x == ' ' || (x >= '\t' && x <= '\r') : isAlphanumeric(x) || x == '_';
                taken[x] |= isOfKind == (c == kind);
            }
            return -1;
        }

        /** Reads the rest of a class. */
        private boolean bracket(boolean[] taken) {
            boolean negated = takes("^");
            do {
                int c = takes("\\") ? escape(taken) : literal(taken, LITERALS_OF_CLASSES);
                if (c == -2 || c == '-') {
                    return false;
                }
                if (c >= 0) {
                    if (c == '&' && at < regex.length() && regex.charAt(at) == '&') {
                        return false; // an intersection
                    }
                    if (takes("-")) {
                        char end = at < regex.length() ? regex.charAt(at++) : ASCII;
                        if (!isAlphanumeric(end)) {
                            return false;
                        }
                        Arrays.fill(taken, c, end + 1, true);
                    }
                }
            } while (!takes("]"));
            if (negated) {
                for (int c = 0; c < ASCII; c++) {
                    taken[c] = !taken[c];
                }
            }
            return true;
        }

        private static boolean isAlphanumeric(char c) {
            return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        }

        private boolean takes(String text) {
            if (!regex.startsWith(text, at)) {
                return false;
            }
            at += text.length();
            return true;
        }
    }
}
