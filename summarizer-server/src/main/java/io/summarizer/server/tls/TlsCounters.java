package io.summarizer.server.tls;

import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/** Counts of a listener's TLS since the start. Written by event loops, read by any thread. */
public final class TlsCounters {
    private final LongAdder handshakes = new LongAdder();
    private final LongAdder[] faults = new LongAdder[TlsFault.values().length];

    /** Makes counters at zero. */
    public TlsCounters() {
        Arrays.setAll(faults, i -> new LongAdder());
    }

    /** Counts a completed handshake. */
    public void handshake() {
        handshakes.increment();
    }

    /** Counts a connection that failed. */
    public void fault(TlsFault fault) {
        faults[fault.ordinal()].increment();
    }

    /** Number of completed handshakes. */
    public long handshakes() {
        return handshakes.sum();
    }

    /** Number of connections that failed or broke for this reason. */
    public long faults(TlsFault fault) {
        return faults[fault.ordinal()].sum();
    }
}
