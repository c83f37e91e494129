package io.summarizer.server.access;

import java.util.Locale;

/** Permissions of a token. Each role includes the permissions of the roles before it. */
public enum Role {
    /** Permission to read: pulls, the ledger, the cuts of resets, metrics, and the event type of a topic. */
    READ,
    /**
     * Permission for reloads, resets, and requests that cost the service much, such as the request for a state file.
     */
    ADMIN;

    /** Whether this role includes {@code other}. */
    public boolean covers(Role other) {
        return compareTo(other) >= 0;
    }

    /** The word in files. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
