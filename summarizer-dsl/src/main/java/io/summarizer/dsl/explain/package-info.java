/**
 * Explanations of what a program does with an event, and why. The entry point is {@link
 * io.summarizer.dsl.explain.Explainer}.
 *
 * <p>This package walks the statements, and an interpreter evaluates each expression separately. The walk writes the
 * records that it explains. The explainer compares these records with the records of the program. If they differ, the
 * explainer fails, so a wrong explanation is never shown. Not on the data path. One thread.
 */
@NullMarked
package io.summarizer.dsl.explain;

import org.jspecify.annotations.NullMarked;
