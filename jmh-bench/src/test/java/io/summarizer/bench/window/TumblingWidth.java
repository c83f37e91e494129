package io.summarizer.bench.window;

import java.util.Random;

/** Width of tumbling windows in seconds, a divisor of a day, and the time after which they close. */
record TumblingWidth(int seconds, int closeAfterSeconds) {
    private static final int[] SECONDS = {1, 15, 60, 300, 3_600};
    private static final long MICROS = 1_000_000;

    static TumblingWidth random(Random random) {
        int seconds = SECONDS[random.nextInt(SECONDS.length)];
        return new TumblingWidth(seconds, random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(2 * seconds));
    }

    long micros() {
        return seconds * MICROS;
    }

    long closeAfterMicros() {
        return closeAfterSeconds * MICROS;
    }
}
