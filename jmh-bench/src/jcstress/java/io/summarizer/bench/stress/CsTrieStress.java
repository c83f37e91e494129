package io.summarizer.bench.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.summarizer.bench.topics.CsTrie;
import io.summarizer.bench.topics.Matches;
import io.summarizer.bench.topics.Pattern;
import io.summarizer.bench.topics.TopicMatcher;
import java.nio.charset.StandardCharsets;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * The CS-trie under two threads. A lookup's result is the sum of the subscribers, which are 1, 2, 4 and so on; only
 * results of a sequential order of the operations are acceptable.
 */
public final class CsTrieStress {
    private static final Pattern A_B = Pattern.of("a.b");
    private static final Pattern A_B_C = Pattern.of("a.b.c");
    private static final Pattern A_C = Pattern.of("a.c");
    private static final Pattern A_HASH = Pattern.of("a.#");
    private static final Pattern A_STAR = Pattern.of("a.*");
    private static final Pattern A_X = Pattern.of("a.x");
    private static final Pattern STAR_B = Pattern.of("*.b");
    private static final Pattern STAR_X = Pattern.of("*.x");

    private static final byte[] TOPIC_A_B = "a.b".getBytes(StandardCharsets.UTF_8);
    private static final byte[] TOPIC_A_C = "a.c".getBytes(StandardCharsets.UTF_8);

    /** Replaces the result when there are other nodes than the subscriptions need. */
    private static final int LEFT = -1;

    private static int match(TopicMatcher trie, byte[] topic) {
        Matches found = new Matches();
        trie.match(topic, 0, topic.length, found);
        int sum = 0;
        for (int i = 0; i < found.size(); i++) {
            sum += found.get(i);
        }
        return sum;
    }

    /** Two new subscriptions with the same first word, so that both threads make its branch. */
    @JCStressTest
    @State
    @Outcome(id = "true, true, 3", expect = ACCEPTABLE, desc = "Both are there.")
    @Outcome(expect = FORBIDDEN, desc = "One was lost.")
    public static class TwoSubscribe {
        private final CsTrie trie = new CsTrie();

        @Actor
        public void first(ZZI_Result result) {
            result.r1 = trie.subscribe(A_B, 1);
        }

        @Actor
        public void second(ZZI_Result result) {
            result.r2 = trie.subscribe(A_STAR, 2);
        }

        @Arbiter
        public void end(ZZI_Result result) {
            result.r3 = match(trie, TOPIC_A_B);
        }
    }

    /** The same subscription twice. */
    @JCStressTest
    @State
    @Outcome(
            id = {"true, false, 1", "false, true, 1"},
            expect = ACCEPTABLE,
            desc = "One of the two made it.")
    @Outcome(expect = FORBIDDEN, desc = "It was made twice, or by nobody.")
    public static class SubscribeTheSame {
        private final CsTrie trie = new CsTrie();

        @Actor
        public void first(ZZI_Result result) {
            result.r1 = trie.subscribe(A_B, 1);
        }

        @Actor
        public void second(ZZI_Result result) {
            result.r2 = trie.subscribe(A_B, 1);
        }

        @Arbiter
        public void end(ZZI_Result result) {
            result.r3 = match(trie, TOPIC_A_B);
        }
    }

    /** Removes a subscription while one is added that overlaps it and is in the same node. */
    @JCStressTest
    @State
    @Outcome(id = "true, true, 2", expect = ACCEPTABLE, desc = "One has gone, one has come.")
    @Outcome(expect = FORBIDDEN, desc = "A change was lost.")
    public static class UnsubscribeOverlapping {
        private final CsTrie trie = new CsTrie();

        public UnsubscribeOverlapping() {
            trie.subscribe(A_B, 1);
        }

        @Actor
        public void unsubscribe(ZZI_Result result) {
            result.r1 = trie.unsubscribe(A_B, 1);
        }

        @Actor
        public void subscribe(ZZI_Result result) {
            result.r2 = trie.subscribe(A_STAR, 2);
        }

        @Arbiter
        public void end(ZZI_Result result) {
            result.r3 = match(trie, TOPIC_A_B);
        }
    }

    /** Removes the last subscription of a node, and with it the node, while one is added below it. */
    @JCStressTest
    @State
    @Outcome(id = "true, true, 2", expect = ACCEPTABLE, desc = "One has gone, one has come.")
    @Outcome(expect = FORBIDDEN, desc = "It was added to a node taken out, or a node that holds nothing was left.")
    public static class PruneAndSubscribeBelow {
        private static final int PARTS = partsOf(A_C);
        private final CsTrie trie = new CsTrie();

        public PruneAndSubscribeBelow() {
            trie.subscribe(A_B, 1);
        }

        @Actor
        public void unsubscribe(ZZI_Result result) {
            result.r1 = trie.unsubscribe(A_B, 1);
        }

        @Actor
        public void subscribe(ZZI_Result result) {
            result.r2 = trie.subscribe(A_C, 2);
        }

        @Arbiter
        public void end(ZZI_Result result) {
            result.r3 = trie.parts() == PARTS ? match(trie, TOPIC_A_C) + match(trie, TOPIC_A_B) : LEFT;
        }
    }

    /** Removes the last subscription below a branch while the branch itself gets a subscriber. */
    @JCStressTest
    @State
    @Outcome(id = "true, true, 2", expect = ACCEPTABLE, desc = "One has gone, one has come.")
    @Outcome(
            expect = FORBIDDEN,
            desc = "The branch went with what was below it, or a node that holds nothing was left.")
    public static class PruneAndSubscribeAbove {
        private static final int PARTS = partsOf(A_B);
        private final CsTrie trie = new CsTrie();

        public PruneAndSubscribeAbove() {
            trie.subscribe(A_B_C, 1);
        }

        @Actor
        public void unsubscribe(ZZI_Result result) {
            result.r1 = trie.unsubscribe(A_B_C, 1);
        }

        @Actor
        public void subscribe(ZZI_Result result) {
            result.r2 = trie.subscribe(A_B, 2);
        }

        @Arbiter
        public void end(ZZI_Result result) {
            result.r3 = trie.parts() == PARTS ? match(trie, TOPIC_A_B) : LEFT;
        }
    }

    /**
     * Removes the last two subscriptions of a node, a deep one and a shallow one: the last remover takes the nodes out.
     */
    @JCStressTest
    @State
    @Outcome(id = "true, true, 0", expect = ACCEPTABLE, desc = "Nothing is left.")
    @Outcome(expect = FORBIDDEN, desc = "A subscription stayed, or a node that holds nothing was left.")
    public static class PruneBoth {
        private static final int PARTS = new CsTrie().parts();
        private final CsTrie trie = new CsTrie();

        public PruneBoth() {
            trie.subscribe(A_B_C, 1);
            trie.subscribe(A_B, 2);
        }

        @Actor
        public void deep(ZZI_Result result) {
            result.r1 = trie.unsubscribe(A_B_C, 1);
        }

        @Actor
        public void shallow(ZZI_Result result) {
            result.r2 = trie.unsubscribe(A_B, 2);
        }

        @Arbiter
        public void end(ZZI_Result result) {
            result.r3 = trie.parts() == PARTS ? match(trie, TOPIC_A_B) : LEFT;
        }
    }

    private static int partsOf(Pattern pattern) {
        CsTrie trie = new CsTrie();
        trie.subscribe(pattern, 1);
        return trie.parts();
    }

    /**
     * Adds two subscriptions, one after the other, during a lookup that reads the node of the first before that of the
     * second.
     */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "The lookup came first.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The lookup came in between.")
    @Outcome(id = "3", expect = ACCEPTABLE, desc = "The lookup came last.")
    @Outcome(expect = FORBIDDEN, desc = "It found the second subscription without the first.")
    public static class SubscribeAndMatch {
        private final CsTrie trie = new CsTrie();

        public SubscribeAndMatch() {
            trie.subscribe(STAR_X, 4);
            trie.subscribe(A_X, 4);
        }

        @Actor
        public void subscribe() {
            trie.subscribe(STAR_B, 1);
            trie.subscribe(A_B, 2);
        }

        @Actor
        public void match(I_Result result) {
            result.r1 = CsTrieStress.match(trie, TOPIC_A_B);
        }
    }

    /** Moves a subscription: the new pattern is added before the old one is removed, so each lookup has to find it. */
    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "The lookup came first.")
    @Outcome(id = "3", expect = ACCEPTABLE, desc = "The lookup came in between.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "The lookup came last.")
    @Outcome(expect = FORBIDDEN, desc = "It found neither.")
    public static class HandOverAndMatch {
        private final CsTrie trie = new CsTrie();

        public HandOverAndMatch() {
            trie.subscribe(STAR_X, 4);
            trie.subscribe(A_B, 2);
        }

        @Actor
        public void handOver() {
            trie.subscribe(STAR_B, 1);
            trie.unsubscribe(A_B, 2);
        }

        @Actor
        public void match(I_Result result) {
            result.r1 = CsTrieStress.match(trie, TOPIC_A_B);
        }
    }

    /** Adds two subscriptions, one after the other, while a snapshot is taken, which must not change afterwards. */
    @JCStressTest
    @State
    @Outcome(id = "0, 0, 3", expect = ACCEPTABLE, desc = "The snapshot came first.")
    @Outcome(id = "1, 1, 3", expect = ACCEPTABLE, desc = "The snapshot came in between.")
    @Outcome(id = "3, 3, 3", expect = ACCEPTABLE, desc = "The snapshot came last.")
    @Outcome(expect = FORBIDDEN, desc = "The snapshot is of no moment, or changed, or a subscription was lost.")
    public static class SnapshotAndSubscribe {
        private final CsTrie trie = new CsTrie();
        private CsTrie snapshot = trie;

        public SnapshotAndSubscribe() {
            trie.subscribe(STAR_X, 4);
            trie.subscribe(A_X, 4);
        }

        @Actor
        public void subscribe() {
            trie.subscribe(STAR_B, 1);
            trie.subscribe(A_B, 2);
        }

        @Actor
        public void snapshot(III_Result result) {
            snapshot = trie.snapshot();
            result.r1 = match(snapshot, TOPIC_A_B);
        }

        @Arbiter
        public void end(III_Result result) {
            result.r2 = match(snapshot, TOPIC_A_B);
            result.r3 = match(trie, TOPIC_A_B);
        }
    }

    /** Writes to the trie and to its new snapshot, so that both copy the node that they share. */
    @JCStressTest
    @State
    @Outcome(id = "5, 6", expect = ACCEPTABLE, desc = "The snapshot came first.")
    @Outcome(id = "5, 7", expect = ACCEPTABLE, desc = "The snapshot came last.")
    @Outcome(expect = FORBIDDEN, desc = "One sees what became of the other, or a subscription was lost.")
    public static class SnapshotAndTrieGoApart {
        private final CsTrie trie = new CsTrie();
        private CsTrie snapshot = trie;

        public SnapshotAndTrieGoApart() {
            trie.subscribe(A_B, 4);
        }

        @Actor
        public void subscribe() {
            trie.subscribe(A_STAR, 1);
        }

        @Actor
        public void snapshot() {
            snapshot = trie.snapshot();
            snapshot.subscribe(A_HASH, 2);
        }

        @Arbiter
        public void end(II_Result result) {
            result.r1 = match(trie, TOPIC_A_B);
            result.r2 = match(snapshot, TOPIC_A_B);
        }
    }

    private CsTrieStress() {}
}
