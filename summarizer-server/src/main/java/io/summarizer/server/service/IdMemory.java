package io.summarizer.server.service;

import java.util.Locale;
import java.util.Optional;

/** Whether the ids that {@code dedup} may come to keep fit into the heap, beside all else: the bound on them knows nothing of it. */
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
                        + " that it updates), more than a quarter of the heap of %,d MiB: give it more (-Xmx in"
                        + " SUMMARIZER_JAVA_OPTS), or lower limits.dedup-ids",
                idBytes / MEBIBYTE,
                heapBytes / MEBIBYTE));
    }
}
