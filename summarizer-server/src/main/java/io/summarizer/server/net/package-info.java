/**
 * Listeners: TCP connections and datagrams with syslog messages, plain or over RELP, read by Netty event loops and
 * handed over as batches.
 *
 * <p>The entry points are {@link io.summarizer.server.net.SyslogTcpListener}, {@link
 * io.summarizer.server.net.RelpListener} and {@link io.summarizer.server.net.SyslogUdpListener}; {@link
 * io.summarizer.server.net.NettyWorkers} are the threads. All work of a connection runs on its event loop, which never
 * blocks: batches that the pipeline refuses stay with the connection, which stops reading until there is room. {@link
 * io.summarizer.server.net.Roster} bounds the connections of a listener, {@link io.summarizer.server.net.ReceiveBudget}
 * the memory of those of all listeners. Framing and envelopes belong to {@code io.summarizer.core.receive}; this
 * package only moves bytes, and sends acknowledgements where a protocol has them.
 */
@NullMarked
package io.summarizer.server.net;

import org.jspecify.annotations.NullMarked;
