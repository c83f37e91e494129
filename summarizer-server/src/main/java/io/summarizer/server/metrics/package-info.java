/**
 * What the process counts, as Prometheus text.
 *
 * <p>{@link io.summarizer.server.metrics.ServerMetrics} is the door: parts of the process register functions that read their
 * own counters, so that counting costs them nothing more. Read when scraped, on the scraper's thread.
 */
@NullMarked
package io.summarizer.server.metrics;

import org.jspecify.annotations.NullMarked;
