package io.summarizer.core.ledger;

import org.jspecify.annotations.Nullable;

/**
 * For one batch, the fates of the messages that did not reach the rows in full. Several owners may report the same
 * message, but it must be counted only once. Each batch with updates has one such object. Recording a verdict takes
 * about 50 ns. Any thread.
 */
public final class Verdicts {
    /** Stands for the message as a whole, instead of one mapping. */
    static final int MESSAGE = -1;

    private static final int SLOTS_MIN = 32;
    private static final long[] NO_KEYS = {};
    private static final byte[] NO_FATES = {};

    /** Stands for a listener when only updates are counted. */
    private static final int NO_LISTENER = -1;

    /** The listener of the messages. */
    final int listener;

    private final long firstStamp;

    /**
     * The keys of an open-addressing hash table. A slot has a key plus one, or 0 when it is free. {@link #fates} has
     * the values. Guarded by this.
     */
    private long[] keys = NO_KEYS;

    private byte[] fates = NO_FATES;
    private int size;

    /**
     * Verdicts without entries.
     *
     * @param firstStamp first stamp of the batch; the stamps of its messages are only a little higher
     */
    public Verdicts(int listener, long firstStamp) {
        this.listener = listener;
        this.firstStamp = firstStamp;
    }

    /**
     * Makes verdicts on updates whose messages were counted in another process. Such verdicts change the accounts of
     * mappings, but not the accounts of messages.
     *
     * @param firstStamp the stamp of one of the updates
     */
    public static Verdicts ofUpdates(long firstStamp) {
        return new Verdicts(NO_LISTENER, firstStamp);
    }

    /** Whether the fates of messages are counted, too. */
    public boolean countsMessages() {
        return listener != NO_LISTENER;
    }

    /**
     * Records that the message with this stamp, or its update by one mapping, has {@code fate}.
     *
     * @param mapping number of the mapping; {@link #MESSAGE} for the message
     * @return the previous fate, if {@code fate} is worse and replaces it; null if the previous fate stays
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
