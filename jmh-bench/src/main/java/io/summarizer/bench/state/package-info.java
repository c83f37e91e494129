/**
 * The cost of state: memory of many keys, updates of one owner thread, cuts and exports during updates, multisets; and
 * the same with objects in a hash map. Each section runs in a JVM of its own; {@code bin/bench state} starts them.
 */
@NullMarked
package io.summarizer.bench.state;

import org.jspecify.annotations.NullMarked;
