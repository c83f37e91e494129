/** The operators after the source. {@link io.summarizer.flink.job.Topology} is the entry point. */
@NullMarked
package io.summarizer.flink.job;

import org.jspecify.annotations.NullMarked;
