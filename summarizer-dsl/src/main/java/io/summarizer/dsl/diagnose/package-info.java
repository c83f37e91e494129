/**
 * Errors and warnings of definitions, with the place, the line, a caret and advice. Diagnostics are collected over all
 * files, sorted and bounded. Single-threaded; the results are immutable. This package depends on no other package of
 * the language.
 */
@NullMarked
package io.summarizer.dsl.diagnose;

import org.jspecify.annotations.NullMarked;
