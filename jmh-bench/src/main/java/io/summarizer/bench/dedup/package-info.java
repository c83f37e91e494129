/** The cost of counting events once. */
@NullMarked
package io.summarizer.bench.dedup;

import org.jspecify.annotations.NullMarked;
