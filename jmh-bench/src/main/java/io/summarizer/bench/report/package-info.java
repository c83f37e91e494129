/** Reports of benchmarks: figures with their machine and commit, and the CSV files that keep these figures. */
@NullMarked
package io.summarizer.bench.report;

import org.jspecify.annotations.NullMarked;
