/** Answers of another engine (DuckDB) to compare ours with; test scope only, one thread at a time. */
@NullMarked
package io.summarizer.server.oracle;

import org.jspecify.annotations.NullMarked;
