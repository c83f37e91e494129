/**
 * The command line: {@code Main}, one class for each command, and their output.
 *
 * <p>{@code Exit} maps failures to exit codes. Each problem is printed as one clear line on standard error; stack
 * traces need {@code --verbose}. Options that several commands have are mixins: {@code ConfigOptions}, {@code
 * ServiceOptions}, {@code DefinitionsSource}, {@code JsonOption}.
 */
@NullMarked
package io.summarizer.server.cli;

import org.jspecify.annotations.NullMarked;
