package io.summarizer.dsl.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NumbersTest {
    @Test
    void shouldTakeTheDoubleNearestToAnAmount() {
        assertThat(Numbers.amount(39_583_953_616_218_158L, 0)).isEqualTo(39_583_953_616.218158);
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            BigInteger sum = new BigInteger(random.nextInt(127), random);
            sum = random.nextBoolean() ? sum : sum.negate();
            assertThat(Numbers.amount(sum.longValue(), sum.shiftRight(Long.SIZE).longValue()))
                    .as("seed %d, %d millionths", seed, sum)
                    .isEqualTo(Double.parseDouble(new BigDecimal(sum, 6).toString()));
        }
    }
}
