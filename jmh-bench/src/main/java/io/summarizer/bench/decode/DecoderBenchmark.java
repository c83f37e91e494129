package io.summarizer.bench.decode;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the time per event from the payload to the fields that {@code schemas/ads.summ} uses. For the flat CSV of
 * v1, generated decoders are compared with {@code String.split}. For the nested JSON of v2, they are compared with
 * Jackson's tree and with databind. Before the measurement, all contenders must read the same fields from every
 * message. {@code bin/bench jmh DecoderBenchmark -prof gc}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class DecoderBenchmark {
    private static final int EVENTS = 8192;

    /** The flat workload. */
    @State(Scope.Thread)
    public static class Csv {
        @SuppressWarnings("NullAway.Init") // JMH calls setUp first
        Contender generated;

        @SuppressWarnings("NullAway.Init") // likewise
        Contender split;

        /** Makes and compares the contenders. */
        @Setup
        public void setUp() throws IOException {
            AdPayloads payloads = AdPayloads.of(false, EVENTS);
            generated = new GeneratedDecoder(payloads);
            split = new SplitDecoder(payloads);
            Contender.check(List.of(generated, split), EVENTS);
        }
    }

    /** The nested workload. */
    @State(Scope.Thread)
    public static class Json {
        @SuppressWarnings("NullAway.Init") // JMH calls setUp first
        Contender generated;

        @SuppressWarnings("NullAway.Init") // likewise
        Contender tree;

        @SuppressWarnings("NullAway.Init") // likewise
        Contender databind;

        /** Makes and compares the contenders. */
        @Setup
        public void setUp() throws IOException {
            AdPayloads payloads = AdPayloads.of(true, EVENTS);
            generated = new GeneratedDecoder(payloads);
            tree = new TreeDecoder(payloads);
            databind = new DatabindDecoder(payloads);
            Contender.check(List.of(generated, tree, databind), EVENTS);
        }
    }

    /** The product, CSV. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long csvGenerated(Csv csv) throws IOException {
        return all(csv.generated);
    }

    /** {@code String.split} and {@code parseLong}. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long csvSplit(Csv csv) throws IOException {
        return all(csv.split);
    }

    /** The product, JSON. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long jsonGenerated(Json json) throws IOException {
        return all(json.generated);
    }

    /** Jackson's {@code readTree}. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long jsonTree(Json json) throws IOException {
        return all(json.tree);
    }

    /** Jackson's {@code readValue} into records. */
    @Benchmark
    @OperationsPerInvocation(EVENTS)
    public long jsonDatabind(Json json) throws IOException {
        return all(json.databind);
    }

    private static long all(Contender contender) throws IOException {
        long digest = 0;
        for (int message = 0; message < EVENTS; message++) {
            digest += contender.decode(message);
        }
        return digest;
    }
}
