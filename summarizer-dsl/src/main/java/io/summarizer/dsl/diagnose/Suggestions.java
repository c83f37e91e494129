package io.summarizer.dsl.diagnose;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Guesses an intended name: the nearest known name by edit distance (insert, delete, replace, swap neighbours). */
public final class Suggestions {
    /**
     * Maximum length of a name that is compared. The cost of a comparison is the product of the lengths of both names.
     */
    private static final int MAX_LENGTH = 64;
    /** Maximum number of candidates that are listed. */
    private static final int MAX_LISTED = 12;

    private Suggestions() {}

    /**
     * Advice for an unknown name: "did you mean {@code x}?" with the nearest name. If no name is near, a list of all
     * names; if there are too many names for a list, an empty text.
     */
    public static List<String> help(String given, Collection<String> known, String listTitle) {
        String best = nearest(given, known);
        if (!best.isEmpty()) {
            return List.of("did you mean `" + best + "`?");
        }
        if (known.isEmpty() || known.size() > MAX_LISTED) {
            return List.of();
        }
        return List.of(listTitle + " " + list(known));
    }

    /** Names quoted and separated by commas. */
    public static String list(Collection<String> names) {
        StringBuilder out = new StringBuilder();
        int at = 0;
        for (String name : names) {
            out.append(at == 0 ? "" : at == names.size() - 1 ? " and " : ", ");
            out.append('`').append(name).append('`');
            at++;
        }
        return out.toString();
    }

    /** The nearest known name; empty when no name is near. */
    public static String nearest(String given, Collection<String> known) {
        String best = "";
        int bestDistance = Math.max(1, given.length() / 3) + 1;
        for (String candidate : known) {
            int distance = distance(given, candidate);
            if (distance < bestDistance && distance < Math.max(given.length(), candidate.length())) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best;
    }

    /** The optimal string alignment distance; it is 0 for names that differ only in case. */
    public static int distance(String a, String b) {
        if (a.length() > MAX_LENGTH || b.length() > MAX_LENGTH) {
            return Integer.MAX_VALUE;
        }
        if (a.toLowerCase(Locale.ROOT).equals(b.toLowerCase(Locale.ROOT))) {
            return a.equals(b) ? 0 : 1;
        }
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(last[j], row[j - 1]) + 1);
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
        }
        return last[b.length()];
    }
}
