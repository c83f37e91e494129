/**
 * What a program does with an event, and why: the door is {@link io.summarizer.dsl.explain.Explainer}.
 *
 * <p>Expressions are evaluated by generated code, the same as the program's, each by itself; statements are walked here.
 * The walk writes the records that it explains, and they are compared with those of the program: an explanation that is
 * not what the program does is never given. Off the way of the data; belongs to one thread.
 */
@NullMarked
package io.summarizer.dsl.explain;

import org.jspecify.annotations.NullMarked;
