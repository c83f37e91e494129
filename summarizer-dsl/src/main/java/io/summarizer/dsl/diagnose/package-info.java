/**
 * Errors and warnings of definitions, with the place, the line, a caret and advice. Collected over all files, sorted,
 * bounded. Single-threaded; the results are immutable. Depends on nothing else of the language.
 */
@NullMarked
package io.summarizer.dsl.diagnose;

import org.jspecify.annotations.NullMarked;
