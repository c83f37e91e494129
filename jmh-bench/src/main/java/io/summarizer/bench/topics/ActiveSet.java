package io.summarizer.bench.topics;

import io.summarizer.bench.topics.Automaton.State;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The active states of an {@link Automaton} after some words of a topic. Each word advances the set: the next set has
 * all states to which the word leads. A stamp for each state tells whether the next set already has the state. So a
 * word adds a state only once, even when many paths lead to the state. Used by one thread.
 */
final class ActiveSet {
    private @Nullable State[] states = new @Nullable State[16];
    private @Nullable State[] next = new @Nullable State[16];
    private int size;
    private int nextSize;
    private int[] stamps = new int[16];
    private int stamp;

    /** Makes the state before any word the only active one. */
    void start(Automaton automaton) {
        if (stamps.length < automaton.ids()) {
            stamps = new int[Math.max(automaton.ids(), 2 * stamps.length)];
            stamp = 0;
        }
        newStamp();
        nextSize = 0;
        enter(automaton.start());
        swap();
    }

    /** Makes these states the only active ones. */
    void set(Automaton automaton, State[] these) {
        start(automaton);
        if (states.length < these.length) {
            states = new @Nullable State[these.length];
        }
        System.arraycopy(these, 0, states, 0, these.length);
        size = these.length;
    }

    /** Takes a word of a topic. */
    void take(Words topic, int word) {
        newStamp();
        nextSize = 0;
        for (int i = 0; i < size; i++) {
            State state = get(i);
            enter(state.words.get(topic, word));
            enter(state.star);
            if (state.loops) {
                enter(state);
            }
        }
        swap();
    }

    /** Number of active states. */
    int size() {
        return size;
    }

    /** Returns an active state. */
    @SuppressWarnings("NullAway") // filled up to size
    State get(int index) {
        return states[index];
    }

    /** Adds the subscribers of all active states. */
    void addTo(Matches found) {
        for (int i = 0; i < size; i++) {
            get(i).subscribers.addTo(found);
        }
    }

    private void enter(@Nullable State entered) {
        for (State state = entered; state != null && stamps[state.id] != stamp; state = state.hash) {
            stamps[state.id] = stamp;
            if (nextSize == next.length) {
                next = Arrays.copyOf(next, 2 * nextSize);
            }
            next[nextSize++] = state;
        }
    }

    private void newStamp() {
        if (++stamp == 0) {
            Arrays.fill(stamps, 0);
            stamp = 1;
        }
    }

    private void swap() {
        @Nullable State[] swapped = states;
        states = next;
        next = swapped;
        size = nextSize;
    }
}
