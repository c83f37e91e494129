/**
 * Explanations of what a program does with an event, and why: the door is {@link io.summarizer.dsl.explain.Explainer}.
 *
 * <p>An interpreter evaluates each expression by itself; this package walks the statements. The walk writes the records
 * that it explains, and they are compared with those of the program, so an explanation never differs from the program.
 * Off the path of the data; belongs to one thread.
 */
@NullMarked
package io.summarizer.dsl.explain;

import org.jspecify.annotations.NullMarked;
