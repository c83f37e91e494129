package io.summarizer.server.net;

import io.netty.channel.Channel;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.receive.SyslogFramer;
import java.util.function.Supplier;

/** Takes plain syslog over TCP, octet-counted or by lines. Senders get no acknowledgements. */
public final class SyslogTcpListener extends StreamListener {
    private final Supplier<SyslogFramer> framers;

    /**
     * Makes a listener that is not started.
     *
     * @param framers supplier of a framer for each connection; called on event loops
     */
    public SyslogTcpListener(Settings settings, NettyWorkers workers, BatchSink sink, Supplier<SyslogFramer> framers) {
        super(settings, workers, sink);
        this.framers = framers;
    }

    @Override
    StreamConnection newConnection(Channel channel) {
        return new SyslogConnection(this, channel, framers.get());
    }
}
