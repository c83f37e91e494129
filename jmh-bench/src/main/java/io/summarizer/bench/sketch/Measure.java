package io.summarizer.bench.sketch;

import com.dynatrace.hash4j.distinctcount.HyperLogLog;
import com.dynatrace.hash4j.similarity.ElementHashProvider;
import com.dynatrace.hash4j.similarity.SimilarityHashPolicy;
import com.dynatrace.hash4j.similarity.SimilarityHasher;
import com.dynatrace.hash4j.similarity.SimilarityHashing;
import com.google.common.hash.Funnels;
import io.summarizer.bench.report.Figures;
import io.summarizer.bench.report.Numbers;
import io.summarizer.bench.state.Updates;
import io.summarizer.bench.state.Zipf;
import io.summarizer.core.sketch.MultisetArena;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import net.agkn.hll.HLL;
import org.jspecify.annotations.Nullable;

/** Measures one section of one contender, in a JVM of its own. Arguments: section, contender, number of elements. */
public final class Measure {
    /** The contenders of each section. */
    public static final List<String> FILTERS =
            List.of("bloom", "guava-bloom", "counting", "scalable", "stable", "inverse");

    /** Contenders that count distinct elements. */
    public static final List<String> DISTINCT = List.of("multiset64", "java-hll", "hash4j-hll", "bottom-k");

    /** Contenders that compare sets. */
    public static final List<String> SIMILARITY = List.of("minhash", "bottom-k");

    private static final double RATE = 0.01;
    private static final int STABLE_HASHES = 3;
    private static final int DEPTH = 4;
    private static final int LOG2M = 11;
    private static final int REGWIDTH = 5;
    /** Number of hashes that together take as many bits as the registers of the other contenders. */
    private static final int DISTINCT_K = (REGWIDTH << LOG2M) / 64;

    private static final int SIMILARITY_K = 128;
    private static final int TRIALS = 50;
    private static final int ROUNDS = 5;
    private static final int WARM_UPS = 2;

    private final String contender;
    private final int elements;

    private Measure(String contender, int elements) {
        this.contender = contender;
        this.elements = elements;
    }

    /** Runs a section. */
    public static void main(String[] arguments) {
        Measure measure = new Measure(arguments[1], Integer.parseInt(arguments[2]));
        switch (arguments[0]) {
            case "filters" -> measure.filters();
            case "frequencies" -> measure.frequencies();
            case "distinct" -> measure.distinct();
            case "similarity" -> measure.similarity();
            default -> throw new IllegalArgumentException("unknown section: " + arguments[0]);
        }
    }

    /** Element {@code number} of the stream of all sections: its 64-bit hash. */
    static long hash(long number) {
        return Updates.scatter(number - 1);
    }

    private void report(String figure, double value, String unit) {
        Figures.report(contender + '-' + figure, value, unit);
    }

    private Filter filter() {
        long bits = new BloomFilter(elements, RATE).bits();
        return switch (contender) {
            case "bloom" -> new BloomFilter(elements, RATE);
            case "guava-bloom" -> new GuavaFilter(elements, RATE);
            case "counting" -> new CountingBloomFilter(elements, RATE);
            case "scalable" -> new ScalableBloomFilter(elements / 16, RATE);
            case "stable" -> new StableBloomFilter(bits, 1, STABLE_HASHES, RATE);
            default -> new InverseBloomFilter(bits);
        };
    }

    private void filters() {
        long[] hashes = hashes(elements);
        times(this::filter, hashes, filter -> filter::add, filter -> filter::contains);
        Filter filter = filter();
        long added = 0;
        for (int members = elements / 8; members <= 4 * elements; members *= 2) {
            for (; added < members; added++) {
                filter.add(hash(added));
            }
            long strangers = 0;
            for (long i = 1; i <= elements; i++) {
                strangers += filter.contains(hash(-i)) ? 1 : 0;
            }
            report(members + "-false-positives", 100.0 * strangers / elements, "%");
            report("theory-" + members + "-false-positives", 100 * filter.falsePositives(), "%");
            if (members == elements) {
                report("bits", (double) filter.bits() / elements, "bits/element");
            }
        }
        int sample = elements / 100;
        for (long ago = sample; ago < added; ago *= 2) {
            long absent = 0;
            for (long i = 0; i < sample; i++) {
                absent += filter.contains(hash(added - ago + i)) ? 0 : 1;
            }
            report(ago + "-forgotten", 100.0 * absent / sample, "%");
            if (filter instanceof InverseBloomFilter inverse) {
                report("theory-" + ago + "-forgotten", 100 * inverse.forgotten(ago - sample / 2.0), "%");
            }
        }
    }

    private static long[] hashes(int count) {
        long[] hashes = new long[count];
        Arrays.setAll(hashes, Measure::hash);
        return hashes;
    }

    /** Reports medians of the times to add all elements, and to look all of them up if that is possible. */
    private <T> void times(
            Supplier<T> empty,
            long[] hashes,
            Function<T, LongConsumer> add,
            @Nullable Function<T, LongPredicate> lookUp) {
        double[] adds = new double[ROUNDS];
        double[] lookUps = new double[ROUNDS];
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            T sketch = empty.get();
            LongConsumer adder = add.apply(sketch);
            LongPredicate looker = lookUp == null ? hash -> false : lookUp.apply(sketch);
            long start = System.nanoTime();
            for (long hash : hashes) {
                adder.accept(hash);
            }
            long middle = System.nanoTime();
            int found = 0;
            for (long hash : hashes) {
                found += looker.test(hash) ? 1 : 0;
            }
            long end = System.nanoTime();
            Figures.keep(found);
            if (round >= 0) {
                adds[round] = (double) (middle - start) / hashes.length;
                lookUps[round] = (double) (end - middle) / hashes.length;
            }
        }
        report("add", Numbers.median(adds), "ns");
        if (lookUp != null) {
            report("look-up", Numbers.median(lookUps), "ns");
        }
    }

    private void frequencies() {
        int occurrences = 4 * elements;
        Zipf zipf = new Zipf(elements, 1.1);
        Random random = new Random(1);
        int[] counts = new int[elements];
        long[] stream = new long[occurrences];
        for (int i = 0; i < occurrences; i++) {
            int element = zipf.sample(random);
            counts[element]++;
            stream[i] = hash(element);
        }
        for (int width = 256; width <= 1 << 16; width *= 4) {
            CountMinSketch sketch = new CountMinSketch(width, DEPTH);
            for (long hash : stream) {
                sketch.add(hash);
            }
            double[] errors = new double[elements];
            for (int i = 0; i < elements; i++) {
                errors[i] = sketch.estimate(hash(i)) - counts[i];
            }
            Arrays.sort(errors);
            double bounded = errors[(int) ((1 - Math.exp(-DEPTH)) * elements)];
            report(width + "-median-error", 100 * errors[elements / 2] / occurrences, "% of all counts");
            report(width + "-error", 100 * bounded / occurrences, "% of all counts");
            report("theory-" + width + "-error", 100 * Math.E / width, "% of all counts");
            report(width + "-bits", (double) sketch.bits() / elements, "bits/element");
        }
        times(
                () -> new CountMinSketch(1 << 12, DEPTH),
                stream,
                sketch -> sketch::add,
                sketch -> hash -> sketch.estimate(hash) > 1);
    }

    /** Adds one element at a time, and estimates the number of different elements so far. */
    private record Counter(LongConsumer adder, DoubleSupplier estimate, double theory, double bits) {}

    private Counter counter() {
        double theory = 1.04 / Math.sqrt(1 << LOG2M);
        long registers = (long) REGWIDTH << LOG2M;
        switch (contender) {
            case "multiset64" -> {
                MultisetArena arena = new MultisetArena(LOG2M, REGWIDTH);
                int[] handle = new int[1];
                return new Counter(
                        hash -> handle[0] = arena.add(handle[0], hash),
                        () -> arena.freeze().cardinality(handle[0]),
                        theory,
                        registers);
            }
            case "java-hll" -> {
                HLL hll = new HLL(LOG2M, REGWIDTH);
                return new Counter(hll::addRaw, hll::cardinality, theory, registers);
            }
            case "hash4j-hll" -> {
                HyperLogLog hll = HyperLogLog.create(LOG2M);
                return new Counter(hll::add, hll::getDistinctCountEstimate, theory, 8L * hll.getState().length);
            }
            default -> {
                BottomK sketch = new BottomK(DISTINCT_K);
                return new Counter(sketch::add, sketch::distinct, 1 / Math.sqrt(DISTINCT_K - 2), sketch.bits());
            }
        }
    }

    private void distinct() {
        int sizes = 4;
        double[] squares = new double[sizes];
        for (int trial = 0; trial < TRIALS; trial++) {
            Counter counter = counter();
            long first = (long) trial * elements;
            long number = first;
            for (int size = 0; size < sizes; size++) {
                long distinct = size(size);
                for (; number < first + distinct; number++) {
                    counter.adder.accept(hash(number));
                }
                double error = counter.estimate.getAsDouble() / distinct - 1;
                squares[size] += error * error;
            }
        }
        Counter counter = counter();
        for (int size = 0; size < sizes; size++) {
            report(size(size) + "-error", 100 * Math.sqrt(squares[size] / TRIALS), "%");
            report("theory-" + size(size) + "-error", 100 * counter.theory, "%");
        }
        report("bits", counter.bits, "bits");
        times(this::counter, hashes(elements), Counter::adder, null);
    }

    /**
     * Number of distinct elements at a step. At the last step, this is a tenth of all elements; at any other step, it
     * is a tenth of the number at the next step.
     */
    private long size(int step) {
        return (long) (elements / Math.pow(10, 4 - step));
    }

    private void similarity() {
        int size = elements / 200;
        SimilarityHashPolicy policy = SimilarityHashing.minHash(SIMILARITY_K, 64);
        SimilarityHasher hasher = policy.createHasher();
        boolean isMinHash = contender.equals("minhash");
        long nanos = 0;
        long added = 0;
        long first = 0;
        for (int tenths = 1; tenths < 10; tenths++) {
            // Each set has size elements; common is the number of elements that are in both sets.
            int common = (int) Math.round(2.0 * size * tenths / (10 + tenths));
            double exact = (double) common / (2 * size - common);
            double squares = 0;
            for (int trial = 0; trial < TRIALS; trial++) {
                long begin = first;
                long other = first + size - common;
                first = other + size;
                long start = System.nanoTime();
                double estimate;
                if (isMinHash) {
                    estimate = policy.getFractionOfEqualComponents(
                            hasher.compute(ElementHashProvider.ofFunction(i -> hash(begin + i), size)),
                            hasher.compute(ElementHashProvider.ofFunction(i -> hash(other + i), size)));
                } else {
                    estimate = bottomK(begin, size).similarity(bottomK(other, size));
                }
                nanos += System.nanoTime() - start;
                added += 2L * size;
                squares += (estimate - exact) * (estimate - exact);
            }
            report(10 * tenths + "-error", Math.sqrt(squares / TRIALS), "Jaccard");
            report("theory-" + 10 * tenths + "-error", Math.sqrt(exact * (1 - exact) / SIMILARITY_K), "Jaccard");
        }
        report("add", (double) nanos / added, "ns");
        report("bits", 64.0 * SIMILARITY_K, "bits");
    }

    private static BottomK bottomK(long begin, int size) {
        BottomK sketch = new BottomK(SIMILARITY_K);
        for (int i = 0; i < size; i++) {
            sketch.add(hash(begin + i));
        }
        return sketch;
    }

    /** The Bloom filter of Guava. */
    private static final class GuavaFilter implements Filter {
        private final com.google.common.hash.BloomFilter<Long> filter;
        private final long bits;

        GuavaFilter(int capacity, double rate) {
            filter = com.google.common.hash.BloomFilter.create(Funnels.longFunnel(), capacity, rate);
            bits = new BloomFilter(capacity, rate).bits(); // by the same formula
        }

        @Override
        public void add(long hash) {
            filter.put(hash);
        }

        @Override
        public boolean contains(long hash) {
            return filter.mightContain(hash);
        }

        @Override
        public long bits() {
            return bits;
        }

        @Override
        public double falsePositives() {
            return filter.expectedFpp();
        }
    }
}
