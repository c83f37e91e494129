package io.summarizer.bench.topics;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An immutable set of subscribers' numbers. A change makes a new set that shares most of the old one: a hash trie with
 * up to 32 numbers in a leaf and 32 children in a node, so that a change copies a few hundred bytes whether there are
 * ten subscribers or a million.
 */
final class Subscribers {
    /** The empty set. */
    static final Subscribers NONE = new Subscribers(0, new int[0], null);

    private static final int LEAF = 32;
    private static final int LEVEL_BITS = 5;
    private static final int FAN_OUT = 1 << LEVEL_BITS;

    private final int size;
    private final int[] leaf;
    private final Subscribers @Nullable [] children;

    private Subscribers(int size, int[] leaf, Subscribers @Nullable [] children) {
        this.size = size;
        this.leaf = leaf;
        this.children = children;
    }

    /** Number of subscribers. */
    int size() {
        return size;
    }

    /** Whether the set is empty. */
    boolean isEmpty() {
        return size == 0;
    }

    /** Adds all of them to the result of a lookup. */
    void addTo(Matches found) {
        if (children == null) {
            if (size == 1) {
                found.add(leaf[0]);
            } else {
                found.addAll(leaf);
            }
        } else {
            for (Subscribers child : children) {
                child.addTo(found);
            }
        }
    }

    /** Whether the set has this subscriber. */
    boolean contains(int subscriber) {
        Subscribers node = this;
        for (int bits = mix(subscriber); node.children != null; bits >>>= LEVEL_BITS) {
            node = node.children[bits & FAN_OUT - 1];
        }
        return node.indexInLeaf(subscriber) >= 0;
    }

    /** Returns this set with {@code subscriber}; this same object when it has it. */
    Subscribers with(int subscriber) {
        return with(subscriber, mix(subscriber), 0);
    }

    /**
     * Returns this set without {@code subscriber}; this same object when it does not have it, and {@link #NONE} when it
     * becomes empty.
     */
    Subscribers without(int subscriber) {
        return without(subscriber, mix(subscriber), 0);
    }

    private Subscribers with(int subscriber, int hash, int shift) {
        if (children != null) {
            int index = hash >>> shift & FAN_OUT - 1;
            Subscribers child = children[index].with(subscriber, hash, shift + LEVEL_BITS);
            return child == children[index] ? this : replaced(children, index, child, size + 1);
        }
        if (indexInLeaf(subscriber) >= 0) {
            return this;
        }
        if (size < LEAF) {
            int[] grown = Arrays.copyOf(leaf, size + 1);
            grown[size] = subscriber;
            return new Subscribers(size + 1, grown, null);
        }
        return split(shift).with(subscriber, hash, shift);
    }

    /** Returns the same numbers, spread over children. Numbers differ in their mixed bits, so the recursion ends. */
    private Subscribers split(int shift) {
        Subscribers[] spread = new Subscribers[FAN_OUT];
        Arrays.fill(spread, NONE);
        for (int there : leaf) {
            int hash = mix(there);
            int index = hash >>> shift & FAN_OUT - 1;
            spread[index] = spread[index].with(there, hash, shift + LEVEL_BITS);
        }
        return new Subscribers(size, NONE.leaf, spread);
    }

    private Subscribers without(int subscriber, int hash, int shift) {
        if (children != null) {
            int index = hash >>> shift & FAN_OUT - 1;
            Subscribers child = children[index].without(subscriber, hash, shift + LEVEL_BITS);
            if (child == children[index]) {
                return this;
            }
            Subscribers fewer = replaced(children, index, child, size - 1);
            // Half a leaf, so that one subscriber who comes and goes does not split and gather it each time.
            return fewer.size > LEAF / 2 ? fewer : fewer.gathered();
        }
        int index = indexInLeaf(subscriber);
        if (index < 0) {
            return this;
        }
        if (size == 1) {
            return NONE;
        }
        int[] shrunk = Arrays.copyOf(leaf, size - 1);
        if (index < size - 1) {
            shrunk[index] = leaf[size - 1];
        }
        return new Subscribers(size - 1, shrunk, null);
    }

    private Subscribers gathered() {
        int[] all = new int[size];
        gather(all, 0);
        return new Subscribers(size, all, null);
    }

    private int gather(int[] into, int at) {
        if (children == null) {
            System.arraycopy(leaf, 0, into, at, size);
            return at + size;
        }
        int end = at;
        for (Subscribers child : children) {
            end = child.gather(into, end);
        }
        return end;
    }

    private static Subscribers replaced(Subscribers[] children, int index, Subscribers child, int size) {
        Subscribers[] copy = children.clone();
        copy[index] = child;
        return new Subscribers(size, NONE.leaf, copy);
    }

    private int indexInLeaf(int subscriber) {
        for (int i = 0; i < leaf.length; i++) {
            if (leaf[i] == subscriber) {
                return i;
            }
        }
        return -1;
    }

    /** A bijection that spreads consecutive numbers: the finalizer of MurmurHash3. */
    private static int mix(int number) {
        int h = number;
        h ^= h >>> 16;
        h *= 0x85EBCA6B;
        h ^= h >>> 13;
        h *= 0xC2B2AE35;
        return h ^ h >>> 16;
    }
}
