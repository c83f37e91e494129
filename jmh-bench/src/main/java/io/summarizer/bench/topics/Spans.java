package io.summarizer.bench.topics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * For each {@code #}, the earliest word at which the present lookup has reached it. A lookup may reach a {@code #}
 * below other {@code #} many times, because the {@code #} above it can divide the words in many ways. When the lookup
 * first reaches a {@code #}, at some word, it tries every rest of the topic that begins at this word or later. If it
 * reaches the same {@code #} again at an earlier word, it tries only the rests that begin before the recorded word. So
 * every node gets each word once, even when a pattern has many {@code #}. Used by one thread.
 *
 * <p>The table uses open addressing by identity. Only lookups that reach a {@code #} below another use the table.
 */
final class Spans {
    private @Nullable Object[] nodes = new @Nullable Object[16];
    private int[] starts = new int[16];
    private int size;

    /** Forgets all nodes. */
    void clear() {
        if (size > 0) {
            Arrays.fill(nodes, null);
            size = 0;
        }
    }

    /**
     * Records that, below {@code node}, the lookup has tried every rest of the topic that begins at word {@code start}
     * or later. Returns the earliest start that earlier calls recorded for the node, or {@code none} if no earlier call
     * had this node.
     */
    int lower(Object node, int start, int none) {
        int mask = nodes.length - 1;
        int slot = System.identityHashCode(node) & mask;
        for (Object there; (there = nodes[slot]) != null; slot = slot + 1 & mask) {
            if (there == node) {
                int before = starts[slot];
                starts[slot] = Math.min(before, start);
                return before;
            }
        }
        nodes[slot] = node;
        starts[slot] = start;
        if (++size > nodes.length / 2) {
            grow();
        }
        return none;
    }

    private void grow() {
        @Nullable Object[] oldNodes = nodes;
        int[] oldStarts = starts;
        int mask = 2 * oldNodes.length - 1;
        nodes = new @Nullable Object[mask + 1];
        starts = new int[mask + 1];
        for (int i = 0; i < oldNodes.length; i++) {
            Object node = oldNodes[i];
            if (node != null) {
                int slot = System.identityHashCode(node) & mask;
                while (nodes[slot] != null) {
                    slot = slot + 1 & mask;
                }
                nodes[slot] = node;
                starts[slot] = oldStarts[i];
            }
        }
    }
}
