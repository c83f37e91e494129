/** What it costs to count events once. */
@NullMarked
package io.summarizer.bench.dedup;

import org.jspecify.annotations.NullMarked;
