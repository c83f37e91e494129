package io.summarizer.bench.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("races")
class CsTrieTest extends TopicMatcherConformance {
    private static final int THREADS = 4;

    @Override
    TopicMatcher matcher() {
        return new CsTrie();
    }

    @Test
    void letsNeitherASnapshotNorItsOriginSeeWhatBecomesOfTheOther() {
        CsTrie matcher = new CsTrie();
        subscribe(matcher, "a.b", 1);
        subscribe(matcher, "a.*", 2);
        CsTrie snapshot = matcher.snapshot();
        subscribe(matcher, "a.b", 3);
        unsubscribe(matcher, "a.*", 2);
        subscribe(snapshot, "*.b", 4);
        CsTrie second = snapshot.snapshot();
        unsubscribe(snapshot, "a.b", 1);
        assertThat(match(matcher, "a.b")).containsExactly(1, 3);
        assertThat(match(snapshot, "a.b")).containsExactly(2, 4);
        assertThat(match(second, "a.b")).containsExactly(1, 2, 4);
    }

    @Test
    void letsAChangeFailThatASnapshotOvertook() {
        CsTrie trie = new CsTrie();
        trie.subscribe(Pattern.of("a"), 1);
        CsTrie.INode root = trie.currentRoot();
        CsTrie.MainNode before = trie.read(root);
        CsTrie snapshot = trie.snapshot();
        assertThat(trie.replace(root, before, new CsTrie.CNode(BranchMap.EMPTY, null, null)))
                .isFalse();
        assertThat(trie.read(root)).isSameAs(before);
        assertThat(match(trie, "a")).containsExactly(1);
        assertThat(match(snapshot, "a")).containsExactly(1);
    }

    @Test
    void givesEverySnapshotAGenerationOfItsOwn() {
        CsTrie trie = new CsTrie();
        CsTrie.Generation first = trie.currentRoot().generation;
        CsTrie snapshot = trie.snapshot();
        assertThat(trie.currentRoot().generation).isNotEqualTo(first);
        assertThat(snapshot.currentRoot().generation).isNotEqualTo(first).isNotEqualTo(trie.currentRoot().generation);
    }

    @Test
    void isEmptyOnceThreadsHaveRemovedWhatTheyAdded() throws Exception {
        CsTrie trie = new CsTrie();
        int empty = trie.parts();
        inParallel(thread -> {
            Random random = new Random(thread);
            for (int round = 0; round < 300; round++) {
                List<Pattern> added = new ArrayList<>();
                for (int i = 0; i < 12; i++) {
                    // All threads use the same few words, so that they prune nodes that others are about to add to.
                    Pattern pattern = Pattern.of(word(random) + "." + word(random) + "." + word(random));
                    if (trie.subscribe(pattern, thread)) {
                        added.add(pattern);
                    }
                    if (i == 6 && round % 16 == 0) {
                        trie.snapshot();
                    }
                }
                for (Pattern pattern : added) {
                    assertThat(match(new Matches(), trie, pattern.toString())).contains(thread);
                    assertThat(trie.unsubscribe(pattern, thread)).isTrue();
                }
            }
        });
        assertThat(trie.parts()).isEqualTo(empty);
    }

    @Test
    void holdsWhatThreadsAddedAtTheSameTime() throws Exception {
        CsTrie trie = new CsTrie();
        int perThread = 5_000;
        inParallel(thread -> {
            for (int i = 0; i < perThread; i++) {
                trie.subscribe(Pattern.of("a.b"), thread * perThread + i);
                trie.subscribe(Pattern.of("a.b." + i % 50), thread * perThread + i);
            }
        });
        assertThat(match(trie, "a.b")).hasSize(THREADS * perThread);
        inParallel(thread -> {
            for (int i = 0; i < perThread; i++) {
                assertThat(trie.unsubscribe(Pattern.of("a.b"), thread * perThread + i))
                        .isTrue();
            }
        });
        assertThat(match(trie, "a.b")).isEmpty();
        assertThat(match(trie, "a.b.7")).hasSize(THREADS * perThread / 50);
    }

    /** Each subscription is made before the next, and removed after it: a lookup that sees one sees all before it. */
    @Test
    void neverFindsASubscriptionWithoutThoseMadeBeforeIt() throws Exception {
        CsTrie trie = new CsTrie();
        List<Pattern> inOrder =
                List.of(Pattern.of("a.b"), Pattern.of("*.b"), Pattern.of("a.*"), Pattern.of("#.b"), Pattern.of("a.#"));
        AtomicBoolean ends = new AtomicBoolean();
        inParallel(thread -> {
            if (thread == 0) {
                try {
                    for (int round = 0; round < 20_000; round++) {
                        for (int i = 0; i < inOrder.size(); i++) {
                            trie.subscribe(inOrder.get(i), i);
                        }
                        for (int i = inOrder.size() - 1; i >= 0; i--) {
                            trie.unsubscribe(inOrder.get(i), i);
                        }
                    }
                } finally {
                    ends.set(true);
                }
                return;
            }
            Matches found = new Matches();
            for (int round = 0; !ends.get(); round++) {
                CsTrie looked = thread == 1 && round % 8 == 0 ? trie.snapshot() : trie;
                List<Integer> seen = match(found, looked, "a.b");
                for (int i = 0; i < seen.size(); i++) {
                    assertThat(seen).contains(i);
                }
            }
        });
    }

    private static String word(Random random) {
        return String.valueOf((char) ('a' + random.nextInt(3)));
    }

    private static List<Integer> match(Matches found, CsTrie trie, String topic) {
        byte[] bytes = topic.getBytes(StandardCharsets.UTF_8);
        trie.match(bytes, 0, bytes.length, found);
        List<Integer> subscribers = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            subscribers.add(found.get(i));
        }
        return subscribers;
    }

    private interface Work {
        void run(int thread) throws Exception;
    }

    private static void inParallel(Work work) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                running.add(executor.submit(() -> {
                    start.await();
                    work.run(thread);
                    return null;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
