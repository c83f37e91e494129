package io.summarizer.bench.topics;

import io.summarizer.bench.topics.Workload.TopicBytes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One lookup among 2,000 patterns of 3 to 7 words, 10 % {@code *} and 1 % {@code #}, with uniform or skewed topics.
 * {@code bin/bench topics} compares all matchers on more work; this looks at one: {@code bin/bench jmh
 * TopicMatcherBenchmark -p contender=cs-trie -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TopicMatcherBenchmark {
    private static final int PATTERNS = 2_000;
    private static final int TOPICS = 1 << 18;

    /** One of the labels of {@link Contender}; bitmaps hold the patterns without {@code #} only. */
    @Param({"trie", "cs-trie", "nfa", "lazy-dfa", "ours", "ours-cached", "moquette"})
    String contender = "cs-trie";

    /** Number of words for each position of a topic. */
    @Param({"10", "100"})
    int wordsPerLevel = 10;

    /** Whether some topics are far more frequent than others. */
    @Param({"false", "true"})
    boolean skewed;

    private final Matches found = new Matches();
    private TopicMatcher matcher = new NaiveMatcher();
    private byte[] text = {};
    private int[] starts = {};
    private int next;

    @Setup
    public void fill() {
        Workload workload = new Workload(wordsPerLevel, wordsPerLevel);
        List<String> patterns = workload.patterns(PATTERNS, 3, 7, 0.1, 0.01);
        TopicBytes topics = skewed ? workload.zipf(TOPICS, 100_000, 3, 7) : workload.uniform(TOPICS, 3, 7);
        Contender chosen = Contender.of(contender);
        matcher = chosen.matcher(List.of(), 7);
        for (int i = 0; i < PATTERNS; i++) {
            if (chosen.takesHash() || !patterns.get(i).contains("#")) {
                matcher.subscribe(Pattern.of(patterns.get(i)), i);
            }
        }
        text = topics.text;
        starts = topics.starts;
    }

    /** Returns the number of subscribers found, for JMH to keep. */
    @Benchmark
    public int match() {
        int topic = next;
        next = (topic + 1) & (TOPICS - 1);
        matcher.match(text, starts[topic], starts[topic + 1] - starts[topic], found);
        return found.size();
    }
}
