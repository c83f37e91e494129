/**
 * From syntax trees to checked definitions: names, types, numbers, topics. The way in is
 * {@link io.summarizer.dsl.check.DefinitionsCompiler}. Single-threaded; the results are immutable.
 *
 * <p>A part with an error is reported once and then accepted everywhere, so that one mistake makes one error.
 */
@NullMarked
package io.summarizer.dsl.check;

import org.jspecify.annotations.NullMarked;
