/**
 * Sending messages to a syslog listener over TCP: what {@code replay} and {@code generate --to} do.
 *
 * <p>Runs on the thread of the command. Of ours it imports the reasons of core only.
 */
@NullMarked
package io.summarizer.server.replay;

import org.jspecify.annotations.NullMarked;
