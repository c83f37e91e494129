package io.summarizer.server.net;

import io.netty.channel.Channel;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.receive.RelpFramer;
import java.util.function.Supplier;

/**
 * Takes syslog over RELP, which rsyslog speaks with omrelp: every message is answered when it is safe, and the sender keeps it
 * until then.
 *
 * <p>The sink has to tell the receipts of batches ({@link io.summarizer.core.message.MessageBatch#receipt}) what {@link Ack}
 * asks for, or no message is ever answered. It may do so in any order; answers are given in that of the messages.
 */
public final class RelpListener extends StreamListener {
    private final Supplier<RelpFramer> framers;
    private final Ack ack;

    /**
     * A listener that is not started.
     *
     * @param settings its linger should be zero: it would hold answers up
     * @param framers makes a framer for each connection; called on event loops
     * @param ack when a message is answered
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
     * Breaks all sessions off without answering what is open, so that their senders keep it and come again: for when what was
     * handed over will not become what {@link Ack} asks for. Any thread; returns at once.
     */
    public void breakSessions() {
        forEachConnection(StreamConnection::cutOff);
    }
}
