/**
 * The command line of the job. {@link io.summarizer.flink.cli.FlinkCommand} is the command {@code summarizer flink},
 * and {@link io.summarizer.flink.cli.ClusterCommand} parses the arguments of {@code flink run}; both have the options
 * of {@link io.summarizer.flink.cli.JobArguments}. Runs on the client's main thread.
 */
@NullMarked
package io.summarizer.flink.cli;

import org.jspecify.annotations.NullMarked;
