/**
 * Checked definitions: the output of the checker and the input of the planner. Every name is resolved, every expression
 * has a type, and everything is immutable. The package imports only layouts, topic patterns and formats of payloads of
 * the engine, never the grammar.
 */
@NullMarked
package io.summarizer.dsl.model;

import org.jspecify.annotations.NullMarked;
