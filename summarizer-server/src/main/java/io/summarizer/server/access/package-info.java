/**
 * Who may ask over HTTP: tokens, which are kept as hashes, and what each may do.
 *
 * <p>{@link io.summarizer.server.access.AccessControl} is the door; event loops ask it, and the thread that looks at files has it read
 * them anew. No message, log line, metric or {@code toString} of this package has anything of a token.
 */
@NullMarked
package io.summarizer.server.access;

import org.jspecify.annotations.NullMarked;
