/**
 * From syntax trees to checked definitions: names, types, numbers, topics. The way in is
 * {@link io.summarizer.dsl.check.DefinitionsCompiler}. Single-threaded; what comes out is immutable.
 *
 * <p>A part that is wrong is reported once and then stands for anything, so that one mistake makes one error.
 */
@NullMarked
package io.summarizer.dsl.check;

import org.jspecify.annotations.NullMarked;
