/**
 * Runs mappings by walking trees of small evaluators, one instance of everything for each parser worker. The plain way,
 * and the yardstick for every faster one.
 *
 * <p>Starts from {@link io.summarizer.dsl.plan.EventPlan}; the door is {@link io.summarizer.dsl.interpret.Interpreter}.
 */
@NullMarked
package io.summarizer.dsl.interpret;

import org.jspecify.annotations.NullMarked;
