/**
 * Access over HTTP: tokens, which are kept as hashes, and their roles.
 *
 * <p>The entry point is {@link io.summarizer.server.access.AccessControl}; event loops ask it for decisions, and the
 * thread that watches files has it read its file again. No message, log line, metric or {@code toString} of this
 * package contains any part of a token.
 */
@NullMarked
package io.summarizer.server.access;

import org.jspecify.annotations.NullMarked;
