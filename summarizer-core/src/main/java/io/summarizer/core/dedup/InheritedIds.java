package io.summarizer.core.dedup;

import io.summarizer.core.bytes.ByteAccount;
import io.summarizer.core.bytes.ByteBudget;
import java.util.Arrays;

/**
 * Ids that were seen before the partitions changed: by an earlier process, or while the summary's key had another form.
 * They are valid for one more window. Immutable, except for the number of tables that hold the ids. While at least one
 * table holds the ids, their bytes are counted once in the budget of all state. Any thread. Cost: 24 bytes per id and 6
 * to 12 of index.
 */
final class InheritedIds {
    private static final int WORDS = 3;

    /** Three longs per id: its hash and its stamp. */
    private final long[] ids;
    /** A hash table of the ids. A slot has the index of an id, plus one; a free slot has 0. */
    private final int[] slots;

    private final int count;
    private final long latest;
    private final long forgotten;

    /** Tables that hold these ids; guarded by this. */
    private int holders;

    private InheritedIds(long[] ids, int[] slots, int count, long latest, long forgotten) {
        this.ids = ids;
        this.slots = slots;
        this.count = count;
        this.latest = latest;
        this.forgotten = forgotten;
    }

    int count() {
        return count;
    }

    /** The latest stamp of any id. */
    long latest() {
        return latest;
    }

    /** Number of ids that were left out although their window was not over, because there were too many ids. */
    long forgotten() {
        return forgotten;
    }

    long allocatedBytes() {
        return ids.length * 8L + slots.length * 4L;
    }

    /** Adds a table that holds these ids. */
    synchronized void hold(ByteBudget state) {
        if (holders++ == 0) {
            new ByteAccount(ByteBudget.unbounded(), state).add(allocatedBytes());
        }
    }

    /** Removes a table that held these ids. */
    synchronized void letGo(ByteBudget state) {
        assert holders > 0 : "more often let go than held";
        if (--holders == 0) {
            new ByteAccount(ByteBudget.unbounded(), state).add(-allocatedBytes());
        }
    }

    /** The stamp of an id; 0 when the id is unknown. */
    long stamp(long high, long low) {
        int mask = slots.length - 1;
        for (int i = (int) low & mask; slots[i] != 0; i = (i + 1) & mask) {
            int at = (slots[i] - 1) * WORDS;
            if (ids[at] == high && ids[at + 1] == low) {
                return ids[at + 2];
            }
        }
        return 0;
    }

    void forEach(IdVisitor visitor) {
        for (int at = 0; at < count * WORDS; at += WORDS) {
            visitor.id(ids[at], ids[at + 1], ids[at + 2]);
        }
    }

    /** Gathers ids. One thread. */
    static final class Builder implements IdVisitor {
        /** Number of ids that fit into an array of longs on every JVM. */
        private static final int MAX_IDS = (Integer.MAX_VALUE - 8) / WORDS;

        private long[] ids = new long[64 * WORDS];
        private int count;
        private long latest;

        int count() {
            return count;
        }

        /** The latest stamp of any id. */
        long latest() {
            return latest;
        }

        @Override
        public void id(long high, long low, long stamp) {
            if (count == MAX_IDS) {
                return; // No configuration allows so many. If it happens, at worst some events are counted again.
            }
            int at = count * WORDS;
            if (at == ids.length) {
                ids = Arrays.copyOf(ids, (int) Math.min((long) MAX_IDS * WORDS, 2L * at));
            }
            ids[at] = high;
            ids[at + 1] = low;
            ids[at + 2] = stamp;
            count++;
            latest = Math.max(latest, stamp);
        }

        /**
         * Makes an object with the latest {@code idsMax} ids, each with its latest stamp.
         *
         * @param windowMicros length of the window that ends at the latest stamp; ids of this window that are left out
         *     are counted in {@link InheritedIds#forgotten}
         */
        InheritedIds build(long idsMax, long windowMicros) {
            int[] slots = merge();
            long forgotten = 0;
            if (count > idsMax) {
                forgotten = keepLatest((int) idsMax, latest - windowMicros);
                slots = merge();
            }
            return new InheritedIds(Arrays.copyOf(ids, count * WORDS), slots, count, latest, forgotten);
        }

        /** Merges entries of the same id. Returns a hash table with the index of each id, plus one. */
        private int[] merge() {
            int size = 4;
            while (size < count + (long) count / 2) {
                size *= 2;
            }
            int[] slots = new int[size];
            int mask = size - 1;
            int kept = 0;
            for (int from = 0; from < count * WORDS; from += WORDS) {
                int slot = (int) ids[from + 1] & mask;
                while (slots[slot] != 0 && !isAt((slots[slot] - 1) * WORDS, from)) {
                    slot = (slot + 1) & mask;
                }
                if (slots[slot] != 0) {
                    int stamp = (slots[slot] - 1) * WORDS + 2;
                    ids[stamp] = Math.max(ids[stamp], ids[from + 2]);
                } else {
                    System.arraycopy(ids, from, ids, kept * WORDS, WORDS);
                    slots[slot] = ++kept;
                }
            }
            count = kept;
            return slots;
        }

        private boolean isAt(int at, int other) {
            return ids[at] == ids[other] && ids[at + 1] == ids[other + 1];
        }

        /**
         * Removes all but the latest ids. Returns the number of removed ids that arrived at {@code windowStart} or
         * later.
         */
        private long keepLatest(int idsMax, long windowStart) {
            long[] stamps = new long[count];
            for (int i = 0; i < count; i++) {
                stamps[i] = ids[i * WORDS + 2];
            }
            Arrays.sort(stamps);
            int left = count - idsMax;
            long oldest = stamps[left];
            long forgotten = Arrays.stream(stamps, 0, left)
                    .filter(stamp -> stamp >= windowStart)
                    .count();
            int kept = 0;
            for (int i = 0; i < count; i++) {
                if (ids[i * WORDS + 2] >= oldest && kept < idsMax) {
                    System.arraycopy(ids, i * WORDS, ids, kept++ * WORDS, WORDS);
                }
            }
            count = kept;
            return forgotten;
        }
    }
}
