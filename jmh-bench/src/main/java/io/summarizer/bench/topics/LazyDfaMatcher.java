package io.summarizer.bench.topics;

import java.nio.IntBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A matcher that makes the automaton of all patterns deterministic on demand. Each new set of active states becomes a
 * state of the DFA, and each new step becomes an edge. The DFA keeps states and edges, so a lookup along known edges
 * takes one step per word without backtracking. The DFA drops all states and edges when the number of edges reaches a
 * bound, and when a subscription is added or removed. Lookups change the DFA, so two lookups must not run at the same
 * time.
 */
public final class LazyDfaMatcher extends Automaton {
    private static final int USUAL_EDGES = 1 << 17;

    private final WordMap<Word> words = new WordMap<>();
    private final int mostEdges;
    private final ActiveSet active = new ActiveSet();
    /** States of the DFA, by the ascending ids of their sets. */
    private final Map<IntBuffer, Deterministic> states = new HashMap<>();

    private @Nullable Deterministic start;
    /** Number of edges that are kept now. */
    int edges;

    private final Deque<Integer> freeWords = new ArrayDeque<>();
    private int lastWord;

    /** A word of a pattern, with its id. All other words have the id 0. */
    private static final class Word {
        final int id;
        int uses = 1;

        Word(int id) {
            this.id = id;
        }
    }

    /** A state of the DFA: a set of the automaton's states, and the known edges in an open-addressing table by word. */
    private static final class Deterministic {
        final State[] set;
        private int[] words = new int[4];
        private @Nullable Deterministic[] next = new @Nullable Deterministic[4];
        private int size;

        Deterministic(State[] set) {
            this.set = set;
        }

        @Nullable
        Deterministic next(int word) {
            int mask = words.length - 1;
            for (int slot = slot(word, mask); ; slot = (slot + 1) & mask) {
                Deterministic there = next[slot];
                if (there == null || words[slot] == word) {
                    return there;
                }
            }
        }

        void put(int word, Deterministic state) {
            if (2 * size >= words.length) {
                int[] oldWords = words;
                @Nullable Deterministic[] oldNext = next;
                words = new int[2 * oldWords.length];
                next = new @Nullable Deterministic[2 * oldWords.length];
                size = 0;
                for (int i = 0; i < oldWords.length; i++) {
                    Deterministic there = oldNext[i];
                    if (there != null) {
                        put(oldWords[i], there);
                    }
                }
            }
            int mask = words.length - 1;
            int slot = slot(word, mask);
            while (next[slot] != null) {
                slot = (slot + 1) & mask;
            }
            words[slot] = word;
            next[slot] = state;
            size++;
        }

        private static int slot(int word, int mask) {
            return ((word * 0x9E3779B9) >>> 15) & mask;
        }
    }

    /** Makes a matcher without subscriptions, with the usual bound on edges. */
    public LazyDfaMatcher() {
        this(USUAL_EDGES);
    }

    /** Makes a matcher without subscriptions that keeps at most a given number of edges. */
    public LazyDfaMatcher(int mostEdges) {
        this.mostEdges = mostEdges;
    }

    @Override
    public boolean subscribe(Pattern pattern, int subscriber) {
        if (!super.subscribe(pattern, subscriber)) {
            return false;
        }
        for (int i = 0; i < pattern.count(); i++) {
            Word word = words.get(pattern, i);
            if (word == null) {
                words.put(pattern, i, new Word(freeWords.isEmpty() ? ++lastWord : freeWords.pop()));
            } else {
                word.uses++;
            }
        }
        drop();
        return true;
    }

    @Override
    public boolean unsubscribe(Pattern pattern, int subscriber) {
        if (!super.unsubscribe(pattern, subscriber)) {
            return false;
        }
        for (int i = 0; i < pattern.count(); i++) {
            Word word = words.get(pattern, i);
            if (word != null && --word.uses == 0) {
                words.remove(pattern, i);
                freeWords.push(word.id);
            }
        }
        drop();
        return true;
    }

    private void drop() {
        if (start != null) {
            states.clear();
            start = null;
            edges = 0;
        }
    }

    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        found.clear();
        Words topic = found.words;
        topic.set(bytes, offset, length);
        if (edges >= mostEdges) {
            drop();
        }
        Deterministic state = start;
        if (state == null) {
            active.start(this);
            state = determined();
            start = state;
        }
        for (int i = 0; i < topic.count() && state.set.length > 0; i++) {
            Word word = words.get(topic, i);
            int id = word == null ? 0 : word.id;
            Deterministic next = state.next(id);
            if (next == null) {
                active.set(this, state.set);
                active.take(topic, i);
                next = determined();
                state.put(id, next);
                edges++;
            }
            state = next;
        }
        for (State reached : state.set) {
            reached.subscribers.addTo(found);
        }
    }

    /** Returns the state for the active set. */
    private Deterministic determined() {
        int[] ids = new int[active.size()];
        State[] set = new State[ids.length];
        for (int i = 0; i < ids.length; i++) {
            set[i] = active.get(i);
            ids[i] = set[i].id;
        }
        Arrays.sort(ids);
        return states.computeIfAbsent(IntBuffer.wrap(ids), unknown -> new Deterministic(set));
    }

    @Override
    public boolean lookupsWrite() {
        return true;
    }

    /**
     * Counts the states and words of the automaton, but not the states and edges of the DFA, which have a bound of
     * their own.
     */
    @Override
    public int parts() {
        return super.parts() + words.size();
    }
}
