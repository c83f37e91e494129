/** Definitions that are replaced while events are processed: the language and the engine together. */
@NullMarked
package io.summarizer.dsl.reload;

import org.jspecify.annotations.NullMarked;
