package io.summarizer.server.http;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the HTTP listener since its start. Read by any thread. */
public final class HttpCounters {
    final LongAdder requests = new LongAdder();
    final LongAdder connectionsRefused = new LongAdder();
    final LongAdder displacedTotal = new LongAdder();
    final LongAdder displacedAddress = new LongAdder();
    final LongAdder refusedHosts = new LongAdder();
    final LongAdder refusedSites = new LongAdder();
    final LongAdder exports = new LongAdder();
    final LongAdder exportsBroken = new LongAdder();
    final LongAdder exportsRefused = new LongAdder();
    final LongAdder exportsDisplaced = new LongAdder();
    final LongAdder exportsTimedOut = new LongAdder();
    final LongAdder exportBytes = new LongAdder();

    HttpCounters() {}

    /** Requests answered, errors included. */
    public long requests() {
        return requests.sum();
    }

    /** Connections beyond the bound for which none could be closed: they are for health checks only. */
    public long connectionsRefused() {
        return connectionsRefused.sum();
    }

    /** Connections closed for a new one because of the bound on all connections. */
    public long displacedTotal() {
        return displacedTotal.sum();
    }

    /** Connections closed for a new one because of the bound on its address. */
    public long displacedAddress() {
        return displacedAddress.sum();
    }

    /** Requests refused because their {@code Host} is not a name of this service. */
    public long refusedHosts() {
        return refusedHosts.sum();
    }

    /** Requests refused because a page of another site made a browser send them. */
    public long refusedSites() {
        return refusedSites.sum();
    }

    /** CSV answers completed. */
    public long exports() {
        return exports.sum();
    }

    /** CSV answers that ended without their last chunk: the client stalled or disconnected, or writing failed. */
    public long exportsBroken() {
        return exportsBroken.sum();
    }

    /** CSV answers ended for a new one because their clients read nothing for a while. */
    public long exportsDisplaced() {
        return exportsDisplaced.sum();
    }

    /** CSV answers aborted because they exceeded the work that a query may take. */
    public long exportsTimedOut() {
        return exportsTimedOut.sum();
    }

    /** CSV answers refused because too many were being written. */
    public long exportsRefused() {
        return exportsRefused.sum();
    }

    /** Bytes of CSV written. */
    public long exportBytes() {
        return exportBytes.sum();
    }
}
