/**
 * From checked definitions to what each event type has to decode: which fields are used, as what, and which slot each of
 * them gets. Both ways of running a mapping, interpreted and generated, start from here.
 *
 * <p>Runs once for each set of definitions, on the thread that loads them; the results are immutable. Imports the model
 * and the engine's decoder schemas.
 */
@NullMarked
package io.summarizer.dsl.plan;

import org.jspecify.annotations.NullMarked;
