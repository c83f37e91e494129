package io.summarizer.bench.sketch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sketches of this package against their theory, over a random part of the stream. */
class SketchTest {
    private static final int MEMBERS = 50_000;
    private static final int STRANGERS = 200_000;

    private final long seed = Long.getLong("summarizer.seed", new Random().nextInt(1 << 30));
    private final String told = "-Dsummarizer.seed=" + seed;
    /** First element of the part. */
    private final long first = seed << 32;

    /** Element {@code number} of the part; strangers have negative numbers. */
    private long hash(long number) {
        return Measure.hash(first + number);
    }

    private double share(int count, LongPredicate of) {
        int found = 0;
        for (long i = 1; i <= count; i++) {
            found += of.test(i) ? 1 : 0;
        }
        return (double) found / count;
    }

    private void assertAsInTheory(Filter filter, double systematic) {
        double theory = filter.falsePositives();
        double sampling = 6 * Math.sqrt(theory * (1 - theory) / STRANGERS);
        assertThat(share(STRANGERS, i -> filter.contains(hash(-i))))
                .as(told)
                .isCloseTo(theory, within(sampling + systematic * theory));
    }

    @ParameterizedTest
    @CsvSource({"0.1, 1", "0.01, 1", "0.01, 4", "0.001, 2"})
    void aBloomFilterHasItsRateAndDeniesNoMember(double rate, int overfill) {
        BloomFilter filter = new BloomFilter(MEMBERS / overfill, rate);
        for (int i = 0; i < MEMBERS; i++) {
            filter.add(hash(i));
        }
        assertThat(share(MEMBERS, i -> filter.contains(hash(i - 1)))).as(told).isEqualTo(1);
        assertAsInTheory(filter, 0.05);
        if (overfill == 1) {
            assertThat(filter.falsePositives()).isCloseTo(rate, within(0.02 * rate));
        }
    }

    @Test
    void aCountingBloomFilterHasItsRateAndForgetsOnlyTheMembersThatWereRemoved() {
        CountingBloomFilter filter = new CountingBloomFilter(MEMBERS, 0.01);
        for (int i = 0; i < 2 * MEMBERS; i++) {
            filter.add(hash(i));
        }
        assertAsInTheory(filter, 0.05);
        for (int i = 0; i < MEMBERS; i++) {
            filter.remove(hash(i));
        }
        assertAsInTheory(filter, 0.05);
        assertThat(share(MEMBERS, i -> filter.contains(hash(MEMBERS + i - 1))))
                .as(told)
                .isEqualTo(1);
        assertThat(share(MEMBERS, i -> filter.contains(hash(i - 1))))
                .as(told)
                .isCloseTo(filter.falsePositives(), within(0.005));
        // Counters that have reached 15 stay: 20 additions and removals leave a member.
        for (int i = 0; i < 20; i++) {
            filter.add(hash(-STRANGERS - 1));
        }
        for (int i = 0; i < 20; i++) {
            filter.remove(hash(-STRANGERS - 1));
        }
        assertThat(filter.contains(hash(-STRANGERS - 1))).as(told).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"100, 0.01", "1000, 0.05", "50000, 0.01"})
    void aScalableBloomFilterKeepsItsBoundAndDeniesNoMember(int capacity, double bound) {
        ScalableBloomFilter filter = new ScalableBloomFilter(capacity, bound);
        for (int i = 0; i < MEMBERS; i++) {
            filter.add(hash(i));
            filter.add(hash(i)); // takes no room
        }
        assertThat(share(MEMBERS, i -> filter.contains(hash(i - 1)))).as(told).isEqualTo(1);
        assertAsInTheory(filter, 0.05);
        assertThat(filter.falsePositives()).isLessThan(bound);
    }

    @ParameterizedTest
    @CsvSource({"1, 3, 0.01", "2, 3, 0.05", "4, 2, 0.02"})
    void aStableBloomFilterStaysAtItsLimitAndForgetsOldMembersFirst(int cellBits, int hashes, double limit) {
        StableBloomFilter filter = new StableBloomFilter(100_000, cellBits, hashes, limit);
        int members = 10 * MEMBERS;
        for (int i = 0; i < members; i++) {
            filter.add(hash(i));
        }
        assertThat(filter.falsePositives()).isCloseTo(limit, within(0.1 * limit));
        // Neighbouring cells are decremented together, and the cells of one moment are a sample.
        assertAsInTheory(filter, 0.1);
        double newest = share(500, i -> filter.contains(hash(members - i)));
        double older = share(500, i -> filter.contains(hash(members - 10_000 - i)));
        assertThat(newest).as(told).isGreaterThan(0.7).isGreaterThan(older);
        assertThat(share(5_000, i -> filter.contains(hash(i - 1)))).as(told).isLessThan(4 * limit);
    }

    @Test
    void anInverseBloomFilterReportsNoStrangerAndForgetsAsInTheory() {
        InverseBloomFilter filter = new InverseBloomFilter(64L * MEMBERS);
        for (int i = 0; i < 2 * MEMBERS; i++) {
            filter.add(hash(i));
        }
        assertThat(share(STRANGERS, i -> filter.contains(hash(-i)))).as(told).isZero();
        int sample = 10_000;
        for (int ago : new int[] {sample, MEMBERS, 2 * MEMBERS}) {
            double forgotten = share(sample, i -> !filter.contains(hash(2 * MEMBERS - ago + i - 1)));
            assertThat(forgotten).as(told).isCloseTo(filter.forgotten(ago - sample / 2), within(0.03));
        }
    }

    @Test
    void aCountMinSketchIsNeverTooSmallAndSeldomTooLarge() {
        int depth = 4;
        int width = 500;
        CountMinSketch sketch = new CountMinSketch(width, depth);
        int all = 0;
        for (int element = 0; element < MEMBERS; element++) {
            for (int i = 0; i <= element % 7; i++, all++) {
                sketch.add(hash(element));
            }
        }
        double bound = Math.E / width * all;
        assertThat(share(MEMBERS, i -> sketch.estimate(hash(i - 1)) <= (i - 1) % 7))
                .as(told)
                .isZero();
        assertThat(share(MEMBERS, i -> sketch.estimate(hash(i - 1)) > (i - 1) % 7 + 1 + bound))
                .as(told)
                .isLessThan(Math.exp(-depth));
        CountMinSketch wide = new CountMinSketch(1 << 22, depth);
        wide.add(hash(1));
        wide.add(hash(1));
        assertThat(wide.estimate(hash(1))).isEqualTo(2);
        assertThat(wide.estimate(hash(2))).as(told).isZero();
    }

    @Test
    void theLeastHashesCountDistinctElementsAndCompareSetsAsInTheory() {
        int k = 256;
        int trials = 200;
        double squares = 0;
        double similaritySquares = 0;
        for (int trial = 0; trial < trials; trial++) {
            BottomK one = new BottomK(k);
            BottomK other = new BottomK(k);
            for (long i = 0; i < 3_000; i++) {
                long number = trial * 10_000L + i;
                one.add(hash(number));
                one.add(hash(number)); // counts once
                other.add(hash(number + 1_000)); // 2,000 of 4,000 are common
            }
            squares += Math.pow(one.distinct() / 3_000 - 1, 2);
            similaritySquares += Math.pow(one.similarity(other) - 0.5, 2);
        }
        // The root mean square of 200 trials is within 30 % of its expectation in all but 1 of a billion runs.
        assertThat(Math.sqrt(squares / trials))
                .as(told)
                .isCloseTo(1 / Math.sqrt(k - 2), within(0.3 / Math.sqrt(k - 2)));
        assertThat(Math.sqrt(similaritySquares / trials))
                .as(told)
                .isCloseTo(Math.sqrt(0.25 / k), within(0.3 * Math.sqrt(0.25 / k)));
        BottomK few = new BottomK(k);
        for (int i = 0; i < 2 * (k - 1); i++) {
            few.add(hash(i % (k - 1)));
        }
        assertThat(few.distinct()).isEqualTo(k - 1);
    }
}
