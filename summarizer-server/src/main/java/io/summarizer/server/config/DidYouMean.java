package io.summarizer.server.config;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The word somebody probably meant. */
final class DidYouMean {
    private DidYouMean() {}

    /** The candidate nearest to {@code word}, or null when none is near: at most a third of its letters apart. */
    static @Nullable String nearest(String word, Collection<String> candidates) {
        String nearest = null;
        int least = Math.max(1, word.length() / 3) + 1;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest;
    }

    /** Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment). */
    static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(d[i - 1][j - 1] + change, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
