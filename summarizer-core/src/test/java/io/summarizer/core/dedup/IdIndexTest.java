package io.summarizer.core.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.bytes.ByteAccount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class IdIndexTest {
    /** Few segments and hashes that collide, so that deletions meet long runs, also across a segment's end. */
    @Test
    void shouldFindWhatIsThereAndNothingElse() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 30; round++) {
            IdIndex index = new IdIndex(ByteAccount.unbounded());
            Map<Integer, Long> hashes = new HashMap<>();
            List<Integer> places = new ArrayList<>();
            int spread = 1 + random.nextInt(200);
            int next = 0;
            for (int step = 0; step < 3000; step++) {
                if (places.isEmpty() || random.nextInt(5) < (step < 1500 ? 3 : 2)) {
                    long low = (long) random.nextInt(2) << 56 | random.nextInt(spread) * 0x10001L;
                    index.insert(low, next);
                    hashes.put(next, low);
                    places.add(next++);
                } else {
                    int place = places.remove(random.nextInt(places.size()));
                    long low = Objects.requireNonNull(hashes.remove(place));
                    assertThat(index.remove(low, place)).isTrue();
                    assertThat(index.remove(low, place)).isFalse();
                }
                assertThat(index.size()).isEqualTo(places.size());
            }
            for (int place = 0; place < next; place++) {
                Long low = hashes.get(place);
                if (low != null) {
                    assertThat(found(index, low))
                            .as("seed %d, round %d", seed, round)
                            .contains(place);
                }
            }
            int there = 0;
            for (long low : hashes.values().stream().distinct().toList()) {
                there += found(index, low).size();
            }
            assertThat(there).as("seed %d, round %d", seed, round).isEqualTo(places.size());
        }
    }

    private static List<Integer> found(IdIndex index, long low) {
        long[] segment = index.segment(low);
        int mask = IdIndex.mask(segment);
        List<Integer> places = new ArrayList<>();
        for (int i = (int) low & mask; segment[i] != 0; i = (i + 1) & mask) {
            if (IdIndex.mayBe(segment[i], low)) {
                places.add(IdIndex.place(segment[i]));
            }
        }
        return places;
    }
}
