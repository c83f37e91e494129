/** What a message costs on its way into the journal, and out of it again. */
@NullMarked
package io.summarizer.bench.journal;

import org.jspecify.annotations.NullMarked;
