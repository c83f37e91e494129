package io.summarizer.dsl.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.decode.InputEvent;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TablesTest {
    @Test
    void holdIntegers() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int size : new int[] {0, 1, 2, 17, 1000}) {
            Set<Long> elements = new HashSet<>();
            StringBuilder encoded = new StringBuilder();
            for (int i = 0; i < size; i++) {
                long element = i == 0 ? Long.MIN_VALUE : random.nextInt(3000) - 1500;
                elements.add(element);
                encoded.append(element).append(',');
            }
            LongTable table = LongTable.of(encoded.toString());
            for (long value = -2000; value < 2000; value++) {
                assertThat(table.contains(value)).as("%d, seed %d", value, seed).isEqualTo(elements.contains(value));
            }
            assertThat(table.contains(Long.MIN_VALUE)).isEqualTo(size > 0);
        }
    }

    @Test
    void holdDoubles() {
        LongTable table = LongTable.of(LongTable.key(-0.0) + "," + LongTable.key(1.5) + ",");
        assertThat(table.contains(LongTable.key(0.0))).isTrue();
        assertThat(table.contains(LongTable.key(1.5))).isTrue();
        assertThat(table.contains(LongTable.key(-1.5))).isFalse();
    }

    @Test
    void holdTexts() {
        TextTable table = TextTable.of("0:1:a5:1:a,b2:\uD83D\uDE00");
        InputEvent event = new InputEvent();
        for (String text : new String[] {"", "a", "1:a,b", "\uD83D\uDE00"}) {
            assertThat(table.contains(event, Texts.of(event, Texts.literal(text))))
                    .as(text)
                    .isTrue();
        }
        for (String text : new String[] {"b", "aa", "1:a", "?"}) {
            assertThat(table.contains(event, Texts.of(event, Texts.literal(text))))
                    .as(text)
                    .isFalse();
        }
    }
}
