/**
 * The metrics of the process, as Prometheus text.
 *
 * <p>The entry point is {@link io.summarizer.server.metrics.ServerMetrics}: each part of the process registers
 * functions that read the part's counters. A scrape calls these functions on the scrape's own thread, so metrics cost
 * the counting threads nothing more.
 */
@NullMarked
package io.summarizer.server.metrics;

import org.jspecify.annotations.NullMarked;
