package io.summarizer.bench.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** What is done to the service, and when: an endless list that follows from a seed and the kinds that are possible. One thread. */
final class Plan {
    private static final int AFTER_MS_MIN = 50;
    private static final int AFTER_MS_MAX = 1_200;

    private final SplittableRandom random;
    private final List<Kind> kinds = new ArrayList<>();
    private int number;

    /**
     * One thing done.
     *
     * @param number from 1 on
     * @param afterMillis after the one before was over, while events come in
     * @param random for all else that is left to chance
     */
    record Incident(int number, Kind kind, int afterMillis, SplittableRandom random) {}

    /** A plan; of the kinds, each as often as its weight says. */
    Plan(long seed, List<Kind> possible) {
        random = new SplittableRandom(seed);
        for (Kind kind : possible) {
            for (int i = 0; i < kind.weight(); i++) {
                kinds.add(kind);
            }
        }
    }

    /** What comes next. */
    Incident next() {
        SplittableRandom own = random.split();
        Kind kind = kinds.get(own.nextInt(kinds.size()));
        return new Incident(++number, kind, own.nextInt(AFTER_MS_MIN, AFTER_MS_MAX), own);
    }
}
