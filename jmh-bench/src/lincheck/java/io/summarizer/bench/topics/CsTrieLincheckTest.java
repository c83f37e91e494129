package io.summarizer.bench.topics;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * All operations of the CS-trie together are linearizable: by model checking, where every operation must also end by
 * itself however the others are held up, and under stress. Patterns are few, and one is a prefix of the next, so that
 * I-nodes are tombed, generations renewed and lookups overtaken.
 */
@Param(name = "pattern", gen = IntGen.class, conf = "0:6")
@Param(name = "subscriber", gen = IntGen.class, conf = "1:2")
@Param(name = "topic", gen = IntGen.class, conf = "0:2")
@Tag("races")
public class CsTrieLincheckTest {
    private static final List<String> PATTERNS = List.of("a", "a.b", "a.b.c", "a.*", "#", "*.b", "#.c");
    private static final List<String> TOPICS = List.of("a", "a.b", "a.b.c");
    private static final int NEWCOMER = 9;

    private final CsTrie trie = new CsTrie();

    public CsTrieLincheckTest() {
        trie.subscribe(Pattern.of("a.b"), 1);
        trie.subscribe(Pattern.of("a.b.c"), 1);
    }

    @Operation
    public boolean subscribe(@Param(name = "pattern") int pattern, @Param(name = "subscriber") int subscriber) {
        return trie.subscribe(Pattern.of(PATTERNS.get(pattern)), subscriber);
    }

    @Operation
    public boolean unsubscribe(@Param(name = "pattern") int pattern, @Param(name = "subscriber") int subscriber) {
        return trie.unsubscribe(Pattern.of(PATTERNS.get(pattern)), subscriber);
    }

    @Operation
    public String match(@Param(name = "topic") int topic) {
        return match(trie, TOPICS.get(topic));
    }

    /** Takes a snapshot, adds a subscription to the snapshot alone, and returns its content. */
    @Operation
    public String snapshot() {
        CsTrie snapshot = trie.snapshot();
        snapshot.subscribe(Pattern.of("a.b"), NEWCOMER);
        StringBuilder all = new StringBuilder();
        for (String topic : TOPICS) {
            all.append(match(snapshot, topic));
        }
        return all.toString();
    }

    private static String match(CsTrie trie, String topic) {
        Matches found = new Matches();
        byte[] bytes = topic.getBytes(StandardCharsets.UTF_8);
        trie.match(bytes, 0, bytes.length, found);
        int[] subscribers = found.toArray();
        Arrays.sort(subscribers);
        return Arrays.toString(subscribers);
    }

    /** The sequential specification of the operations. */
    public static final class Sequential {
        private final Model model = new Model();

        public Sequential() {
            model.subscribe("a.b", 1);
            model.subscribe("a.b.c", 1);
        }

        public boolean subscribe(int pattern, int subscriber) {
            return model.subscribe(PATTERNS.get(pattern), subscriber);
        }

        public boolean unsubscribe(int pattern, int subscriber) {
            return model.unsubscribe(PATTERNS.get(pattern), subscriber);
        }

        public String match(int topic) {
            return Arrays.toString(model.match(TOPICS.get(topic)));
        }

        public String snapshot() {
            Model snapshot = model.copy();
            snapshot.subscribe("a.b", NEWCOMER);
            StringBuilder all = new StringBuilder();
            for (String topic : TOPICS) {
                all.append(Arrays.toString(snapshot.match(topic)));
            }
            return all.toString();
        }
    }

    @Test
    void isLinearizableAndEndsHoweverThreadsInterleave() {
        modelChecking(3, 50).check(CsTrieLincheckTest.class);
    }

    @Test
    @Tag("long")
    void isLinearizableAndEndsHoweverThreadsInterleaveForLong() {
        modelChecking(200, 3_000).check(CsTrieLincheckTest.class);
    }

    private static ModelCheckingOptions modelChecking(int iterations, int invocations) {
        return new ModelCheckingOptions()
                .iterations(iterations)
                .invocationsPerIteration(invocations)
                .threads(3)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .checkObstructionFreedom(true)
                // These are immutable or used by one thread, so a switch within them shows nothing new.
                .addGuarantee(forClasses(
                                Words.class.getName(),
                                Pattern.class.getName(),
                                Subscribers.class.getName(),
                                BranchMap.class.getName(),
                                Matches.class.getName(),
                                Spans.class.getName())
                        .allMethods()
                        .ignore())
                .sequentialSpecification(Sequential.class);
    }

    @Test
    @Tag("long")
    void isLinearizableUnderStress() {
        new StressOptions()
                .iterations(100)
                .invocationsPerIteration(3_000)
                .threads(3)
                .actorsPerThread(3)
                .sequentialSpecification(Sequential.class)
                .check(CsTrieLincheckTest.class);
    }
}
