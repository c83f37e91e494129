package io.summarizer.server.service;

import java.util.Locale;
import java.util.Optional;

/**
 * Warnings about the ids that {@code dedup} keeps. One warning says that fewer ids are kept than configured. The other
 * warning says that a start did not load all ids.
 */
final class IdMemory {
    private static final long MEBIBYTE = 1 << 20;

    private IdMemory() {}

    /**
     * Returns the warning that fewer ids are kept than configured, in words; empty when there is nothing to warn about.
     *
     * @param idsMax number of ids that {@code dedup} keeps exactly, for each event type and summary
     * @param configured value of {@code limits.dedup-ids}
     * @param stateBytes value of {@code limits.state}
     */
    static Optional<String> warning(long idsMax, long configured, long stateBytes) {
        if (idsMax >= configured) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "dedup keeps %,d ids exactly for each event type in each summary that it updates, not %,d (limits.dedup-ids), as"
                        + " those of all would take more than a quarter of limits.state, which is %,d MiB: raise the heap (-Xmx in"
                        + " SUMMARIZER_SERVE_JAVA_OPTS) or limits.state to keep more, or lower limits.dedup-ids",
                idsMax,
                configured,
                stateBytes / MEBIBYTE));
    }

    /**
     * Returns the warning about ids that a start did not load, in words; empty when the start loaded all ids.
     *
     * @param ids number of ids that were left out
     * @param idsMax effective value of {@code limits.dedup-ids}
     */
    static Optional<String> leftOut(long ids, long idsMax) {
        if (ids == 0) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%,d ids of dedup were left out, the oldest, as %,d are kept (limits.dedup-ids) and a start loads twice as many for each event"
                        + " type and summary: a duplicate of one of these counts again; start with a higher limit from the"
                        + " same checkpoint to keep them",
                ids,
                idsMax));
    }
}
