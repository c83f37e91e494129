package io.summarizer.bench.state;

import java.util.SplittableRandom;

/**
 * The values of many sets, in random order. The sizes of the sets are like those in real tables. 60 % of the sets have
 * 1 value, 20 % have 2, 10 % have 3 or 4, 8 % have 5 to 30, 1.9 % have 31 to 160, and 0.1 % have 1,000 to 5,000. All
 * values are distinct.
 */
final class ReferenceSets {
    /** The set of each value. */
    private final int[] setOf;

    /** Makes the values of {@code sets} sets. */
    ReferenceSets(int sets, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] sizes = new int[sets];
        int values = 0;
        for (int i = 0; i < sets; i++) {
            sizes[i] = size(random);
            values += sizes[i];
        }
        setOf = new int[values];
        int at = 0;
        for (int i = 0; i < sets; i++) {
            for (int j = 0; j < sizes[i]; j++) {
                int swap = random.nextInt(at + 1);
                setOf[at++] = setOf[swap];
                setOf[swap] = i;
            }
        }
    }

    private static int size(SplittableRandom random) {
        int permille = random.nextInt(1_000);
        if (permille < 600) {
            return 1;
        } else if (permille < 800) {
            return 2;
        } else if (permille < 900) {
            return random.nextInt(3, 5);
        } else if (permille < 980) {
            return random.nextInt(5, 31);
        } else if (permille < 999) {
            return random.nextInt(31, 161);
        }
        return random.nextInt(1_000, 5_001);
    }

    /** Number of values in all sets. */
    int values() {
        return setOf.length;
    }

    /** Returns the number of the set that has value number {@code value}. */
    int set(int value) {
        return setOf[value];
    }
}
