/**
 * The configuration. {@code ConfigKeys} is the table of all keys. Settings come from a YAML file, the environment and
 * the command line. The result is an immutable {@code ServerConfig} or the list of all problems.
 *
 * <p>The thread that starts the process uses this package. From the server, it imports {@code kafka}, {@code net} and
 * {@code tls}, which define the types of some values.
 */
@NullMarked
package io.summarizer.server.config;

import org.jspecify.annotations.NullMarked;
