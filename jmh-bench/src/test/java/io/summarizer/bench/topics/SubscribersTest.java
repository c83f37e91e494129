package io.summarizer.bench.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SubscribersTest {
    @Test
    void isTheSetOfWhatWasAddedAndNotRemoved() {
        for (long seed = 1; seed <= 5; seed++) {
            Random random = new Random(seed);
            int range = 1 << random.nextInt(14);
            Subscribers set = Subscribers.NONE;
            TreeSet<Integer> model = new TreeSet<>();
            Matches found = new Matches();
            for (int step = 0; step < 20_000; step++) {
                int subscriber = random.nextInt(range) - range / 2;
                boolean adding = random.nextInt(20_000) > step; // grows, then shrinks
                Subscribers after = adding ? set.with(subscriber) : set.without(subscriber);
                boolean changed = adding ? model.add(subscriber) : model.remove(subscriber);
                assertThat(after != set).as("seed %d, step %d", seed, step).isEqualTo(changed);
                set = after;
                found.clear();
                set.addTo(found);
                assertThat(found.size()).as("seed %d, step %d", seed, step).isEqualTo(model.size());
                assertThat(set.with(subscriber) == set).isEqualTo(adding);
            }
            assertThat(all(set)).as("seed %d", seed).isEqualTo(model);
        }
    }

    @Test
    void leavesTheSetItWasMadeFromAsItWas() {
        Subscribers before = Subscribers.NONE;
        for (int i = 0; i < 100; i++) {
            before = before.with(i);
        }
        assertThat(all(before.with(100).without(7))).hasSize(100);
        assertThat(all(before)).hasSize(100).contains(7).doesNotContain(100);
    }

    @Test
    void isTheEmptySetWhenTheLastIsRemoved() {
        Subscribers set = Subscribers.NONE;
        for (int i = 0; i < 1_000; i++) {
            set = set.with(i);
        }
        for (int i = 0; i < 1_000; i++) {
            set = set.without(i);
        }
        assertThat(set).isSameAs(Subscribers.NONE);
    }

    private static Set<Integer> all(Subscribers set) {
        Matches found = new Matches();
        set.addTo(found);
        Set<Integer> all = new TreeSet<>();
        for (int subscriber : found.toArray()) {
            assertThat(all.add(subscriber)).as("%d is there once", subscriber).isTrue();
        }
        return all;
    }
}
