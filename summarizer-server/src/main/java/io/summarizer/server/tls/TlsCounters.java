package io.summarizer.server.tls;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** What a listener's TLS came to since the start. Written by event loops, read by any thread. */
public final class TlsCounters {
    private final LongAdder handshakes = new LongAdder();
    private final LongAdder[] faults = new LongAdder[TlsFault.values().length];

    /** All zero. */
    public TlsCounters() {
        Arrays.setAll(faults, i -> new LongAdder());
    }

    /** Counts a handshake that is done. */
    public void handshake() {
        handshakes.increment();
    }

    /** Counts a connection that came to nothing. */
    public void fault(TlsFault fault) {
        faults[fault.ordinal()].increment();
    }

    /** Handshakes done. */
    public long handshakes() {
        return handshakes.sum();
    }

    /** Connections that did not come about, or broke, for this reason. */
    public long faults(TlsFault fault) {
        return faults[fault.ordinal()].sum();
    }
}
