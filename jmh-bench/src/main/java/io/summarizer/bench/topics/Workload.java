package io.summarizer.bench.topics;

import io.summarizer.bench.state.Zipf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Makes patterns and topics for measurements from a seed. For one seed, all matchers and all runs get the same patterns
 * and topics.
 */
final class Workload {
    private final Random random;
    private final int wordsPerLevel;

    /**
     * Makes a workload.
     *
     * @param wordsPerLevel number of words to choose from at each position of a topic or pattern
     */
    Workload(long seed, int wordsPerLevel) {
        random = new Random(seed);
        this.wordsPerLevel = wordsPerLevel;
    }

    /** Topics one after the other in one array, like received bytes. */
    static final class TopicBytes {
        final byte[] text;
        final int[] starts;

        TopicBytes(List<String> topics) {
            byte[][] parts = topics.stream()
                    .map(topic -> topic.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
            starts = new int[parts.length + 1];
            for (int i = 0; i < parts.length; i++) {
                starts[i + 1] = starts[i] + parts[i].length;
            }
            text = new byte[starts[parts.length]];
            for (int i = 0; i < parts.length; i++) {
                System.arraycopy(parts[i], 0, text, starts[i], parts[i].length);
            }
        }

        int count() {
            return starts.length - 1;
        }

        List<String> all() {
            return IntStream.range(0, count()).mapToObj(this::get).toList();
        }

        String get(int index) {
            return new String(text, starts[index], starts[index + 1] - starts[index], StandardCharsets.UTF_8);
        }
    }

    /**
     * Makes distinct patterns. {@code stars} and {@code hashes} are the shares of words that are {@code *} and
     * {@code #}.
     */
    List<String> patterns(int count, int leastWords, int mostWords, double stars, double hashes) {
        Set<String> patterns = new HashSet<>();
        List<String> inOrder = new ArrayList<>();
        while (inOrder.size() < count) {
            String[] words = words(leastWords, mostWords);
            for (int i = 0; i < words.length; i++) {
                double share = random.nextDouble();
                if (share < hashes) {
                    words[i] = "#";
                } else if (share < hashes + stars) {
                    words[i] = "*";
                }
            }
            String pattern = String.join(".", words);
            if (patterns.add(pattern)) {
                inOrder.add(pattern);
            }
        }
        return inOrder;
    }

    /** Makes patterns like Treat's: without wildcards, with long random numbers as words. */
    List<String> numbers(int count, int words) {
        String[] patterns = new String[count];
        Arrays.setAll(patterns, i -> {
            String[] parts = new String[words];
            Arrays.setAll(parts, j -> Long.toString(random.nextLong() >>> 1));
            return String.join(".", parts);
        });
        return List.of(patterns);
    }

    /**
     * Makes {@code count} patterns as in Treat's throughput measurement: three words, each a digit or {@code *}.
     * Returns the distinct patterns.
     */
    List<String> digits(int count) {
        Set<String> patterns = new LinkedHashSet<>();
        int left = count;
        for (int i = 0; left > 0; i++, left--) {
            int star = i % 10 == 0 ? 0 : i % 25 == 0 ? 1 : i % 45 == 0 ? 2 : -1;
            String[] parts = new String[3];
            Arrays.setAll(parts, j -> j == star ? "*" : Integer.toString(random.nextInt(10)));
            patterns.add(String.join(".", parts));
        }
        return List.copyOf(patterns);
    }

    /** Makes topics whose words are all equally likely. */
    TopicBytes uniform(int count, int leastWords, int mostWords) {
        String[] topics = new String[count];
        Arrays.setAll(topics, i -> String.join(".", words(leastWords, mostWords)));
        return new TopicBytes(Arrays.asList(topics));
    }

    /**
     * Makes topics from a pool of {@code distinct} topics. The topic of rank r has a probability proportional to
     * r^-1.1.
     */
    TopicBytes zipf(int count, int distinct, int leastWords, int mostWords) {
        String[] pool = new String[distinct];
        Arrays.setAll(pool, i -> String.join(".", words(leastWords, mostWords)));
        Zipf ranks = new Zipf(distinct, 1.1);
        String[] topics = new String[count];
        Arrays.setAll(topics, i -> pool[ranks.sample(random)]);
        return new TopicBytes(Arrays.asList(topics));
    }

    /**
     * Makes topics that match these patterns. Each topic is made from a random pattern, with words in place of the
     * wildcards.
     */
    TopicBytes matching(List<String> patterns, int count) {
        String[] topics = new String[count];
        Arrays.setAll(topics, i -> {
            String[] words = patterns.get(random.nextInt(patterns.size())).split("\\.", -1);
            for (int j = 0; j < words.length; j++) {
                if (words[j].equals("*") || words[j].equals("#")) {
                    words[j] = word(j);
                }
            }
            return String.join(".", words);
        });
        return new TopicBytes(Arrays.asList(topics));
    }

    private String[] words(int least, int most) {
        String[] words = new String[least + random.nextInt(most - least + 1)];
        Arrays.setAll(words, this::word);
        return words;
    }

    /** Makes a word. Each position has words of its own, as in real topics. */
    private String word(int level) {
        return (char) ('a' + level % 26) + "w" + random.nextInt(wordsPerLevel);
    }
}
