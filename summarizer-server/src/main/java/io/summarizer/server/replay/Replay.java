package io.summarizer.server.replay;

import io.summarizer.core.message.RejectReason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of a file or of standard input. If no framing is given, each message is sent in the framing that a
 * listener with {@code framing: auto} reads correctly. So when messages that such a listener rejected and kept are sent
 * again, they arrive unchanged. If neither new framing nor a rate is needed, a file goes from the page cache to the
 * socket without passing through this process.
 */
public final class Replay {
    private static final int SEND_BYTES = 64 * 1024;
    private static final long TRANSFER_BYTES = 1 << 20;
    private static final String TORN = "as a line it would be torn, or taken for something else;"
            + " a listener with framing octet takes it with --framing octet";
    private static final Pattern REFUSED = Pattern.compile(
            "(" + RejectReason.FRAME.label() + "|" + RejectReason.OVERSIZE.label() + ")(\\.\\d+)?\\.frames(\\.gz)?");

    /** Largest number of notes on messages that were not sent. Further such messages are only counted. */
    private static final int NOTES_MAX = 10;

    private final Path file;
    private final Passage.Origin origin;
    private final @Nullable InputFormat format;
    private final @Nullable FrameFormat framing;
    private final long rate;
    private final LongConsumer progress;

    /** The name of standard input, in place of a file's. */
    public static final Path STANDARD_INPUT = Path.of("-");

    /**
     * Result of a replay.
     *
     * @param skipped number of messages that were not sent
     * @param notes the reasons for the first skipped messages, and the place where a file became unreadable; empty when
     *     everything in the file was sent
     * @param resent number of messages that were sent again because their session broke
     */
    public record Sent(long messages, long skipped, List<String> notes, long bytes, long nanos, long resent) {}

    /**
     * Makes a replay.
     *
     * @param file file to send, or {@link #STANDARD_INPUT}
     * @param format format of the file; null when the first bytes decide between lines and counted frames
     * @param framing framing of sent messages. null: lines are sent unchanged, and a counted frame is sent in the
     *     framing that a listener with {@code framing: auto} reads correctly
     * @param rate messages per second; 0 for as many as the listener reads
     * @param progress consumer that receives, now and then, the number of bytes of the file sent so far
     */
    public Replay(
            Path file, @Nullable InputFormat format, @Nullable FrameFormat framing, long rate, LongConsumer progress) {
        this.file = file;
        this.origin = origin(file);
        this.format = format;
        this.framing = framing;
        this.rate = rate;
        this.progress = progress;
    }

    /** Sends all messages unchanged, and waits until all are acknowledged. */
    public Sent to(RelpTarget target) throws IOException {
        long start = System.nanoTime();
        long bytes = 0;
        long told = 0;
        Source source;
        try (InputStream in = unpacked(open())) {
            source = new Source(reader(in));
            MessageReader reader = source.reader;
            while (source.next()) {
                if (rate > 0 && isAhead(source.sent, start)) {
                    target.flush();
                    progress.accept(bytes);
                    awaitTurn(source.sent, start);
                }
                target.send(reader.buffer(), reader.offset(), reader.length());
                source.sent++;
                bytes += reader.length();
                if (bytes - told >= TRANSFER_BYTES) {
                    progress.accept(bytes);
                    told = bytes;
                }
            }
        }
        target.finish();
        return source.outcome(bytes, System.nanoTime() - start, target.resent());
    }

    /** Sends all messages. */
    public Sent to(TcpTarget target) throws IOException {
        long start = System.nanoTime();
        try (InputStream in = unpacked(open())) {
            MessageReader reader = reader(in);
            // Counted frames have to be checked one by one, unless the listener is known to take every counted frame.
            boolean asItIs = reader.isLines()
                    ? framing == null || framing == FrameFormat.LF
                    : framing == FrameFormat.OCTET && format != InputFormat.JSONL;
            boolean isFile = !file.equals(STANDARD_INPUT) && Files.isRegularFile(file);
            if (rate == 0 && asItIs && isFile && !(in instanceof GZIPInputStream)) {
                return transfer(target, start);
            }
            return copy(reader, target, start);
        }
    }

    private InputStream open() throws IOException {
        return file.equals(STANDARD_INPUT) ? System.in : Files.newInputStream(file);
    }

    private MessageReader reader(InputStream in) throws IOException {
        if (format == null) {
            return new FrameReader(in);
        }
        return switch (format) {
            case JSONL -> new JsonlReader(in);
            case FRAMES -> new FrameReader(in, FrameFormat.OCTET);
            case LINES -> new FrameReader(in, FrameFormat.LF);
        };
    }

    /** The messages of the input, with counts of sent and of skipped messages. */
    private static final class Source {
        final MessageReader reader;
        private final List<String> notes = new ArrayList<>();
        private long read;
        private long skipped;
        long sent;

        Source(MessageReader reader) {
            this.reader = reader;
        }

        /** Moves to the next message that can be read. Skips messages that cannot be read. */
        boolean next() {
            while (true) {
                try {
                    read++;
                    return reader.next();
                } catch (UnusableMessageException e) {
                    skip(e.getMessage());
                } catch (IOException e) {
                    notes.add("after message " + (read - 1) + " nothing more can be read: " + e.getMessage());
                    return false;
                }
            }
        }

        void skip(@Nullable String why) {
            if (skipped++ < NOTES_MAX) {
                notes.add("message " + read + " was not sent: " + why);
            }
        }

        /** Notes that the last message begins like a counted frame, and was sent as a line. */
        void doubt() {
            if (notes.size() < NOTES_MAX) {
                notes.add("message " + read + " begins like a counted frame: a listener with framing auto takes it, and"
                        + " the lines after it, for one; a listener with framing lf does not");
            }
        }

        Sent outcome(long bytes, long nanos, long resent) {
            return new Sent(sent, skipped, List.copyOf(notes), bytes, nanos, resent);
        }
    }

    /**
     * Returns the stream, decompressed if it begins with the bytes of gzip.
     *
     * @throws IOException when the stream is packed in another format; the message says how to unpack it
     */
    public static InputStream unpacked(InputStream in) throws IOException {
        return Packing.unpacked(in);
    }

    private Sent transfer(TcpTarget target, long start) throws IOException {
        long bytes = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            while (true) {
                long sent = target.transfer(channel, bytes, TRANSFER_BYTES);
                if (sent <= 0) {
                    break;
                }
                bytes += sent;
                progress.accept(bytes);
            }
        }
        target.finish();
        long nanos = System.nanoTime() - start;
        // Messages are counted afterwards, so that counting does not slow the sending.
        try (InputStream in = unpacked(open())) {
            Source source = new Source(reader(in));
            while (source.next()) {
                source.sent++;
                MessageReader reader = source.reader;
                if (framing == null && Passage.isCounted(reader.buffer(), reader.offset(), reader.length())) {
                    source.doubt();
                }
            }
            return source.outcome(bytes, nanos, 0);
        }
    }

    private Sent copy(MessageReader reader, TcpTarget target, long start) throws IOException {
        Output out = new Output(target);
        Source source = new Source(reader);
        while (source.next()) {
            Passage passage = passage(reader);
            if (passage == Passage.NONE) {
                source.skip(TORN);
                continue;
            }
            if (rate > 0 && isAhead(source.sent, start)) {
                out.flush();
                progress.accept(out.bytes);
                awaitTurn(source.sent, start);
            }
            switch (passage) {
                case COUNTED -> out.counted(reader);
                case LINE -> out.line(reader);
                case ALONE -> out.alone(reader);
                case NONE -> throw new IllegalStateException("passed over above");
            }
            if (out.isFlushed()) {
                progress.accept(out.bytes);
            }
            source.sent++;
        }
        out.flush();
        target.finish();
        return source.outcome(out.bytes, System.nanoTime() - start, 0);
    }

    private Passage passage(MessageReader reader) {
        if (framing == FrameFormat.OCTET) {
            return Passage.COUNTED;
        }
        boolean mayBeTaken = framing == null && Passage.isCounted(reader.buffer(), reader.offset(), reader.length());
        if (framing == null && (!reader.isLines() || mayBeTaken)) {
            Passage.Origin own = reader.origin();
            return Passage.of(
                    reader.buffer(), reader.offset(), reader.length(), own == Passage.Origin.UNKNOWN ? origin : own);
        }
        return Passage.lineLength(reader.buffer(), reader.offset(), reader.length()) > 0 ? Passage.LINE : Passage.NONE;
    }

    /**
     * Returns the reason for which the messages of a file were rejected. The file's name contains the reason: {@code
     * REASON.frames} or {@code REASON.N.frames}.
     */
    private static Passage.Origin origin(Path file) {
        Matcher refused = REFUSED.matcher(file.toAbsolutePath().getFileName().toString());
        return Passage.Origin.of(refused.matches() ? refused.group(1) : "");
    }

    private boolean isAhead(long messages, long start) {
        return dueNanos(messages) > System.nanoTime() - start;
    }

    private void awaitTurn(long messages, long start) {
        long wait;
        while ((wait = dueNanos(messages) - (System.nanoTime() - start)) > 0) {
            LockSupport.parkNanos(this, wait);
        }
    }

    /** Returns the due time of the message with number {@code messages}, in ns after the start. */
    private long dueNanos(long messages) {
        return (long) (messages / (double) rate * TimeUnit.SECONDS.toNanos(1));
    }

    /** The output, gathered to packets. */
    private static final class Output {
        private static final byte[] LF = {'\n'};
        private static final byte[] CR = {'\r'};

        private final TcpTarget target;
        private final ByteBuffer buffer = ByteBuffer.allocate(SEND_BYTES);
        private long bytes;
        private boolean flushed;

        Output(TcpTarget target) {
            this.target = target;
        }

        void counted(MessageReader reader) throws IOException {
            byte[] count = (reader.length() + " ").getBytes(StandardCharsets.US_ASCII);
            put(count, 0, count.length);
            put(reader.buffer(), reader.offset(), reader.length());
        }

        void line(MessageReader reader) throws IOException {
            int length = Passage.lineLength(reader.buffer(), reader.offset(), reader.length());
            put(reader.buffer(), reader.offset(), length);
            if (length == reader.length() && reader.buffer()[reader.offset() + length - 1] == '\r') {
                put(CR, 0, CR.length); // a receiver takes one CR as part of the line's end
            }
            put(LF, 0, LF.length);
        }

        void alone(MessageReader reader) throws IOException {
            try (TcpTarget own = target.another()) {
                own.send(ByteBuffer.wrap(reader.buffer(), reader.offset(), reader.length()));
                own.finish();
            } catch (TcpTarget.UnreachableException e) {
                throw e;
            } catch (IOException e) {
                // As expected, the listener hung up as soon as the listener saw that the message is no frame.
            }
            bytes += reader.length();
        }

        private void put(byte[] source, int offset, int length) throws IOException {
            if (length > buffer.remaining()) {
                flush();
            }
            if (length <= buffer.remaining()) {
                buffer.put(source, offset, length);
            } else {
                target.send(ByteBuffer.wrap(source, offset, length));
                bytes += length;
            }
        }

        void flush() throws IOException {
            buffer.flip();
            bytes += buffer.remaining();
            target.send(buffer);
            buffer.clear();
            flushed = true;
        }

        /** Whether anything was sent since the last call. */
        boolean isFlushed() {
            boolean was = flushed;
            flushed = false;
            return was;
        }
    }
}
