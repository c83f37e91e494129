/**
 * From text to a syntax tree: the ANTLR grammar, error messages in human terms, recovery to the next statement so that
 * one pass finds all errors. The way in is {@link io.summarizer.dsl.parse.SummReader}; nothing outside this package
 * sees ANTLR. Single-threaded; trees are immutable.
 */
@NullMarked
package io.summarizer.dsl.parse;

import org.jspecify.annotations.NullMarked;
