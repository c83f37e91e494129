package io.summarizer.server.config;

/**
 * A key and the text of its value, not yet checked.
 *
 * @param origin place where the setting was made, for messages
 */
record Setting(String key, String text, String origin) {}
