package io.summarizer.server.net;

import io.netty.channel.Channel;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.receive.RelpFramer;
import java.util.function.Supplier;

/**
 * Takes syslog over RELP, which rsyslog speaks with omrelp. Every message is acknowledged when it is durable or
 * applied, and the sender keeps the message until then.
 *
 * <p>When a batch has reached the point that {@link Ack} names, the sink must report this to the batch's receipt
 * ({@link io.summarizer.core.message.MessageBatch#receipt}). Messages of a batch without such a report are never
 * acknowledged. The sink may report batches in any order; acknowledgements are sent in the order of the messages.
 */
public final class RelpListener extends StreamListener {
    private final Supplier<RelpFramer> framers;
    private final Ack ack;

    /**
     * Makes a listener that is not started.
     *
     * @param settings settings with a linger of zero, because a linger would delay acknowledgements
     * @param framers supplier of a framer for each connection; called on event loops
     * @param ack point at which a message is acknowledged
     */
    public RelpListener(
            Settings settings, NettyWorkers workers, BatchSink sink, Supplier<RelpFramer> framers, Ack ack) {
        super(settings, workers, sink);
        this.framers = framers;
        this.ack = ack;
    }

    @Override
    StreamConnection newConnection(Channel channel) {
        return new RelpConnection(this, channel, framers.get(), ack);
    }

    /**
     * Breaks all sessions without acknowledging open messages, so that their senders keep the messages and connect
     * again. Called when batches will never reach the point that {@link Ack} names. Any thread; returns at once.
     */
    public void breakSessions() {
        forEachConnection(StreamConnection::cutOff);
    }
}
