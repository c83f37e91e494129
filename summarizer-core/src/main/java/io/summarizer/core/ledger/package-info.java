/**
 * What became of every message, as of a point of the stream: the numbers, and how they are kept. They are counted by the threads
 * of the pipeline; here they are immutable, for any thread. Imports the message and the store package.
 */
@NullMarked
package io.summarizer.core.ledger;

import org.jspecify.annotations.NullMarked;
