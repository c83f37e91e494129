/** Reports of benchmarks: the machine and commit of a figure, and the CSV files that keep them. */
@NullMarked
package io.summarizer.bench.report;

import org.jspecify.annotations.NullMarked;
