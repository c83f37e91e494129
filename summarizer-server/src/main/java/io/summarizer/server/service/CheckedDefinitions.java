package io.summarizer.server.service;

import io.summarizer.dsl.model.Definitions;

/**
 * Definitions without errors. Immutable.
 *
 * @param files that they were read from
 * @param warnings for people, as {@code check} prints them; empty when there is none
 */
public record CheckedDefinitions(Definitions definitions, DefinitionFiles files, String warnings) {}
