package io.summarizer.bench.topics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A concurrent trie of the words of subscriptions, built like the Ctrie (Prokopec, Bronson, Bagwell, Odersky:
 * Concurrent Tries with Efficient Non-Blocking Snapshots, PPoPP 2012). Any number of threads may subscribe,
 * unsubscribe, look up and take snapshots. All operations are lock-free and linearizable, a snapshot takes constant
 * time, and a lookup writes no shared memory.
 *
 * <p>The class is longer than 500 lines because its steps (GCAS, RDCSS, entombing, snapshots) are one protocol on the
 * same nodes; read it together with the paper.
 */
public final class CsTrie implements TopicMatcher {
    /*
     * Structure. An I-node stands for a prefix of patterns. It stays in place while nodes above and below it change. A
     * change replaces the whole main node of the I-node by one CAS. A main node is - a C-node: an immutable map from
     * the next word to a branch. A branch holds the subscribers of the pattern that ends with that word, and an I-node
     * for longer patterns, if there are any; - a T-node: a tomb. The I-node of a tomb has lost its last pattern, and
     * nothing will be added to this I-node again. The next writer that meets the I-node removes it from the branch
     * above. Readers treat the I-node as empty. The root I-node gets no tomb; it holds an empty C-node instead.
     *
     * Generations. Taking a snapshot makes two copies of the root I-node, one for the trie and one for the snapshot.
     * Each copy has a generation of its own, and both share all nodes below. A writer may meet an I-node of an older
     * generation. It then makes a copy that has the root's generation, puts the copy into the branch in place of the
     * I-node, and changes the copy. So only I-nodes of the root's generation are ever changed.
     *
     * GCAS. The change of a main node has to fail if a snapshot was taken since the writer read the root. So the writer
     * first puts in the new main node as a proposal: the field prev of the new node refers to the old one. Any thread
     * that meets a proposal decides it. If the root has the generation of the I-node, prev becomes null, and the
     * proposal is committed. Otherwise prev becomes a Failed node, and the old main node is put back. A single CAS of
     * prev decides, so all threads agree.
     *
     * RDCSS. A snapshot replaces the root, but only if the root's main node has not changed since the snapshot read it.
     * Until this is decided, a descriptor takes the place of the root. A GCAS that meets a descriptor aborts the
     * replacement instead of waiting.
     *
     * Lookups. With wildcards, a lookup reads many I-nodes, and an I-node may change while the lookup reads the next
     * ones. So a lookup notes the main node that it saw in each I-node, and at the end compares it with the I-node's
     * current main node. Main nodes are never reused. So if all are unchanged, all were current at one moment between
     * the first pass and the comparison, and the result is valid for this moment. If a main node has changed, a writer
     * made progress meanwhile, and the lookup starts over.
     */
    private static final VarHandle ROOT;
    private static final VarHandle MAIN;
    private static final VarHandle PREV;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ROOT = lookup.findVarHandle(CsTrie.class, "root", Object.class);
            MAIN = lookup.findVarHandle(INode.class, "main", MainNode.class);
            PREV = lookup.findVarHandle(MainNode.class, "prev", MainNode.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** An {@link INode} or, while a snapshot is taken, a {@link Descriptor}. */
    private volatile Object root;

    /** An identity without content: generations are compared by reference. */
    static final class Generation {}

    static final class INode {
        final Generation generation;
        volatile MainNode main;

        INode(Generation generation, MainNode main) {
            this.generation = generation;
            this.main = main;
        }
    }

    abstract static class MainNode {
        /**
         * The main node that this node is to replace, while this node is a proposal. Null when this node is committed;
         * a {@link Failed} when the replacement failed.
         */
        volatile @Nullable MainNode prev;
    }

    /** Marks a main node that failed to replace {@code before}. */
    private static final class Failed extends MainNode {
        final MainNode before;

        Failed(MainNode before) {
            this.before = before;
        }
    }

    private static final class TNode extends MainNode {}

    static final class CNode extends MainNode {
        final BranchMap words;
        final @Nullable Branch star;
        final @Nullable Branch hash;

        /**
         * A copy of the bitmap of {@code words}. Because of this copy, a lookup that finds no word here need not load
         * {@code words}.
         */
        private final long bitmap;

        private final Object[] slots;

        CNode(BranchMap words, @Nullable Branch star, @Nullable Branch hash) {
            this.words = words;
            this.star = star;
            this.hash = hash;
            bitmap = words.bitmap;
            slots = words.slots;
        }

        /** Returns the branch of a topic's word, or null. */
        @Nullable
        Branch branch(Words topic, int word) {
            long bit = 1L << topic.hash(word);
            if ((bitmap & bit) == 0) {
                return null;
            }
            Object slot = slots[Long.bitCount(bitmap & (bit - 1))];
            if (slot instanceof Branch branch) {
                return topic.is(word, branch.key, branch.word) ? branch : null;
            }
            return ((BranchMap) slot).get(topic, word, BranchMap.LEVEL_BITS);
        }

        boolean isEmpty() {
            return words.isEmpty() && star == null && hash == null;
        }

        @Nullable
        Branch branch(Pattern pattern, int word) {
            return pattern.isStar(word) ? star : pattern.isHash(word) ? hash : words.get(pattern, word);
        }

        /**
         * Returns a copy of this node in which {@code branch} replaces any former branch of the word. If {@code branch}
         * is empty, the copy has no branch for the word.
         */
        CNode with(Pattern pattern, int word, Branch branch) {
            Branch kept = branch.isEmpty() ? null : branch;
            if (pattern.isStar(word)) {
                return new CNode(words, kept, hash);
            }
            if (pattern.isHash(word)) {
                return new CNode(words, star, kept);
            }
            return new CNode(kept == null ? words.without(pattern, word) : words.with(kept), star, hash);
        }
    }

    /** The subscribers of the pattern that ends with a word, and an I-node for longer patterns. */
    static final class Branch {
        final long key;
        final byte[] word;
        final Subscribers subscribers;
        final @Nullable INode next;

        Branch(Pattern pattern, int word, Subscribers subscribers, @Nullable INode next) {
            this(pattern.key(word), pattern.word(word), subscribers, next);
        }

        private Branch(long key, byte[] word, Subscribers subscribers, @Nullable INode next) {
            this.key = key;
            this.word = word;
            this.subscribers = subscribers;
            this.next = next;
        }

        Branch with(Subscribers others) {
            return new Branch(key, word, others, next);
        }

        Branch with(@Nullable INode other) {
            return new Branch(key, word, subscribers, other);
        }

        boolean isEmpty() {
            return subscribers.isEmpty() && next == null;
        }
    }

    /** A proposal to replace the root, on the condition that the root still has the expected main node. */
    private static final class Descriptor {
        final INode before;
        final MainNode expectedMain;
        final INode after;
        volatile boolean committed;

        Descriptor(INode before, MainNode expectedMain, INode after) {
            this.before = before;
            this.expectedMain = expectedMain;
            this.after = after;
        }
    }

    /** Makes a matcher without subscriptions. */
    public CsTrie() {
        this(new INode(new Generation(), new CNode(BranchMap.EMPTY, null, null)));
    }

    private CsTrie(INode root) {
        this.root = root;
    }

    @Override
    public boolean subscribe(Pattern pattern, int subscriber) {
        int last = pattern.count() - 1;
        restart:
        while (true) {
            INode in = readRoot(false);
            Generation generation = in.generation;
            for (int word = 0; ; word++) {
                MainNode main = read(in);
                if (!(main instanceof CNode node)) {
                    prune(pattern);
                    continue restart;
                }
                Branch branch = node.branch(pattern, word);
                if (word == last || branch == null || branch.next == null) {
                    Branch changed = added(pattern, word, branch, subscriber, generation);
                    if (changed == branch) {
                        return false;
                    }
                    if (replace(in, node, node.with(pattern, word, changed))) {
                        return true;
                    }
                    continue restart;
                }
                INode next = branch.next;
                if (next.generation != generation) {
                    next = new INode(generation, read(next));
                    if (!replace(in, node, node.with(pattern, word, branch.with(next)))) {
                        continue restart;
                    }
                }
                in = next;
            }
        }
    }

    /**
     * Returns {@code branch} with a subscriber of the pattern added, in the branch itself or below it. If {@code
     * branch} is null, returns a new branch with this subscriber.
     */
    private static Branch added(
            Pattern pattern, int word, @Nullable Branch branch, int subscriber, Generation generation) {
        if (word == pattern.count() - 1) {
            if (branch == null) {
                return new Branch(pattern, word, Subscribers.NONE.with(subscriber), null);
            }
            Subscribers more = branch.subscribers.with(subscriber);
            return more == branch.subscribers ? branch : branch.with(more);
        }
        INode next = null;
        Subscribers subscribers = Subscribers.NONE.with(subscriber);
        for (int i = pattern.count() - 1; i > word; i--) {
            CNode node =
                    new CNode(BranchMap.EMPTY, null, null).with(pattern, i, new Branch(pattern, i, subscribers, next));
            next = new INode(generation, node);
            subscribers = Subscribers.NONE;
        }
        return branch == null ? new Branch(pattern, word, Subscribers.NONE, next) : branch.with(next);
    }

    @Override
    public boolean unsubscribe(Pattern pattern, int subscriber) {
        int last = pattern.count() - 1;
        INode[] path = new INode[pattern.count()];
        restart:
        while (true) {
            INode in = readRoot(false);
            Generation generation = in.generation;
            for (int word = 0; ; word++) {
                path[word] = in;
                MainNode main = read(in);
                Branch branch = main instanceof CNode node ? node.branch(pattern, word) : null;
                if (branch == null) {
                    return false;
                }
                CNode node = (CNode) main;
                if (word == last) {
                    Subscribers fewer = branch.subscribers.without(subscriber);
                    if (fewer == branch.subscribers) {
                        return false;
                    }
                    MainNode after = entombed(node.with(pattern, word, branch.with(fewer)), word);
                    if (!replace(in, node, after)) {
                        continue restart;
                    }
                    if (after instanceof TNode && !prune(pattern, path, word)) {
                        prune(pattern);
                    }
                    return true;
                }
                INode next = branch.next;
                if (next == null) {
                    return false;
                }
                if (next.generation != generation) {
                    next = new INode(generation, read(next));
                    if (!replace(in, node, node.with(pattern, word, branch.with(next)))) {
                        continue restart;
                    }
                }
                in = next;
            }
        }
    }

    /**
     * Returns the main node to put into an I-node at this depth: {@code node} or, if {@code node} is empty and the
     * I-node is not the root, a tomb.
     */
    private static MainNode entombed(CNode node, int depth) {
        return depth > 0 && node.isEmpty() ? new TNode() : node;
    }

    /**
     * Removes the tombed I-node at the end of a path from its parent. Continues upwards if the parent becomes a tomb,
     * too. Returns false when another writer or a snapshot interfered.
     */
    private boolean prune(Pattern pattern, INode[] path, int tombed) {
        for (int depth = tombed - 1; depth >= 0; depth--) {
            INode in = path[depth];
            if (!(read(in) instanceof CNode node)) {
                return false;
            }
            Branch branch = node.branch(pattern, depth);
            if (branch == null || branch.next != path[depth + 1]) {
                return false;
            }
            MainNode after = entombed(node.with(pattern, depth, branch.with((INode) null)), depth);
            if (!replace(in, node, after)) {
                return false;
            }
            if (!(after instanceof TNode)) {
                return true;
            }
        }
        return true;
    }

    /** Removes all tombed I-nodes on the path of a pattern. */
    private void prune(Pattern pattern) {
        INode[] path = new INode[pattern.count()];
        restart:
        while (true) {
            INode in = readRoot(false);
            Generation generation = in.generation;
            for (int word = 0; word < path.length; word++) {
                path[word] = in;
                if (!(read(in) instanceof CNode node)) {
                    prune(pattern, path, word);
                    continue restart;
                }
                Branch branch = node.branch(pattern, word);
                if (branch == null || branch.next == null) {
                    return;
                }
                INode next = branch.next;
                if (next.generation != generation) {
                    next = new INode(generation, read(next));
                    if (!replace(in, node, node.with(pattern, word, branch.with(next)))) {
                        continue restart;
                    }
                }
                in = next;
            }
            return;
        }
    }

    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        found.words.set(bytes, offset, length);
        Sighting sighting = found.sighting;
        INode start;
        do {
            found.clear();
            found.spans.clear();
            sighting.clear();
            start = readRoot(false);
            match(start, 0, 0, false, found);
        } while (!sighting.stillStands() || readRoot(false) != start);
    }

    /**
     * Finds the matching subscriptions below an I-node for several rests of the topic: for each position p from {@code
     * from} to {@code to}, the words from p to the end.
     */
    private void match(INode in, int from, int to, boolean belowHash, Matches found) {
        MainNode main = read(in);
        found.sighting.add(in, main);
        if (main instanceof CNode node) {
            for (int word = from; word <= to; word++) {
                match(node, word, belowHash, found);
            }
        }
    }

    private void match(CNode start, int from, boolean belowHash, Matches found) {
        int last = found.words.count() - 1;
        CNode node = start;
        for (int word = from; ; word++) {
            if (node.hash != null) {
                matchHash(node.hash, word, belowHash, found);
            }
            if (word > last) {
                return;
            }
            Branch star = node.star;
            if (star != null) {
                if (word == last) {
                    star.subscribers.addTo(found);
                }
                if (star.next != null) {
                    match(star.next, word + 1, word + 1, belowHash, found);
                }
            }
            Branch branch = node.branch(found.words, word);
            if (branch == null) {
                return;
            }
            if (word == last) {
                branch.subscribers.addTo(found);
            }
            INode next = branch.next;
            if (next == null) {
                return;
            }
            MainNode main = read(next);
            found.sighting.add(next, main);
            if (!(main instanceof CNode below)) {
                return;
            }
            node = below;
        }
    }

    private void matchHash(Branch hash, int word, boolean belowHash, Matches found) {
        int count = found.words.count();
        int none = count + 1;
        int end = belowHash ? found.spans.lower(hash, word, none) : none;
        if (end == none) {
            hash.subscribers.addTo(found);
        }
        if (hash.next != null) {
            match(hash.next, word, end - 1, true, found);
        }
    }

    /** Returns a matcher with the present subscriptions. Later changes of either matcher do not affect the other. */
    public CsTrie snapshot() {
        while (true) {
            INode before = readRoot(false);
            MainNode main = read(before);
            if (replaceRoot(before, main, new INode(new Generation(), main))) {
                return new CsTrie(new INode(new Generation(), main));
            }
        }
    }

    @Override
    public int parts() {
        return parts(readRoot(false));
    }

    private int parts(@Nullable INode in) {
        if (in == null) {
            return 0;
        }
        if (!(read(in) instanceof CNode node)) {
            return 1;
        }
        int[] sum = {1};
        if (node.star != null) {
            sum[0] += 1 + parts(node.star.next);
        }
        if (node.hash != null) {
            sum[0] += 1 + parts(node.hash.next);
        }
        node.words.forEach(branch -> sum[0] += 1 + parts(branch.next));
        return sum[0];
    }

    // GCAS

    /** Returns the main node of an I-node. If the main node is only proposed, first decides the proposal. */
    MainNode read(INode in) {
        MainNode main = in.main;
        return main.prev == null ? main : decide(in, main);
    }

    /**
     * Replaces a main node that was read before. Does not replace it if another writer or a snapshot has interfered.
     */
    boolean replace(INode in, MainNode before, MainNode after) {
        PREV.set(after, before); // published by the CAS
        if (!MAIN.compareAndSet(in, before, after)) {
            return false;
        }
        decide(in, after);
        return after.prev == null;
    }

    private MainNode decide(INode in, MainNode proposed) {
        MainNode main = proposed;
        while (true) {
            MainNode prev = main.prev;
            if (prev == null) {
                return main;
            }
            if (prev instanceof Failed failed) {
                if (MAIN.compareAndSet(in, main, failed.before)) {
                    return failed.before;
                }
                main = in.main;
            } else if (readRoot(true).generation == in.generation) {
                if (PREV.compareAndSet(main, prev, null)) {
                    return main;
                }
            } else {
                PREV.compareAndSet(main, prev, new Failed(prev));
            }
        }
    }

    // RDCSS

    INode currentRoot() {
        return readRoot(false);
    }

    private INode readRoot(boolean abort) {
        Object there = root;
        return there instanceof INode in ? in : settle(abort);
    }

    private boolean replaceRoot(INode before, MainNode expectedMain, INode after) {
        Descriptor descriptor = new Descriptor(before, expectedMain, after);
        if (!ROOT.compareAndSet(this, before, descriptor)) {
            return false;
        }
        settle(false);
        return descriptor.committed;
    }

    /** Returns the root. If a descriptor is in its place, resolves the descriptor first. */
    private INode settle(boolean abort) {
        while (true) {
            Object there = root;
            if (there instanceof INode in) {
                return in;
            }
            Descriptor descriptor = (Descriptor) there;
            if (!abort && read(descriptor.before) == descriptor.expectedMain) {
                // Between these two writes, a thread that reads the root has to retry, with no other harm.
                if (ROOT.compareAndSet(this, descriptor, descriptor.after)) {
                    descriptor.committed = true;
                    return descriptor.after;
                }
            } else if (ROOT.compareAndSet(this, descriptor, descriptor.before)) {
                return descriptor.before;
            }
        }
    }
}
