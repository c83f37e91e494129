package io.summarizer.bench.decode;

import java.io.IOException;
import java.util.List;

/** One way to decode a payload to the fields that {@code schemas/ads.summ} uses. One thread. */
interface Contender {
    /**
     * Decodes a payload.
     *
     * @return a digest of all fields. All contenders must have the same digest. So no contender can save time by
     *     leaving out a field.
     */
    long decode(int message) throws IOException;

    /** Fails unless all contenders read the same fields from every message. */
    static void check(List<? extends Contender> contenders, int messages) throws IOException {
        for (int message = 0; message < messages; message++) {
            long first = contenders.get(0).decode(message);
            for (Contender contender : contenders) {
                if (contender.decode(message) != first) {
                    throw new IllegalStateException(contender.getClass().getSimpleName() + " reads other values than "
                            + contenders.get(0).getClass().getSimpleName() + " from message " + message);
                }
            }
        }
    }

    /** Returns a digest extended by one more value. */
    static long digest(long before, long value) {
        return Long.rotateLeft(before, 7) * 0x9E3779B97F4A7C15L + value;
    }

    /** Converts an amount to millionths, as the language stores it. */
    static long millionths(double amount) {
        return Math.round(amount * 1e6);
    }
}
