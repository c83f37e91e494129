/**
 * Measures the cost of state: memory of many keys, updates of one owner thread, cuts and exports during updates, and
 * multisets. For comparison, measures objects in a hash map. {@code bin/bench state} starts each section in a JVM of
 * its own.
 */
@NullMarked
package io.summarizer.bench.state;

import org.jspecify.annotations.NullMarked;
