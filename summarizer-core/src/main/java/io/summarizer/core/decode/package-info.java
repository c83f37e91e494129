/**
 * Decoders of payloads in CSV, JSON and plain text. They turn bytes into typed fields, and read only fields that a
 * mapping uses.
 *
 * <p>An {@link io.summarizer.core.decode.EventSchema} lists the wanted fields and their slots. {@link
 * io.summarizer.core.decode.PayloadDecoder}s are generated for a schema, and fill {@link
 * io.summarizer.core.decode.InputEvent}s. Schemas are immutable and shared. Decoders and events belong to one parser
 * worker and allocate nothing in the steady state.
 */
@NullMarked
package io.summarizer.core.decode;

import org.jspecify.annotations.NullMarked;
