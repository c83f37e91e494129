/**
 * Listeners: TCP connections that bring syslog messages, plainly or by RELP, read by Netty event loops and handed over as
 * batches.
 *
 * <p>{@link io.summarizer.server.net.SyslogTcpListener} and {@link io.summarizer.server.net.RelpListener} are the doors;
 * {@link io.summarizer.server.net.NettyWorkers} are the threads. Everything about a connection happens on its event loop,
 * which never blocks: what the pipeline refuses stays with the connection, which stops reading until there is room.
 * {@link io.summarizer.server.net.Roster} bounds the connections of a listener,
 * {@link io.summarizer.server.net.ReceiveBudget} what those of all listeners hold. Framing
 * and envelopes are {@code io.summarizer.core.receive}'s; this package only moves bytes, and answers where a protocol has
 * answers.
 */
@NullMarked
package io.summarizer.server.net;

import org.jspecify.annotations.NullMarked;
