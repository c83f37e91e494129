/** What row stores and their exports cost; nothing but JMH runs this. */
@NullMarked
package io.summarizer.bench.store;

import org.jspecify.annotations.NullMarked;
