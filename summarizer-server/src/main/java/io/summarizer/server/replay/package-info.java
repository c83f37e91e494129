/**
 * Sending messages to a syslog listener, plainly over TCP or by RELP: what {@code replay} and {@code generate --to} do.
 *
 * <p>Runs on the thread of the command. Of ours it imports the reasons of core and its search for line feeds only.
 */
@NullMarked
package io.summarizer.server.replay;

import org.jspecify.annotations.NullMarked;
