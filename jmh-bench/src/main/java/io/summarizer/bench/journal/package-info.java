/** The cost of a message on its way into the journal and out of it. */
@NullMarked
package io.summarizer.bench.journal;

import org.jspecify.annotations.NullMarked;
