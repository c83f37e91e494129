/** How benchmarks report: what machine and commit made a figure, and the CSV files that keep them. */
@NullMarked
package io.summarizer.bench.report;

import org.jspecify.annotations.NullMarked;
