package io.summarizer.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UnansweredTest {
    private static final int MESSAGES_MAX = 20;
    private static final int BYTES_MAX = 100;

    @Test
    void keepsMessagesInOrderWithinItsBounds() {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        Unanswered unanswered = new Unanswered(MESSAGES_MAX, BYTES_MAX);
        ArrayDeque<byte[]> model = new ArrayDeque<>();
        int refused = 0;
        for (int step = 0; step < 50_000; step++) {
            if (random.nextBoolean()) {
                byte[] message = new byte[random.nextInt(random.nextInt(50) == 0 ? BYTES_MAX + 50 : 30)];
                random.nextBytes(message);
                if (unanswered.add(message, 0, message.length)) {
                    model.addLast(message);
                } else {
                    refused++;
                    assertThat(model).as("seed %d", seed).isNotEmpty();
                }
            } else if (!model.isEmpty()) {
                model.removeFirst();
                unanswered.removeFirst();
            }
            assertThat(unanswered.count()).as("seed %d", seed).isEqualTo(model.size());
            assertThat(model.size()).isLessThanOrEqualTo(MESSAGES_MAX);
            int index = 0;
            for (byte[] message : model) {
                byte[] kept = new byte[unanswered.length(index)];
                System.arraycopy(unanswered.bytes(), unanswered.offset(index++), kept, 0, kept.length);
                assertThat(kept).as("seed %d, step %d", seed, step).isEqualTo(message);
            }
        }
        assertThat(refused).as("seed %d", seed).isPositive();
    }

    @Test
    void takesOneOfAnySizeAlone() {
        Unanswered unanswered = new Unanswered(MESSAGES_MAX, BYTES_MAX);
        byte[] large = new byte[1000];
        large[999] = 7;
        assertThat(unanswered.add(large, 0, 1000)).isTrue();
        assertThat(unanswered.add(large, 0, 1)).isFalse();
        assertThat(unanswered.bytes()[unanswered.offset(0) + 999]).isEqualTo((byte) 7);
    }
}
