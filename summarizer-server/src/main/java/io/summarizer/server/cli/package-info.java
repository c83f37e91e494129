/**
 * The command line: {@code Main}, one class for each command, and their output.
 *
 * <p>{@code Exit} maps failures to exit codes. Each problem is one clear line on standard error; only {@code --verbose}
 * shows stack traces. Options that several commands have are mixins: {@code ConfigOptions}, {@code ServiceOptions},
 * {@code DefinitionsSource}, {@code JsonOption}.
 */
@NullMarked
package io.summarizer.server.cli;

import org.jspecify.annotations.NullMarked;
