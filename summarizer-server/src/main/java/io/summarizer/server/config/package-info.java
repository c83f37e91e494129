/**
 * The configuration. {@code ConfigKeys} is the table of all keys. Settings come from a YAML file, the environment and
 * the command line. The result is an immutable {@code ServerConfig} or the list of all problems.
 *
 * <p>The thread that starts the process uses this package. The package imports the core's types and the search for
 * similar words, and nothing else of the project.
 */
@NullMarked
package io.summarizer.server.config;

import org.jspecify.annotations.NullMarked;
