package io.summarizer.server.config;

import org.jspecify.annotations.Nullable;

/**
 * One problem of a configuration.
 *
 * @param origin {@code FILE:LINE}, {@code --set} or the name of a variable
 * @param key the key with the problem; empty when the problem concerns the whole configuration
 * @param help advice, when a likely cause is known
 */
public record ConfigProblem(
        String origin, String key, String text, @Nullable String help) {
    @Override
    public String toString() {
        return origin + ": error: " + (key.isEmpty() ? "" : key + ": ") + text
                + (help == null ? "" : "\n  help: " + help);
    }
}
