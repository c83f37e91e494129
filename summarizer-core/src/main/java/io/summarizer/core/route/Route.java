package io.summarizer.core.route;

/**
 * The destination of messages with a certain topic: an event type, and those mappings of the event type that take the
 * topic. Immutable, shared by identity.
 */
public final class Route {
    /** The route of topics that no event type takes. */
    public static final Route UNMATCHED = new Route(-1, new boolean[0]);

    private final int event;
    private final boolean[] active;

    Route(int event, boolean[] active) {
        this.event = event;
        this.active = active;
    }

    /** Position of the event type in the plan, or -1 for a topic that no event type takes. */
    public int event() {
        return event;
    }

    /**
     * For each mapping of the event type, whether the mapping's pattern matches the topic. Do not write to the array,
     * which is shared.
     */
    public boolean[] active() {
        return active;
    }
}
