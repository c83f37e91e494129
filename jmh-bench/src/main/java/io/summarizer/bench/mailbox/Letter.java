package io.summarizer.bench.mailbox;

import io.summarizer.bench.state.Zipf;
import java.util.Random;

/** Events that are handed over together. Immutable, so that a letter may be sent repeatedly. */
final class Letter {
    private static final double SKEW = 1.1;

    private final int[] keys;
    private final long[] amounts;

    private Letter(int[] keys, long[] amounts) {
        this.keys = keys;
        this.amounts = amounts;
    }

    /** Makes letters of {@code size} events each, with keys as skewed as those of the reference workload. */
    static Letter[] random(int letters, int size, long seed) {
        Random random = new Random(seed);
        Zipf zipf = new Zipf(Tally.KEYS, SKEW);
        Letter[] made = new Letter[letters];
        for (int i = 0; i < letters; i++) {
            int[] keys = new int[size];
            long[] amounts = new long[size];
            for (int j = 0; j < size; j++) {
                keys[j] = zipf.sample(random);
                amounts[j] = random.nextInt(10_000);
            }
            made[i] = new Letter(keys, amounts);
        }
        return made;
    }

    /** The keys, below {@link Tally#KEYS}. Callers must not write to them. */
    int[] keys() {
        return keys;
    }

    /** The amounts, one for each key. Callers must not write to them. */
    long[] amounts() {
        return amounts;
    }

    /** Number of events. */
    int size() {
        return keys.length;
    }

    /** Adds all events to a tally, one by one. */
    void addTo(Tally tally) {
        for (int i = 0; i < keys.length; i++) {
            tally.add(keys[i], 1, amounts[i]);
        }
    }
}
