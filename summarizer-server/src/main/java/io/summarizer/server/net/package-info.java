/**
 * The listeners. Netty event loops read syslog messages from datagrams and from TCP connections, plain or over RELP.
 * The event loops hand the messages over as batches.
 *
 * <p>The entry points are {@link io.summarizer.server.net.SyslogTcpListener}, {@link
 * io.summarizer.server.net.RelpListener} and {@link io.summarizer.server.net.SyslogUdpListener}; {@link
 * io.summarizer.server.net.NettyWorkers} are the threads. All work of a connection runs on its event loop, which never
 * blocks. Batches that the pipeline refuses stay with the connection, and the connection stops reading until there is
 * room. {@link io.summarizer.server.net.Roster} bounds the connections of a listener. {@link
 * io.summarizer.server.net.ReceiveBudget} bounds the memory of the connections of all listeners. Framing and envelopes
 * belong to {@code io.summarizer.core.receive}; this package only moves bytes, and sends acknowledgements where a
 * protocol has them.
 */
@NullMarked
package io.summarizer.server.net;

import org.jspecify.annotations.NullMarked;
