package io.summarizer.server.http;

import java.util.concurrent.atomic.LongAdder;

/** What the HTTP listener counted since it started. Read by any thread. */
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

    /** Connections that came when there were too many and none to close: they are asked for health only. */
    public long connectionsRefused() {
        return connectionsRefused.sum();
    }

    /** Connections closed for a new one because there were as many as there may be. */
    public long displacedTotal() {
        return displacedTotal.sum();
    }

    /** Connections closed for a new one because its address had as many as it may have. */
    public long displacedAddress() {
        return displacedAddress.sum();
    }

    /** Requests refused for a {@code Host} that is none of this service's names. */
    public long refusedHosts() {
        return refusedHosts.sum();
    }

    /** Requests refused because a page of another site had a browser send them. */
    public long refusedSites() {
        return refusedSites.sum();
    }

    /** CSV answers completed. */
    public long exports() {
        return exports.sum();
    }

    /** CSV answers that ended without their last chunk: the client stalled or went away, or writing failed. */
    public long exportsBroken() {
        return exportsBroken.sum();
    }

    /** CSV answers ended in favour of a new one because their clients took nothing for a while. */
    public long exportsDisplaced() {
        return exportsDisplaced.sum();
    }

    /** CSV answers given up because they took more work than a query may take. */
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
