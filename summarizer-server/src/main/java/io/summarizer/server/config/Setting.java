package io.summarizer.server.config;

/**
 * A key and the text of its value, not yet checked.
 *
 * @param origin where it was set, in messages
 */
record Setting(String key, String text, String origin) {}
