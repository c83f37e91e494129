/**
 * The checker. It checks the names, types, numbers and topics in syntax trees, and turns the trees into definitions.
 * The entry point is {@link io.summarizer.dsl.check.DefinitionsCompiler}. Single-threaded; the results are immutable.
 *
 * <p>When a part has an error, the checker reports the error once, and then accepts the part everywhere else. Thus, one
 * mistake gives one error.
 */
@NullMarked
package io.summarizer.dsl.check;

import org.jspecify.annotations.NullMarked;
