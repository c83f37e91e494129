/**
 * The reference implementation of the language: it runs mappings by walking trees of small evaluators. Generated
 * programs are compared with it, and it with a naive evaluator.
 *
 * <p>Starts from {@link io.summarizer.dsl.plan.EventPlan}; the door is {@link io.summarizer.dsl.interpret.Interpreter}.
 */
@NullMarked
package io.summarizer.dsl.interpret;

import org.jspecify.annotations.NullMarked;
