/** Root of the engine: messages in, keyed aggregates out. Knows neither the language nor the server. */
@NullMarked
package io.summarizer.core;

import org.jspecify.annotations.NullMarked;
