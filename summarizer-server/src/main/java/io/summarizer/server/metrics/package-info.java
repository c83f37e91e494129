/**
 * The metrics of the process, as Prometheus text.
 *
 * <p>The entry point is {@link io.summarizer.server.metrics.ServerMetrics}: parts of the process register functions
 * that read the counters of these parts, so counting has no further cost. A scrape calls these functions on its thread.
 */
@NullMarked
package io.summarizer.server.metrics;

import org.jspecify.annotations.NullMarked;
