package io.summarizer.server.net;

import io.netty.channel.Channel;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Addresses as in URLs. */
public final class Addresses {
    private Addresses() {}

    /** Returns the address to which a listener is bound, with its port. The listener must be started. */
    public static InetSocketAddress of(@Nullable Channel bound, String listener) {
        if (bound == null) {
            throw new IllegalStateException(listener + " was not started");
        }
        return (InetSocketAddress) bound.localAddress();
    }

    /** Formats an address: {@code 127.0.0.1:5514}, {@code [::1]:5514}; an unresolved address has its name. */
    public static String text(InetSocketAddress address) {
        if (address.isUnresolved()) {
            String name = address.getHostString();
            return (name.contains(":") ? "[" + name + "]" : name) + ":" + address.getPort();
        }
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
