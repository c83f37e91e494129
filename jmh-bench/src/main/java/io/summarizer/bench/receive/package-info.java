/** What a message costs before it is in the parse queue. */
@NullMarked
package io.summarizer.bench.receive;

import org.jspecify.annotations.NullMarked;
