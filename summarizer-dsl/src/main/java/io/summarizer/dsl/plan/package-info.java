/**
 * Plans the decoding of each event type from checked definitions: the used fields, their kinds, and their slots. Both
 * the generated code and the interpreter work from a plan.
 *
 * <p>Planning runs once for each set of definitions, on the thread that loads them. The results are immutable. The
 * package imports the model and the engine's decoder schemas.
 */
@NullMarked
package io.summarizer.dsl.plan;

import org.jspecify.annotations.NullMarked;
