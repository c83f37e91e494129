/**
 * The parser: the ANTLR grammar, readable error messages, and recovery at the next statement, so that one pass finds
 * all errors. The entry point is {@link io.summarizer.dsl.parse.SummReader}. No other package depends on ANTLR.
 * Single-threaded; trees are immutable.
 */
@NullMarked
package io.summarizer.dsl.parse;

import org.jspecify.annotations.NullMarked;
