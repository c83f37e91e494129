package io.summarizer.server.net;

import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** How many connections each address has open. Any thread; bounded by the connections that there are. */
final class AddressCounts {
    private final Map<InetAddress, Integer> counts = new ConcurrentHashMap<>();

    /**
     * Counts one more.
     *
     * @param address null where there is none, of which there may be any number
     * @return false when it has as many as it may, and this one is not counted
     */
    boolean add(@Nullable InetAddress address, int max) {
        if (address == null) {
            return true;
        }
        boolean[] added = new boolean[1];
        counts.compute(address, (key, count) -> {
            int before = count == null ? 0 : count;
            added[0] = before < max;
            return added[0] ? before + 1 : count;
        });
        return added[0];
    }

    /** Counts one less. */
    void remove(@Nullable InetAddress address) {
        if (address != null) {
            counts.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Addresses that have any. */
    int addresses() {
        return counts.size();
    }
}
