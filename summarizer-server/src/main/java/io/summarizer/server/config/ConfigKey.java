package io.summarizer.server.config;

import java.util.Locale;

/**
 * A configuration key.
 *
 * @param name name with dots, as in {@code pipeline.parse.queue}
 * @param fallback the default's text; empty when there is no default
 */
record ConfigKey<T>(String name, ValueType<T> type, String fallback) {
    /**
     * The environment variable that sets this key: for {@code pipeline.parse.queue}, the variable {@code
     * SUMMARIZER_PIPELINE_PARSE_QUEUE}.
     */
    String variable() {
        return variable(name);
    }

    static String variable(String name) {
        return ConfigKeys.VARIABLE_PREFIX
                + name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
