/**
 * The meaning of expressions: {@link io.summarizer.dsl.interpret.Interpreter} evaluates expressions one by one, without
 * regard to speed. Explanations use the interpreter, and tests compare generated programs with it.
 *
 * <p>The interpreter works on an {@link io.summarizer.dsl.plan.EventPlan} and a decoded event. Not on the data path.
 * One thread.
 */
@NullMarked
package io.summarizer.dsl.interpret;

import org.jspecify.annotations.NullMarked;
