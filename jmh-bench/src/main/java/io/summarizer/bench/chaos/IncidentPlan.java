package io.summarizer.bench.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The incidents of a run and their times: an endless list, determined by a seed and the possible kinds. One thread. */
final class IncidentPlan {
    private static final int AFTER_MS_MIN = 50;
    private static final int AFTER_MS_MAX = 1_200;

    private final SplittableRandom random;
    private final List<Kind> kinds = new ArrayList<>();
    private int number;

    /**
     * One incident.
     *
     * @param number number of the incident, from 1 on
     * @param afterMillis time under traffic between the end of the previous incident and this incident
     * @param random source of the incident's other random choices
     */
    record Incident(int number, Kind kind, int afterMillis, SplittableRandom random) {}

    /** Makes a plan in which each kind happens as often as its weight says. */
    IncidentPlan(long seed, List<Kind> possible) {
        random = new SplittableRandom(seed);
        for (Kind kind : possible) {
            for (int i = 0; i < kind.weight(); i++) {
                kinds.add(kind);
            }
        }
    }

    /** Returns the next incident. */
    Incident next() {
        SplittableRandom own = random.split();
        Kind kind = kinds.get(own.nextInt(kinds.size()));
        return new Incident(++number, kind, own.nextInt(AFTER_MS_MIN, AFTER_MS_MAX), own);
    }
}
