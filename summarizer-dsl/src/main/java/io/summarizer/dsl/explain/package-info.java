/**
 * Explanations of what a program does with an event, and why: the door is {@link io.summarizer.dsl.explain.Explainer}.
 *
 * <p>An interpreter evaluates each expression separately; this package walks the statements. The walk writes the
 * records that it explains. The explainer compares these records with the records of the program, so a wrong
 * explanation is never shown. Not on the data path; belongs to one thread.
 */
@NullMarked
package io.summarizer.dsl.explain;

import org.jspecify.annotations.NullMarked;
