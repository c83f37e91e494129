/** Results of another engine (DuckDB) to compare the Summarizer's with; test scope only, one thread at a time. */
@NullMarked
package io.summarizer.server.oracle;

import org.jspecify.annotations.NullMarked;
