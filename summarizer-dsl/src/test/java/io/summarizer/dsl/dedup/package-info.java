/** Repeated events that are counted once: the language and the engine together. */
@NullMarked
package io.summarizer.dsl.dedup;

import org.jspecify.annotations.NullMarked;
