package io.summarizer.bench.topics;

import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.topics.Workload.TopicBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * The sections of {@code bin/bench topics}. Every figure is the median of several rounds after warm-up rounds. A round
 * lasts for a fixed time, or for one operation per pattern.
 */
public final class Measure {
    private static final int LOOKUPS_AT_ONCE = 1_000;
    private static final int TREAT_SUBSCRIPTIONS = 1_000;
    private static final int TREAT_WORDS = 5;
    private static final String TREAT_PATTERN = "foo.*.baz.qux.quux";
    private static final String TREAT_TOPIC = "foo.bar.baz.qux.quux";
    private static final int IN_FLIGHT = 64;
    private static final int CHECKED_TOPICS = 2_000;
    private static final int COPIES = 10;

    private final boolean quick;
    private final List<Contender> contenders;
    private final long roundNanos;
    private final int rounds;
    private final int warmUps;

    private Measure(boolean quick, List<Contender> contenders) {
        this.quick = quick;
        this.contenders = contenders;
        roundNanos = quick ? 20_000_000 : 200_000_000;
        rounds = quick ? 1 : 7;
        warmUps = quick ? 1 : 4;
    }

    /**
     * Runs the section that the first argument names. If the second argument is {@code quick}, the run is a smoke test.
     * The other arguments name the contenders.
     */
    public static void main(String[] arguments) throws Exception {
        List<Contender> contenders =
                Arrays.stream(arguments).skip(2).map(Contender::of).toList();
        Measure measure = new Measure(arguments[1].equals("quick"), contenders);
        switch (arguments[0]) {
            case "rabbitmq" -> measure.rabbitmq();
            case "growth" -> measure.growth();
            case "treat" -> measure.treat();
            case "threads" -> measure.threads();
            default -> throw new IllegalArgumentException("no section " + arguments[0]);
        }
    }

    /** Labels of all contenders. */
    public static List<String> contenders() {
        return Arrays.stream(Contender.values()).map(Contender::label).toList();
    }

    /**
     * Repeats RabbitMQ's measurement: a million topics, and 2,000 patterns of 3 to 7 words. Of these words, 10 % are
     * {@code *} and 1 % are {@code #}.
     */
    private void rabbitmq() {
        int count = quick ? 20_000 : 1_000_000;
        for (int words : new int[] {10, 100}) {
            Workload workload = new Workload(words, words);
            List<String> patterns = workload.patterns(2_000, 3, 7, 0.1, 0.01);
            TopicBytes uniform = workload.uniform(count, 3, 7);
            TopicBytes zipf = workload.zipf(count, 100_000, 3, 7);
            for (Contender contender : contenders) {
                if (contender == Contender.INVERTED_BITMAP) {
                    continue; // would need a bitmap for each topic
                }
                TopicMatcher matcher = filled(contender, List.of(), 7, patterns);
                check(contender, matcher, patterns, uniform);
                String name = contender.label() + "-" + words + "-words";
                lookups(name + "-uniform", matcher, uniform);
                lookups(name + "-zipf", matcher, zipf);
            }
        }
    }

    /** Measures time and memory for 500 to 16,000 patterns, with 100 words per level. */
    private void growth() {
        int count = quick ? 20_000 : 1_000_000;
        for (int size = 500; size <= 16_000; size *= 2) {
            Workload workload = new Workload(size, 100);
            List<String> patterns = workload.patterns(size, 3, 7, 0.1, 0.01);
            TopicBytes topics = workload.uniform(count, 3, 7);
            for (Contender contender : contenders) {
                if (contender != Contender.INVERTED_BITMAP) {
                    String name = contender.label() + "-" + size + "-patterns";
                    TopicMatcher matcher = filled(contender, List.of(), 7, patterns);
                    lookups(name, matcher, topics);
                    memory(name, () -> filled(contender, List.of(), 7, patterns), size);
                }
            }
        }
    }

    /**
     * Repeats Treat's measurements. The first measurement repeatedly looks up one topic, which matches one
     * subscription. In the cold case, there is no other subscription; in the hot case, there are 1,000 random
     * subscriptions of 5 words. The second looks up the 100,000 messages of his throughput measurement, with his
     * subscriptions of 3 words. The third is like the load of a broker: it looks up 10,000 topics in turn, with 1,000
     * subscriptions.
     */
    private void treat() {
        Workload workload = new Workload(5, 100);
        List<String> numbers = workload.numbers(2 * TREAT_SUBSCRIPTIONS, TREAT_WORDS);
        List<String> first = numbers.subList(0, TREAT_SUBSCRIPTIONS);
        List<String> second = numbers.subList(TREAT_SUBSCRIPTIONS, numbers.size());
        TopicBytes topic = new TopicBytes(List.of(TREAT_TOPIC));
        List<String> space = new ArrayList<>(numbers);
        space.add(TREAT_TOPIC);
        for (Contender contender : contenders) {
            String name = contender.label();
            TopicMatcher matcher = contender.matcher(space, TREAT_WORDS);
            changes(name + "-cold", matcher, parsed(first));
            matcher.subscribe(Pattern.of(TREAT_PATTERN), TREAT_SUBSCRIPTIONS);
            lookups(name + "-cold", matcher, topic);
            subscribeAll(matcher, first);
            lookups(name + "-hot", matcher, topic);
            changes(name + "-hot", matcher, parsed(second));
            memory(name + "-hot", () -> filled(contender, space, TREAT_WORDS, first), TREAT_SUBSCRIPTIONS);
        }
        List<String> digits = workload.digits(TREAT_SUBSCRIPTIONS);
        brokerLookups("throughput", digits, workload.matching(digits, 100_000));
        List<String> patterns = workload.patterns(TREAT_SUBSCRIPTIONS, TREAT_WORDS, TREAT_WORDS, 0.1, 0);
        brokerLookups("10000-topics", patterns, workload.matching(patterns, 10_000));
    }

    private void brokerLookups(String name, List<String> patterns, TopicBytes topics) {
        List<String> space = topics.all();
        for (Contender contender : contenders) {
            TopicMatcher matcher = filled(contender, space, TREAT_WORDS, patterns);
            check(contender, matcher, patterns, topics);
            lookups(contender.label() + "-" + name, matcher, topics);
        }
    }

    /**
     * Measures one matcher that threads share. Each thread looks up topics. In a given share of the operations, the
     * thread instead adds or removes a subscription.
     */
    private void threads() throws Exception {
        Workload workload = new Workload(7, 100);
        List<String> base = workload.patterns(TREAT_SUBSCRIPTIONS, TREAT_WORDS, TREAT_WORDS, 0.1, 0);
        TopicBytes topics = workload.matching(base, 10_000);
        int most = Math.max(4, 2 * Runtime.getRuntime().availableProcessors());
        List<List<Pattern>> own = new ArrayList<>();
        for (int i = 0; i < most; i++) {
            own.add(parsed(workload.patterns(4_096, TREAT_WORDS, TREAT_WORDS, 0.1, 0)));
        }
        List<String> space = topics.all();
        for (int writes : new int[] {0, 10, 50}) {
            for (int threads = 1; threads <= most; threads *= 2) {
                for (Contender contender : contenders) {
                    TopicMatcher matcher = contender.shared(space, TREAT_WORDS);
                    subscribeAll(matcher, base);
                    String name = contender.label() + "-" + writes + "-writes-" + threads + "-threads";
                    double[] measured = new double[rounds];
                    List<Mix> mixes = new ArrayList<>();
                    for (int i = 0; i < threads; i++) {
                        mixes.add(new Mix(matcher, topics, own.get(i), writes, i));
                    }
                    for (int round = -warmUps; round < rounds; round++) {
                        double throughput = together(mixes);
                        if (round >= 0) {
                            measured[round] = throughput;
                        }
                    }
                    Figures.report(name, Numbers.median(measured) / 1e6, "M ops/s");
                }
            }
        }
    }

    /**
     * The operations of one thread. At first, all changes add subscriptions. Once the thread has enough subscriptions,
     * additions and removals alternate.
     */
    private final class Mix {
        private final TopicMatcher matcher;
        private final TopicBytes topics;
        private final List<Pattern> own;
        private final int writes;
        private final int subscriber;
        private final Matches found = new Matches();
        private int topic;
        private int added;
        private int removed;
        private int turn;

        Mix(TopicMatcher matcher, TopicBytes topics, List<Pattern> own, int writes, int number) {
            this.matcher = matcher;
            this.topics = topics;
            this.own = own;
            this.writes = writes;
            subscriber = 1_000_000 + number;
            topic = 1_237 * number % topics.count();
        }

        /** Returns operations per second. */
        double run() {
            long start = System.nanoTime();
            long operations = 0;
            long nanos;
            do {
                for (int i = 0; i < 100; i++) {
                    turn += writes;
                    if (turn >= 100) {
                        turn -= 100;
                        change();
                    } else {
                        topic = topic + 1 == topics.count() ? 0 : topic + 1;
                        int at = topics.starts[topic];
                        matcher.match(topics.text, at, topics.starts[topic + 1] - at, found);
                    }
                }
                operations += 100;
                nanos = System.nanoTime() - start;
            } while (nanos < roundNanos);
            return operations * 1e9 / nanos;
        }

        private void change() {
            if (added - removed < IN_FLIGHT) {
                matcher.subscribe(own.get(added % own.size()), subscriber);
                added++;
            } else {
                matcher.unsubscribe(own.get(removed % own.size()), subscriber);
                removed++;
            }
        }
    }

    private static double together(List<Mix> mixes) throws InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(mixes.size());
        try {
            CyclicBarrier start = new CyclicBarrier(mixes.size());
            List<Future<Double>> running = new ArrayList<>();
            for (Mix mix : mixes) {
                running.add(executor.submit(() -> {
                    start.await();
                    return mix.run();
                }));
            }
            double sum = 0;
            for (Future<Double> one : running) {
                sum += one.get();
            }
            return sum;
        } finally {
            executor.shutdownNow();
        }
    }

    private static TopicMatcher filled(
            Contender contender, Collection<String> space, int words, List<String> patterns) {
        TopicMatcher matcher = contender.matcher(space, words);
        subscribeAll(matcher, contender.takesHash() ? patterns : withoutHash(patterns));
        return matcher;
    }

    private static List<String> withoutHash(List<String> patterns) {
        return patterns.stream().filter(pattern -> !pattern.contains("#")).toList();
    }

    private static void subscribeAll(TopicMatcher matcher, List<String> patterns) {
        int subscriber = 0;
        for (String pattern : patterns) {
            matcher.subscribe(Pattern.of(pattern), subscriber++);
        }
    }

    private static List<Pattern> parsed(List<String> patterns) {
        return patterns.stream().map(Pattern::of).toList();
    }

    /** Checks before a measurement that a matcher finds as many subscriptions as the naive matcher. */
    private static void check(Contender contender, TopicMatcher matcher, List<String> patterns, TopicBytes topics) {
        if (contender == Contender.MOQUETTE) {
            return; // another meaning of # inside patterns
        }
        TopicMatcher naive =
                filled(Contender.NAIVE, List.of(), 0, contender.takesHash() ? patterns : withoutHash(patterns));
        Matches found = new Matches();
        Matches expected = new Matches();
        for (int i = 0; i < Math.min(CHECKED_TOPICS, topics.count()); i++) {
            int at = topics.starts[i];
            int length = topics.starts[i + 1] - at;
            matcher.match(topics.text, at, length, found);
            naive.match(topics.text, at, length, expected);
            if (found.size() != expected.size()) {
                throw new IllegalStateException(contender.label() + " finds " + found.size() + " for " + topics.get(i)
                        + ", and naive finds " + expected.size());
            }
        }
    }

    private void lookups(String name, TopicMatcher matcher, TopicBytes topics) {
        Matches found = new Matches();
        double[] nanos = new double[rounds];
        double[] bytes = new double[rounds];
        int topic = 0;
        long matches = 0;
        long all = 0;
        for (int round = -warmUps; round < rounds; round++) {
            long allocated = Figures.allocatedBytes();
            long start = System.nanoTime();
            long passed;
            int lookups = 0;
            do {
                for (int i = 0; i < LOOKUPS_AT_ONCE; i++) {
                    int at = topics.starts[topic];
                    matcher.match(topics.text, at, topics.starts[topic + 1] - at, found);
                    matches += found.size();
                    topic = topic + 1 == topics.count() ? 0 : topic + 1;
                }
                lookups += LOOKUPS_AT_ONCE;
                passed = System.nanoTime() - start;
            } while (passed < roundNanos);
            all += lookups;
            if (round >= 0) {
                nanos[round] = (double) passed / lookups;
                bytes[round] = (double) (Figures.allocatedBytes() - allocated) / lookups;
            }
        }
        Figures.report(name + "-lookup", Numbers.median(nanos), "ns");
        Figures.report(name + "-lookup-allocates", Numbers.median(bytes), "bytes");
        Figures.report(name + "-lookup-finds", (double) matches / all, "subscriptions");
    }

    /** Measures the time to add all patterns, and to remove them. */
    private void changes(String name, TopicMatcher matcher, List<Pattern> patterns) {
        if (matcher instanceof RebuiltMatcher) {
            rebuilds(name, matcher, patterns);
            return;
        }
        int repeats = quick ? 3 : 200;
        double[] adding = new double[repeats];
        double[] removing = new double[repeats];
        for (int i = -repeats; i < repeats; i++) {
            long start = System.nanoTime();
            for (Pattern pattern : patterns) {
                matcher.subscribe(pattern, -1);
            }
            long added = System.nanoTime();
            for (Pattern pattern : patterns) {
                matcher.unsubscribe(pattern, -1);
            }
            long removed = System.nanoTime();
            if (i >= 0) {
                adding[i] = (double) (added - start) / patterns.size();
                removing[i] = (double) (removed - added) / patterns.size();
            }
        }
        Figures.report(name + "-subscribe", Numbers.median(adding), "ns");
        Figures.report(name + "-unsubscribe", Numbers.median(removing), "ns");
    }

    /** Measures the time to add a subscription and then look up a topic; this lookup compiles all patterns again. */
    private void rebuilds(String name, TopicMatcher matcher, List<Pattern> patterns) {
        double[] micros = new double[quick ? 3 : 200];
        Matches found = new Matches();
        for (int i = -micros.length; i < micros.length; i++) {
            Pattern pattern = patterns.get((i + micros.length) % patterns.size());
            long start = System.nanoTime();
            matcher.subscribe(pattern, -1);
            matcher.match(new byte[0], 0, 0, found);
            long added = System.nanoTime();
            matcher.unsubscribe(pattern, -1);
            if (i >= 0) {
                micros[i] = (added - start) / 1e3;
            }
        }
        Figures.report(name + "-rebuild", Numbers.median(micros), "us");
    }

    /**
     * Measures the memory of a matcher. Makes several copies of it, because changes in the JVM's own memory would
     * disturb the figure of one copy.
     */
    private static void memory(String name, Supplier<TopicMatcher> filled, int subscriptions) {
        TopicMatcher[] copies = new TopicMatcher[COPIES];
        long before = Figures.liveBytes();
        for (int i = 0; i < COPIES; i++) {
            copies[i] = filled.get();
            copies[i].match(new byte[0], 0, 0, new Matches()); // memory that the first lookup takes counts
            if (copies[i] instanceof MoquetteMatcher moquette) {
                moquette.forgetTranslations();
            }
        }
        double bytes = Figures.liveBytes() - before;
        Figures.report(name + "-memory", bytes / COPIES / subscriptions, "bytes/subscription");
        Figures.keep(copies);
    }
}
