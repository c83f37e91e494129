/** The {@code .summ} language, in visible phases: parse, check (into {@code model}), plan. */
@NullMarked
package io.summarizer.dsl;

import org.jspecify.annotations.NullMarked;
