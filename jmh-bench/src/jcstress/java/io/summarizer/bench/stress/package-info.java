/**
 * Two threads, one object, and every outcome there may be: jcstress tests of what shares memory without locks. {@code
 * bin/bench stress} runs them; each is run some million times over, in JVMs of its own, with the actors interpreted and
 * compiled in all combinations, so that what compiler and processor reorder is seen. Lincheck, which covers the same trie,
 * runs one step at a time and sees none of that; but it finds the interleavings that are too rare to be met here.
 *
 * <p>No test has more than two actors: more would need as many processors. What an outcome means stands beside it; one that
 * is not named fails the test.
 */
@NullMarked
package io.summarizer.bench.stress;

import org.jspecify.annotations.NullMarked;
