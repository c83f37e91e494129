/**
 * Configuration: one table of keys ({@code ConfigKeys}), read from a YAML file, the environment and the command line into
 * an immutable {@code ServerConfig}, or into all the problems at once.
 *
 * <p>Used by the thread that starts the process. Of ours it imports the words of core and what suggests a nearer one.
 */
@NullMarked
package io.summarizer.server.config;

import org.jspecify.annotations.NullMarked;
