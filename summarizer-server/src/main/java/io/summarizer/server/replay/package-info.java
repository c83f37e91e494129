/**
 * Senders of messages to a syslog listener, over TCP or RELP, or to Kafka, for {@code replay} and {@code generate
 * --to}.
 *
 * <p>Runs on the thread of the command. From the server, it imports {@code json} and {@code tls}.
 */
@NullMarked
package io.summarizer.server.replay;

import org.jspecify.annotations.NullMarked;
