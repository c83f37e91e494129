/** Windows against other programs that have them. */
@NullMarked
package io.summarizer.bench.window;

import org.jspecify.annotations.NullMarked;
