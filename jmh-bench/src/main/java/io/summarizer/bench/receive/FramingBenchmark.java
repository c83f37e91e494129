package io.summarizer.bench.receive;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.summarizer.core.bytes.Swar;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.SyslogTime;
import io.summarizer.core.receive.TopicRule;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures framing and envelope parsing for a read of 480 messages of about 125 bytes, including the copy of the
 * messages out of the read buffer. Also measures each of these parts separately.
 *
 * <pre>bin/bench jmh FramingBenchmark</pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FramingBenchmark {
    private static final int MESSAGES = 480;

    /** Format of the messages: RFC 5424 in lines, RFC 5424 in counted frames, or RFC 3164 in lines. */
    @Param({"rfc5424-lf", "rfc5424-octet", "rfc3164-lf"})
    public String stream = "rfc5424-lf";

    private byte[] read = {};
    private final MessageBatch batch = new MessageBatch(2 * MessageBatch.DEFAULT_BYTES);
    private final SyslogFramer framer =
            new SyslogFramer(Framing.AUTO, MessageBatch.DEFAULT_BYTES, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME));

    @Setup
    public void setup() {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < MESSAGES; i++) {
            String payload =
                    "1795132800000," + random.nextInt(200) + "," + random.nextInt(150) + "," + random.nextInt(1000)
                            + "," + random.nextInt(8) + "," + random.nextLong(1L << 40) + ",0.00"
                            + (1000 + random.nextInt(9000))
                            + ",0.000" + (100 + random.nextInt(900));
            String header = stream.startsWith("rfc5424")
                    ? "<134>1 2026-11-20T00:00:00.000000Z web03 adserver 4711 ad.impression - "
                    : "<134>Nov 20 00:00:00 web03 ad.impression[4711]: ";
            String message = header + payload;
            if (stream.endsWith("octet")) {
                text.append(message.length()).append(' ').append(message);
            } else {
                text.append(message).append('\n');
            }
        }
        read = text.toString().getBytes(US_ASCII);
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public int frameAndPeel() {
        batch.clear();
        framer.begin(batch);
        System.arraycopy(read, 0, batch.bytes(), 0, read.length);
        batch.limit(read.length);
        framer.frame(batch);
        framer.park(batch);
        return batch.count();
    }

    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public int lineEndsOnly() {
        int at = 0;
        int found = 0;
        while (true) {
            int lf = Swar.indexOfLf(read, at, read.length);
            if (lf < 0) {
                return found;
            }
            found++;
            at = lf + 1;
        }
    }

    @Benchmark
    public long readTime() {
        return SyslogTime.micros(read, 7, 27, ZoneOffset.UTC, SyslogTime.NO_YEAR, 1_795_132_800_000_000L);
    }
}
