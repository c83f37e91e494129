package io.summarizer.server.config;

/**
 * A key and the text it was set to, not checked yet.
 *
 * @param origin where it was set, for people
 */
record Setting(String key, String text, String origin) {}
