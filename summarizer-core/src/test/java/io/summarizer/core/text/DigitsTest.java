package io.summarizer.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DigitsTest {
    @Test
    void countsAndReadsWhatTheWordStartsWith() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 50_000; round++) {
            int count = random.nextInt(9);
            StringBuilder text = new StringBuilder();
            while (text.length() < count) {
                text.append((char) ('0' + random.nextInt(10)));
            }
            if (count < 8) {
                // Neighbours of the digits, with and without the high bit, and any other byte.
                text.append(
                        random.nextBoolean()
                                ? (char) random.nextInt('9' + 1, 256)
                                : "/:\u00b0\u00b9.,-e \u0000\u00ff".charAt(random.nextInt(11)));
            }
            while (text.length() < 8) {
                text.append((char) random.nextInt(256));
            }
            long word = Bytes.getLong(text.toString().getBytes(StandardCharsets.ISO_8859_1), 0);
            assertThat(Digits.count(word)).as("seed %d, %x", seed, word).isEqualTo(count);
            for (int some = 0; some <= count; some++) {
                assertThat(Digits.value(word, some))
                        .as("seed %d, %d of %x", seed, some, word)
                        .isEqualTo(some == 0 ? 0 : Long.parseLong(text.substring(0, some)));
            }
        }
    }
}
