/**
 * jcstress tests of the lock-free classes: two threads, one object, and every possible outcome. {@code bin/bench
 * stress} runs them; each runs some million times, in JVMs of its own, with the actors interpreted and compiled in all
 * combinations, so that reorderings by compiler and processor show. Lincheck, which covers the same trie, runs one step
 * at a time and shows no reordering; but it finds interleavings that are too rare for these tests.
 *
 * <p>No test has more than two actors: more would need as many processors. Each outcome has its meaning beside it; an
 * outcome without one fails the test.
 */
@NullMarked
package io.summarizer.bench.stress;

import org.jspecify.annotations.NullMarked;
