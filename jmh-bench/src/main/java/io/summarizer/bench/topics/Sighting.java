package io.summarizer.bench.topics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The I-nodes that a lookup in a {@link CsTrie} has read, each with the main node that the lookup found in it. Used by
 * one thread.
 */
final class Sighting {
    /** I-node, main node, I-node, main node, ... */
    private @Nullable Object[] seen = new @Nullable Object[64];

    private int size;

    void clear() {
        size = 0;
    }

    void add(CsTrie.INode in, CsTrie.MainNode main) {
        if (size == seen.length) {
            seen = Arrays.copyOf(seen, 2 * size);
        }
        seen[size] = in;
        seen[size + 1] = main;
        size += 2;
    }

    /** Whether every I-node still has the main node that the lookup saw. */
    boolean stillStands() {
        for (int i = 0; i < size; i += 2) {
            CsTrie.INode in = (CsTrie.INode) seen[i];
            if (in != null && in.main != seen[i + 1]) {
                return false;
            }
        }
        return true;
    }
}
