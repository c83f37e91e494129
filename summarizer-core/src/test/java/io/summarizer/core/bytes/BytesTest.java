package io.summarizer.core.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BytesTest {
    @Test
    void shouldCompareRangesAsArraysDoes() {
        long seed = Seeds.first();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 20_000; round++) {
            int length = random.nextInt(40);
            byte[] a = new byte[length + random.nextInt(10)];
            byte[] b = new byte[length + random.nextInt(10)];
            int aFrom = random.nextInt(a.length - length + 1);
            int bFrom = random.nextInt(b.length - length + 1);
            random.nextBytes(a);
            random.nextBytes(b);
            System.arraycopy(a, aFrom, b, bFrom, length);
            if (length > 0 && random.nextBoolean()) {
                b[bFrom + random.nextInt(length)] ^= (byte) (1 << random.nextInt(8));
            }
            assertThat(Bytes.equal(a, aFrom, b, bFrom, length))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(Arrays.equals(a, aFrom, aFrom + length, b, bFrom, bFrom + length));
        }
    }
}
