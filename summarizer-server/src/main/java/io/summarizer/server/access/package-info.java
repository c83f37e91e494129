/**
 * Control of access over HTTP: tokens, which are kept as hashes, and their roles.
 *
 * <p>The entry point is {@link io.summarizer.server.access.AccessControl}. Event loops ask it for decisions. The thread
 * that watches files calls its {@code refresh}, which reads the file again. No message, log line, metric or {@code
 * toString} of this package contains any part of a token.
 */
@NullMarked
package io.summarizer.server.access;

import org.jspecify.annotations.NullMarked;
