/**
 * Senders of messages to a syslog listener, plain over TCP or over RELP, for {@code replay} and {@code generate --to}.
 *
 * <p>Runs on the thread of the command. From the project, the package imports only two parts of the core: the reject
 * reasons and the search for line feeds.
 */
@NullMarked
package io.summarizer.server.replay;

import org.jspecify.annotations.NullMarked;
