package io.summarizer.bench.topics;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.topics.CsTrie.Branch;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BranchMapTest {
    private static final Subscribers SOME = Subscribers.NONE.with(1);

    @Test
    void holdsWhatWasAddedAndNotRemoved() {
        for (long seed = 1; seed <= 5; seed++) {
            Random random = new Random(seed);
            BranchMap map = BranchMap.EMPTY;
            Set<String> model = new HashSet<>();
            for (int step = 0; step < 5_000; step++) {
                String word = "word-" + random.nextInt(1_000);
                if (random.nextInt(5_000) > step) {
                    map = map.with(branch(word));
                    model.add(word);
                } else {
                    map = map.without(Pattern.of(word), 0);
                    model.remove(word);
                }
                assertThat(holds(map, word)).as("seed %d, step %d", seed, step).isEqualTo(model.contains(word));
            }
            Set<String> all = new HashSet<>();
            map.forEach(branch -> all.add(new String(branch.word, StandardCharsets.UTF_8)));
            assertThat(all).as("seed %d", seed).isEqualTo(model);
            for (String word : model) {
                assertThat(holds(map, word)).isTrue();
                map = map.without(Pattern.of(word), 0);
            }
            assertThat(map).isSameAs(BranchMap.EMPTY);
        }
    }

    @Test
    void tellsWordsOfTheSameHashApart() {
        Map<Integer, String> byHash = new HashMap<>();
        int pairs = 0;
        for (int i = 0; i < 300_000; i++) {
            String word = "w" + i;
            String other = byHash.put(Pattern.of(word).hash(0), word);
            if (other != null) {
                pairs++;
                BranchMap both = BranchMap.EMPTY.with(branch(other)).with(branch(word));
                assertThat(holds(both, word)).isTrue();
                assertThat(holds(both, other)).isTrue();
                BranchMap one = both.without(Pattern.of(word), 0);
                assertThat(holds(one, word)).isFalse();
                assertThat(holds(one, other)).isTrue();
                assertThat(one.without(Pattern.of(other), 0)).isSameAs(BranchMap.EMPTY);
            }
        }
        assertThat(pairs).as("pairs of words with the same hash").isPositive();
    }

    private static Branch branch(String word) {
        return new Branch(Pattern.of(word), 0, SOME, null);
    }

    private static boolean holds(BranchMap map, String word) {
        Words topic = new Words();
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        topic.set(bytes, 0, bytes.length);
        boolean byTopic = map.get(topic, 0, 0) != null;
        assertThat(map.get(Pattern.of(word), 0) != null).isEqualTo(byTopic);
        return byTopic;
    }
}
