package io.summarizer.server.config;

/**
 * A key and the text of its value, not yet checked.
 *
 * @param origin of the setting, for people
 */
record Setting(String key, String text, String origin) {}
