/**
 * Checked definitions: the output of the checker and the input of the planner. Every name is resolved, every expression
 * has a type, everything is immutable. Depends on the engine's layouts and topic patterns only, never on the grammar.
 */
@NullMarked
package io.summarizer.dsl.model;

import org.jspecify.annotations.NullMarked;
