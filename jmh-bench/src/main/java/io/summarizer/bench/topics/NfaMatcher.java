package io.summarizer.bench.topics;

/**
 * A matcher with one nondeterministic automaton for all patterns. Each word of the topic advances the set of active
 * states. A trie tries the word, {@code *} and each length of {@code #} one after the other. This matcher follows all
 * of them at once, and so visits each state at most once per word.
 */
public final class NfaMatcher extends Automaton {
    @Override
    public void match(byte[] bytes, int offset, int length, Matches found) {
        found.clear();
        found.words.set(bytes, offset, length);
        ActiveSet active = found.active;
        active.start(this);
        for (int i = 0; i < found.words.count() && active.size() > 0; i++) {
            active.take(found.words, i);
        }
        active.addTo(found);
    }
}
