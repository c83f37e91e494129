package io.summarizer.server.config;

import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong with a configuration.
 *
 * @param origin where it was set: {@code FILE:LINE}, {@code --set} or the name of a variable
 * @param key the key it is about, empty when about the whole
 * @param help what to do, when something is likely
 */
public record ConfigProblem(
        String origin, String key, String text, @Nullable String help) {
    @Override
    public String toString() {
        return origin + ": error: " + (key.isEmpty() ? "" : key + ": ") + text
                + (help == null ? "" : "\n  help: " + help);
    }
}
