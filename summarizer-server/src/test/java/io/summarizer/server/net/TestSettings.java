package io.summarizer.server.net;

import io.summarizer.server.tls.ServerTls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Settings of listeners whose messages no test tells apart. */
final class TestSettings {
    static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    static final ConnectionLimits MANY = new ConnectionLimits(4096, 4096, Duration.ZERO, Duration.ZERO);

    private TestSettings() {}

    static StreamListener.Settings of(
            String name, InetSocketAddress bind, ConnectionLimits connections, @Nullable ServerTls tls) {
        return new StreamListener.Settings(name, 0, bind, connections, Batching.BY_READ, tls, unbounded());
    }

    static ReceiveBudget unbounded() {
        return new ReceiveBudget(Long.MAX_VALUE);
    }
}
