/**
 * Configuration: one table of keys ({@code ConfigKeys}), read from a YAML file, the environment and the command line
 * into an immutable {@code ServerConfig}, or into all the problems at once.
 *
 * <p>The thread that starts the process uses this package. Of the project, the package imports the core's types and the
 * suggestions of similar words.
 */
@NullMarked
package io.summarizer.server.config;

import org.jspecify.annotations.NullMarked;
