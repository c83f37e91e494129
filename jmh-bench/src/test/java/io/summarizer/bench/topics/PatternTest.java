package io.summarizer.bench.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PatternTest {
    @Test
    void hasTheWordsThatATopicOfTheSameBytesHas() {
        for (long seed = 1; seed <= 2_000; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[random.nextInt(60)];
            for (int i = 0; i < bytes.length; i++) {
                // Neighbours of the dot, and bytes with the highest bit, which a search by eight bytes could mistake
                // for it.
                bytes[i] = (byte) new int[] {'.', '.', '-', '/', 0xAE, 0x80, 0, 'a'}[random.nextInt(8)];
            }
            Words topic = new Words();
            topic.set(bytes, 0, bytes.length);
            Pattern pattern = Pattern.of(bytes);
            assertThat(topic.count()).as("words, seed %d", seed).isEqualTo(pattern.count());
            for (int i = 0; i < pattern.count(); i++) {
                assertThat(topic.is(i, pattern.key(i), pattern.word(i)))
                        .as("word %d, seed %d", i, seed)
                        .isTrue();
                assertThat(topic.hash(i)).isEqualTo(pattern.hash(i));
            }
        }
    }

    @Test
    void refusesMoreWordsThanMatchersDescend() {
        String most = String.join(".", Collections.nCopies(Pattern.MAX_WORDS, "a"));
        assertThat(Pattern.of(most).count()).isEqualTo(Pattern.MAX_WORDS);
        assertThatThrownBy(() -> Pattern.of(most + ".a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1025")
                .hasMessageContaining("1024");
    }
}
