package io.summarizer.server.service;

import java.util.Locale;
import java.util.Optional;

/** What people should know of the ids that {@code dedup} keeps: that they may outgrow the heap, or that not all could be kept. */
final class IdMemory {
    /** What of the heap they may take before somebody should know. */
    private static final int SHARE = 4;

    private static final long MEBIBYTE = 1 << 20;

    private IdMemory() {}

    /**
     * What people should know, in words; empty when nothing.
     *
     * @param idBytes that ids may come to take
     * @param heapBytes the largest that the heap may get
     */
    static Optional<String> warning(long idBytes, long heapBytes) {
        if (idBytes <= heapBytes / SHARE) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "the ids that dedup keeps may come to %,d MiB (limits.dedup-ids for each event type with dedup in each summary"
                        + " that it updates), more than a quarter of the heap of %,d MiB: give the heap four times that, -Xmx%dm in"
                        + " SUMMARIZER_JAVA_OPTS, or lower limits.dedup-ids",
                idBytes / MEBIBYTE,
                heapBytes / MEBIBYTE,
                SHARE * ((idBytes + MEBIBYTE - 1) / MEBIBYTE)));
    }

    /**
     * What people should know of ids that a start did not load, in words; empty when it loaded all.
     *
     * @param ids that were left out
     * @param idsMax what {@code limits.dedup-ids} is
     */
    static Optional<String> leftOut(long ids, long idsMax) {
        if (ids == 0) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "%,d ids of dedup were left out, the oldest, as limits.dedup-ids is %,d and a start loads twice as many for each event"
                        + " type and summary: a duplicate of one of these counts again; start with a higher limit from the"
                        + " same checkpoint to keep them",
                ids,
                idsMax));
    }
}
