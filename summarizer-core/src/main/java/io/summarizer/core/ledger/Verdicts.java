package io.summarizer.core.ledger;

import org.jspecify.annotations.Nullable;

/**
 * What came of the messages of one batch that did not simply reach the rows: found by the owners that their updates went to,
 * each by itself, and to be counted once. Made for each batch that has updates, and costs an object then; what is found wrong
 * costs some 50 ns. Any thread.
 */
public final class Verdicts {
    /** In place of a mapping: the message as a whole. */
    static final int MESSAGE = -1;

    private static final int SLOTS_MIN = 32;
    private static final long[] NO_KEYS = {};
    private static final byte[] NO_FATES = {};

    /** The listener that the messages came by. */
    final int listener;

    private final long firstStamp;

    /** An open hash table: keys plus one, so that 0 is a free slot, and fates. Guarded by this. */
    private long[] keys = NO_KEYS;

    private byte[] fates = NO_FATES;
    private int size;

    /**
     * No verdict yet.
     *
     * @param firstStamp of the batch: stamps of its messages are few above it
     */
    public Verdicts(int listener, long firstStamp) {
        this.listener = listener;
        this.firstStamp = firstStamp;
    }

    /**
     * Finds that the message with this stamp, or what one mapping makes of it, came to {@code fate}.
     *
     * @param mapping number of the mapping, or {@link #MESSAGE}
     * @return what it counted as until now; null when that was as bad or worse, and stays
     */
    synchronized @Nullable Fate find(long stamp, int mapping, Fate fate) {
        if (2 * (size + 1) > keys.length) {
            grow();
        }
        long key = ((stamp - firstStamp) << 17 | (mapping + 1)) + 1;
        int slot = slot(key);
        if (keys[slot] == 0) {
            keys[slot] = key;
            fates[slot] = (byte) Fate.APPLIED.ordinal();
            size++;
        }
        Fate before = Fate.all().get(fates[slot]);
        if (before.compareTo(fate) >= 0) {
            return null;
        }
        fates[slot] = (byte) fate.ordinal();
        return before;
    }

    private int slot(long key) {
        int mask = keys.length - 1;
        int slot = (int) ((key * 0x9E3779B97F4A7C15L) >>> 32) & mask;
        while (keys[slot] != 0 && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        byte[] oldFates = fates;
        keys = new long[Math.max(SLOTS_MIN, 2 * oldKeys.length)];
        fates = new byte[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                fates[slot] = oldFates[i];
            }
        }
    }
}
