package io.summarizer.bench.topics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A nondeterministic automaton over words, for all patterns together. Patterns that begin alike share states. A word or
 * {@code *} is an edge. {@code #} is an edge that takes no word and leads to a state that stays active on any word.
 * Lookups may run concurrently if each has its own {@link ActiveSet}. Changes must run alone.
 */
abstract class Automaton implements TopicMatcher {
    private final Deque<Integer> freeIds = new ArrayDeque<>();
    private int ids;
    private final State start = new State(ids++, false);

    /** A state, reached by a prefix of patterns. */
    static final class State {
        /** A number below {@link Automaton#ids}, unique among the present states. */
        final int id;

        /** Whether the state follows a {@code #}. Such a state stays active on any word. */
        final boolean loops;

        final WordMap<State> words = new WordMap<>();

        @Nullable
        State star;

        @Nullable
        State hash;

        Subscribers subscribers = Subscribers.NONE;

        private State(int id, boolean loops) {
            this.id = id;
            this.loops = loops;
        }

        private @Nullable State next(Pattern pattern, int word) {
            return pattern.isStar(word) ? star : pattern.isHash(word) ? hash : words.get(pattern, word);
        }

        private void set(Pattern pattern, int word, @Nullable State next) {
            if (pattern.isStar(word)) {
                star = next;
            } else if (pattern.isHash(word)) {
                hash = next;
            } else if (next == null) {
                words.remove(pattern, word);
            } else {
                words.put(pattern, word, next);
            }
        }

        /** Whether no edge leaves the state. */
        boolean isLeaf() {
            return words.size() == 0 && star == null && hash == null;
        }

        private boolean isEmpty() {
            return isLeaf() && subscribers.isEmpty();
        }
    }

    /** The state before any word. */
    final State start() {
        return start;
    }

    /** Upper bound of the ids, exclusive. */
    final int ids() {
        return ids;
    }

    /** Number of states. */
    @Override
    public int parts() {
        return ids - freeIds.size();
    }

    @Override
    public boolean subscribe(Pattern pattern, int subscriber) {
        State state = start;
        for (int i = 0; i < pattern.count(); i++) {
            State next = state.next(pattern, i);
            if (next == null) {
                next = new State(freeIds.isEmpty() ? ids++ : freeIds.pop(), pattern.isHash(i));
                state.set(pattern, i, next);
            }
            state = next;
        }
        Subscribers before = state.subscribers;
        state.subscribers = before.with(subscriber);
        return state.subscribers != before;
    }

    @Override
    public boolean unsubscribe(Pattern pattern, int subscriber) {
        List<State> path = new ArrayList<>(pattern.count());
        State state = start;
        for (int i = 0; i < pattern.count(); i++) {
            path.add(state);
            state = state.next(pattern, i);
            if (state == null) {
                return false;
            }
        }
        Subscribers fewer = state.subscribers.without(subscriber);
        if (fewer == state.subscribers) {
            return false;
        }
        state.subscribers = fewer;
        for (int i = pattern.count() - 1; i >= 0 && state.isEmpty(); i--) {
            freeIds.push(state.id);
            state = path.get(i);
            state.set(pattern, i, null);
        }
        return true;
    }
}
