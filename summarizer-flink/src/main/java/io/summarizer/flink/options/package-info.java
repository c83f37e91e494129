/** The options of a job, as values that travel from the client to the workers. Immutable, safe for any thread. */
@NullMarked
package io.summarizer.flink.options;

import org.jspecify.annotations.NullMarked;
