package io.summarizer.server.http;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the HTTP listener since its start. Read by any thread. */
public final class HttpCounters {
    /** Number of answered requests, including answers with errors. */
    public final LongAdder requests = new LongAdder();
    /**
     * Number of new connections that exceeded the bound, because no other connection could be closed for them. These
     * connections served only health checks.
     */
    public final LongAdder connectionsRefused = new LongAdder();
    /** Number of connections closed for a new connection because of the bound on all connections. */
    public final LongAdder displacedTotal = new LongAdder();
    /** Number of connections closed for a new connection because of the bound on the connections of one address. */
    public final LongAdder displacedAddress = new LongAdder();
    /** Requests refused because their {@code Host} is not a name of this service. */
    public final LongAdder refusedHosts = new LongAdder();
    /** Requests refused because a page of another site made a browser send them. */
    public final LongAdder refusedSites = new LongAdder();
    /** CSV answers completed. */
    public final LongAdder exports = new LongAdder();
    /**
     * Number of CSV answers that ended without their last chunk because the client stalled or disconnected, or because
     * writing failed.
     */
    public final LongAdder exportsBroken = new LongAdder();
    /** CSV answers refused because too many CSV answers were being written. */
    public final LongAdder exportsRefused = new LongAdder();
    /** Number of CSV answers ended for a new answer because their clients read nothing for a while. */
    public final LongAdder exportsDisplaced = new LongAdder();
    /** CSV answers aborted because they exceeded the work that a query may take. */
    public final LongAdder exportsTimedOut = new LongAdder();
    /** CSV answers that ended because a file of a closed window was damaged or missing. */
    public final LongAdder windowsUnreadable = new LongAdder();
    /** Bytes of CSV written. */
    public final LongAdder exportBytes = new LongAdder();

    HttpCounters() {}
}
