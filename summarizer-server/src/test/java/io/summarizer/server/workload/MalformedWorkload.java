package io.summarizer.server.workload;

import io.summarizer.core.message.RejectReason;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reference workload with a defect in every hundredth line, of each {@link Defect} in turn: v1 and v2 events
 * alternate, with LF framing. It knows the expected counts and the expected rejections. Immutable; may be shared.
 *
 * <p>The expected reasons are those for definitions that use the keys, users and costs of the events, as {@code
 * schemas/ads.summ} does.
 */
public final class MalformedWorkload {
    /** One line in so many has a defect, the last of each run. */
    public static final int PERIOD = 100;

    private static final Defect[] DEFECTS = Defect.values();

    private final AdsWorkload flat;
    private final AdsWorkload nested;
    private final int oversizeBytes;

    /**
     * Makes a workload.
     *
     * @param maxMessageBytes bound on message size of the listener that takes the lines; at least 1,024
     */
    public MalformedWorkload(long seed, int maxMessageBytes) {
        if (maxMessageBytes < AdEncoder.LINE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "maxMessageBytes=" + maxMessageBytes + " is less than " + AdEncoder.LINE_BYTES_MAX);
        }
        flat = AdsWorkload.v1(seed);
        nested = AdsWorkload.v2(seed);
        oversizeBytes = maxMessageBytes + 1;
    }

    /** The defect of line {@code index}, or null when it has none. */
    public @Nullable Defect defect(long index) {
        return index % PERIOD == PERIOD - 1 ? inTurn(index) : null;
    }

    private static Defect inTurn(long index) {
        return DEFECTS[(int) (index / PERIOD % DEFECTS.length)];
    }

    /**
     * Writes the first {@code lines} lines, those with defects included, each with an LF. Does not flush or close
     * {@code out}.
     */
    public void writeTo(OutputStream out, long lines) throws IOException {
        Lines source = new Lines();
        for (long index = 0; index < lines; index++) {
            out.write(source.line(index));
            out.write('\n');
        }
    }

    /** The bytes of one line, without the LF. */
    public byte[] line(long index) {
        return new Lines().line(index);
    }

    /**
     * Passes the events of the good ones among the first {@code lines} lines to {@code consumer}, always in one of two
     * {@link AdEvent}s.
     */
    public void forEachGood(long lines, Consumer<AdEvent> consumer) {
        Lines source = new Lines();
        for (long index = 0; index < lines; index++) {
            if (defect(index) == null) {
                consumer.accept(source.event(index, index % 2 != 0));
            }
        }
    }

    /**
     * Passes the bytes of the lines with defects among the first {@code lines} lines to {@code consumer}, without their
     * LF.
     */
    public void forEachBroken(long lines, BrokenLine consumer) {
        forEachBroken(0, lines / PERIOD, consumer);
    }

    /**
     * Passes the bytes of the lines with defects from number {@code from} to before {@code to} to {@code consumer},
     * counting these lines alone.
     */
    public void forEachBroken(long from, long to, BrokenLine consumer) {
        Lines source = new Lines();
        for (long broken = from; broken < to; broken++) {
            long index = broken * PERIOD + PERIOD - 1;
            consumer.accept(source.line(index), inTurn(index));
        }
    }

    /** Number of the first {@code lines} lines that must be rejected, by reason. */
    public Map<RejectReason, Long> rejected(long lines) {
        Map<RejectReason, Long> counts = new EnumMap<>(RejectReason.class);
        for (int i = 0; i < DEFECTS.length; i++) {
            long before = lines / PERIOD;
            counts.merge(DEFECTS[i].reason(), (before + DEFECTS.length - 1 - i) / DEFECTS.length, Long::sum);
        }
        return counts;
    }

    /** Receives a line with a defect. */
    @FunctionalInterface
    public interface BrokenLine {
        void accept(byte[] line, Defect defect);
    }

    /** Readers and a buffer for one pass. */
    private final class Lines {
        private final AdsWorkload.Reader flatReader = flat.reader();
        private final AdsWorkload.Reader nestedReader = nested.reader();
        private final AsciiBuffer buffer = new AsciiBuffer(AdEncoder.LINE_BYTES_MAX);

        AdEvent event(long index, boolean isNested) {
            return (isNested ? nestedReader : flatReader).read(index);
        }

        byte[] line(long index) {
            Defect defect = defect(index);
            buffer.length = 0;
            AdEncoder.encode(event(index, defect == null ? index % 2 != 0 : defect.nested()), buffer);
            int length = buffer.length - 1;
            if (defect == null) {
                return Arrays.copyOf(buffer.bytes, length);
            }
            String good = new String(buffer.bytes, 0, length, StandardCharsets.US_ASCII);
            return AsciiBuffer.ascii(defect.damage(good, oversizeBytes));
        }
    }
}
