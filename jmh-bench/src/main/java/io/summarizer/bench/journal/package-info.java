/** Measures the cost of writing a message to the journal, and of reading it back. */
@NullMarked
package io.summarizer.bench.journal;

import org.jspecify.annotations.NullMarked;
