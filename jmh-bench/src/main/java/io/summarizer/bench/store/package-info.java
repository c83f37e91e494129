/** The cost of row stores and their exports; only JMH runs this. */
@NullMarked
package io.summarizer.bench.store;

import org.jspecify.annotations.NullMarked;
