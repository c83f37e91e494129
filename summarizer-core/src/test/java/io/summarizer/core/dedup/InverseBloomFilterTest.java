package io.summarizer.core.dedup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.summarizer.core.bytes.ByteAccount;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InverseBloomFilterTest {
    private static final int CHUNK = 240;

    @Test
    void shouldNeverKnowAnIdThatItHasNotSeen() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        InverseBloomFilter filter = new InverseBloomFilter(1000, CHUNK, ByteAccount.unbounded());
        for (int i = 0; i < 100_000; i++) {
            long high = random.nextLong();
            long low = random.nextLong();
            assertThat(filter.stamp(high, low)).as("seed %d", seed).isZero();
            filter.put(high, low, i + 1);
            assertThat(filter.stamp(high, low)).isEqualTo(i + 1);
            // The same place, and half of the same hash.
            assertThat(filter.stamp(high, low ^ 1L << random.nextInt(64))).isZero();
            assertThat(filter.stamp(high ^ 1L << random.nextInt(32), low)).isZero();
        }
    }

    @Test
    void shouldForgetAsTheoryHasIt() {
        Random random = new Random(1);
        int places = 10_000;
        int later = 5_000;
        InverseBloomFilter filter = new InverseBloomFilter(places, CHUNK, ByteAccount.unbounded());
        long[] ids = new long[20_000];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = random.nextLong();
            filter.put(ids[i], i, i + 1);
        }
        int known = 0;
        int asked = 0;
        for (int i = ids.length - later - 500; i < ids.length - later + 500; i++) {
            asked++;
            known += filter.stamp(ids[i], i) == 0 ? 0 : 1;
        }
        assertThat((double) known / asked).isCloseTo(Math.exp(-(double) later / places), within(0.06));
    }

    @Test
    void shouldTakeMemoryAsItFillsAndNoMore() {
        InverseBloomFilter filter = new InverseBloomFilter(1_000_000, CHUNK, ByteAccount.unbounded());
        assertThat(filter.allocatedBytes()).isLessThan(500_000);
        Random random = new Random(1);
        for (int i = 0; i < 2_000_000; i++) {
            filter.put(random.nextLong(), i, 1);
        }
        assertThat(filter.allocatedBytes()).isLessThanOrEqualTo(28_000_000);
    }
}
