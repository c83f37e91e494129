package io.summarizer.server.service;

import io.summarizer.core.pipeline.Plan;

/** A plan, and the files that it was compiled from. */
public record LoadedPlan(Plan plan, DefinitionFiles files) {}
