package io.summarizer.server.workload;

/**
 * The random numbers of one event at a time. The generator is SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable
 * pseudorandom number generators"). For each event, it restarts from the seed and the event's number, so an event does
 * not depend on earlier events. The generator uses integer arithmetic only, so every JDK gives the same numbers.
 * Confined to one thread.
 */
final class EventRandom {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final long base;
    private long state;

    EventRandom(long seed) {
        base = mix(seed);
    }

    /** Restarts the generator for event {@code index}. */
    void startEvent(long index) {
        state = mix(base + index * GOLDEN_GAMMA);
    }

    /** 64 random bits. */
    long next() {
        state += GOLDEN_GAMMA;
        return mix(state);
    }

    /** A number from 0 up to {@code bound}, exclusive; {@code bound} is at most 2^31. */
    int below(int bound) {
        return scale(next(), bound);
    }

    /** A number from 0 (inclusive) to {@code bound} (exclusive), made from the high half of {@code bits}. */
    static int scale(long bits, int bound) {
        return (int) (((bits >>> 32) * bound) >>> 32);
    }

    /** A permutation of all 64-bit numbers whose results look random. */
    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
