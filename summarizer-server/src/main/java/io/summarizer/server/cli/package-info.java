/**
 * The command line: {@code Main}, one class for each command, and how they speak to people.
 *
 * <p>Exit codes: 0 all is well, 1 something is wrong with the input, the definitions or the surroundings, 2 the command line
 * itself. Problems are one clear line each on standard error; only {@code --verbose} shows stack traces.
 */
@NullMarked
package io.summarizer.server.cli;

import org.jspecify.annotations.NullMarked;
