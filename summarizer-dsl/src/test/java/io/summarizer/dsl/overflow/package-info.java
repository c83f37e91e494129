/** Summaries with more keys than allowed: the language and the engine together. */
@NullMarked
package io.summarizer.dsl.overflow;

import org.jspecify.annotations.NullMarked;
