package io.summarizer.bench.topics;

import io.summarizer.bench.topics.CsTrie.Branch;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from words to branches: a hash trie. A node has up to 64 children and a bitmap that tells which
 * children it has (Bagwell: Ideal Hash Trees, 2001). A lookup of an absent word usually ends at a bit that is not set.
 * A change copies one node per level, so a map of 100,000 words changes about as fast as a map of ten words.
 */
final class BranchMap {
    /** The empty map. */
    static final BranchMap EMPTY = new BranchMap(0, new Object[0]);

    /** Bits of the hash that each level uses, from the lowest bits on. */
    static final int LEVEL_BITS = 6;

    private static final int HASH_BITS = 32;

    final long bitmap;

    /**
     * One {@link Branch} or {@link BranchMap} for each set bit. Below the last level, all bits of the hash are used.
     * There, a node has no bitmap; its elements are branches with equal hashes.
     */
    final Object[] slots;

    private BranchMap(long bitmap, Object[] slots) {
        this.bitmap = bitmap;
        this.slots = slots;
    }

    /** Whether there is no word. */
    boolean isEmpty() {
        return slots.length == 0;
    }

    /** The branch of a topic's word, or null. */
    @Nullable
    Branch get(Words topic, int word, int firstShift) {
        int hash = topic.hash(word);
        BranchMap map = this;
        for (int shift = firstShift; shift < HASH_BITS; shift += LEVEL_BITS) {
            long bit = 1L << (hash >>> shift);
            if ((map.bitmap & bit) == 0) {
                return null;
            }
            Object slot = map.slots[Long.bitCount(map.bitmap & bit - 1)];
            if (slot instanceof Branch branch) {
                return topic.is(word, branch.key, branch.word) ? branch : null;
            }
            map = (BranchMap) slot;
        }
        for (Object slot : map.slots) {
            Branch branch = (Branch) slot;
            if (topic.is(word, branch.key, branch.word)) {
                return branch;
            }
        }
        return null;
    }

    /** The branch of a pattern's word, or null. */
    @Nullable
    Branch get(Pattern pattern, int word) {
        int hash = pattern.hash(word);
        BranchMap map = this;
        for (int shift = 0; shift < HASH_BITS; shift += LEVEL_BITS) {
            long bit = 1L << (hash >>> shift);
            if ((map.bitmap & bit) == 0) {
                return null;
            }
            Object slot = map.slots[Long.bitCount(map.bitmap & bit - 1)];
            if (slot instanceof Branch branch) {
                return isOf(branch, pattern.key(word), pattern.word(word)) ? branch : null;
            }
            map = (BranchMap) slot;
        }
        int index = map.collision(pattern.key(word), pattern.word(word));
        return index < 0 ? null : (Branch) map.slots[index];
    }

    /** Returns this map with {@code branch}. A former branch of the same word is replaced. */
    BranchMap with(Branch branch) {
        return with(branch, Words.hash(branch.key), 0);
    }

    /** Returns this map without a pattern's word. */
    BranchMap without(Pattern pattern, int word) {
        return without(pattern.key(word), pattern.word(word), pattern.hash(word), 0);
    }

    /** Passes every branch to an action. */
    void forEach(Consumer<Branch> action) {
        for (Object slot : slots) {
            if (slot instanceof Branch branch) {
                action.accept(branch);
            } else {
                ((BranchMap) slot).forEach(action);
            }
        }
    }

    private BranchMap with(Branch branch, int hash, int shift) {
        if (shift >= HASH_BITS) {
            int index = collision(branch.key, branch.word);
            return index < 0 ? new BranchMap(0, inserted(slots.length, branch)) : replaced(index, branch);
        }
        long bit = 1L << (hash >>> shift);
        int index = Long.bitCount(bitmap & bit - 1);
        if ((bitmap & bit) == 0) {
            return new BranchMap(bitmap | bit, inserted(index, branch));
        }
        if (!(slots[index] instanceof Branch there)) {
            return replaced(index, ((BranchMap) slots[index]).with(branch, hash, shift + LEVEL_BITS));
        }
        if (isOf(there, branch.key, branch.word)) {
            return replaced(index, branch);
        }
        return replaced(
                index,
                EMPTY.with(there, Words.hash(there.key), shift + LEVEL_BITS).with(branch, hash, shift + LEVEL_BITS));
    }

    private BranchMap without(long key, byte[] word, int hash, int shift) {
        if (shift >= HASH_BITS) {
            int index = collision(key, word);
            return index < 0 ? this : removed(0, index);
        }
        long bit = 1L << (hash >>> shift);
        int index = Long.bitCount(bitmap & bit - 1);
        if ((bitmap & bit) == 0) {
            return this;
        }
        if (slots[index] instanceof Branch there) {
            return isOf(there, key, word) ? removed(bitmap & ~bit, index) : this;
        }
        BranchMap child = (BranchMap) slots[index];
        BranchMap fewer = child.without(key, word, hash, shift + LEVEL_BITS);
        if (fewer == child) {
            return this;
        }
        // Replaces a map of a single branch by the branch.
        return replaced(index, fewer.slots.length == 1 && fewer.slots[0] instanceof Branch last ? last : fewer);
    }

    private int collision(long key, byte[] word) {
        for (int i = 0; i < slots.length; i++) {
            if (isOf((Branch) slots[i], key, word)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isOf(Branch branch, long key, byte[] word) {
        return branch.key == key && (key >= 0 || Arrays.equals(branch.word, word));
    }

    private BranchMap replaced(int index, Object slot) {
        Object[] copy = slots.clone();
        copy[index] = slot;
        return new BranchMap(bitmap, copy);
    }

    private Object[] inserted(int index, Object slot) {
        Object[] copy = new Object[slots.length + 1];
        System.arraycopy(slots, 0, copy, 0, index);
        copy[index] = slot;
        System.arraycopy(slots, index, copy, index + 1, slots.length - index);
        return copy;
    }

    private BranchMap removed(long bits, int index) {
        if (slots.length == 1) {
            return EMPTY;
        }
        Object[] copy = new Object[slots.length - 1];
        System.arraycopy(slots, 0, copy, 0, index);
        System.arraycopy(slots, index + 1, copy, index, copy.length - index);
        return new BranchMap(bits, copy);
    }
}
