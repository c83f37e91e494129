package io.summarizer.server.cli;

import java.net.Inet6Address;
import java.net.InetSocketAddress;

/** Addresses as they are written in URLs. */
final class Addresses {
    private Addresses() {}

    /** {@code 127.0.0.1:5514}, {@code [::1]:5514}. */
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
