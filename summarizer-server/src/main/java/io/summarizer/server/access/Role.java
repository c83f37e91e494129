package io.summarizer.server.access;

import java.util.Locale;

/** What a token is good for. Each role may what the ones before it may. */
public enum Role {
    /** Looks: pulls, the ledger, the cuts of resets, metrics, what takes a topic. */
    READ,
    /** Changes: reloads and resets; and takes what costs the service dearly, a state file. */
    ADMIN;

    /** Whether it is enough for what needs {@code other}. */
    public boolean covers(Role other) {
        return compareTo(other) >= 0;
    }

    /** As files have it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
