package io.summarizer.server.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages of a file, in the framing they are in or in the other one. A file that needs neither new framing nor
 * a rate goes from the page cache to the socket without passing through this process.
 */
public final class Replay {
    private static final int SEND_BYTES = 64 * 1024;
    private static final long TRANSFER_BYTES = 1 << 20;
    private static final int MAGIC_BYTES = 2;

    private final Path file;
    private final @Nullable FrameFormat framing;
    private final long rate;
    private final LongConsumer progress;

    /**
     * What was sent.
     *
     * @param skipped messages that hold a line feed and so cannot be sent as a line
     */
    public record Sent(long messages, long skipped, long bytes, long nanos) {}

    /**
     * @param framing null: as it is in the file
     * @param rate messages a second, 0 for as fast as they are taken
     * @param progress told the bytes of the file sent so far, now and then
     */
    public Replay(Path file, @Nullable FrameFormat framing, long rate, LongConsumer progress) {
        this.file = file;
        this.framing = framing;
        this.rate = rate;
        this.progress = progress;
    }

    /** Sends all. */
    public Sent to(TcpTarget target) throws IOException {
        long start = System.nanoTime();
        try (InputStream in = unpacked(Files.newInputStream(file))) {
            FrameReader reader = new FrameReader(in);
            FrameFormat output = framing == null ? reader.format() : framing;
            if (rate == 0 && output == reader.format() && !(in instanceof GZIPInputStream)) {
                return transfer(target, start);
            }
            return copy(reader, output, target, start);
        }
    }

    /** The stream, or what is packed in it, as its first bytes say: gzip or not. */
    public static InputStream unpacked(InputStream in) throws IOException {
        PushbackInputStream peeked = new PushbackInputStream(in, MAGIC_BYTES);
        byte[] magic = peeked.readNBytes(MAGIC_BYTES);
        peeked.unread(magic);
        boolean packed = magic.length == MAGIC_BYTES
                && ((magic[0] & 0xff) | (magic[1] & 0xff) << 8) == GZIPInputStream.GZIP_MAGIC;
        return packed ? new GZIPInputStream(peeked, SEND_BYTES) : peeked;
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
        // Counted afterwards, so that counting takes nothing from sending.
        long messages = 0;
        try (InputStream in = unpacked(Files.newInputStream(file))) {
            FrameReader reader = new FrameReader(in);
            while (reader.next()) {
                messages++;
            }
        }
        return new Sent(messages, 0, bytes, nanos);
    }

    private Sent copy(FrameReader reader, FrameFormat output, TcpTarget target, long start) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(SEND_BYTES);
        long messages = 0;
        long skipped = 0;
        long bytes = 0;
        while (reader.next()) {
            int length = output == FrameFormat.LF ? lineLength(reader) : reader.length();
            if (length < 0) {
                skipped++;
                continue;
            }
            if (rate > 0 && isAhead(messages, start)) {
                bytes += flush(out, target);
                progress.accept(bytes);
                awaitTurn(messages, start);
            }
            byte[] count =
                    output == FrameFormat.OCTET ? (length + " ").getBytes(StandardCharsets.US_ASCII) : new byte[0];
            if (out.remaining() < count.length + length + 1) {
                bytes += flush(out, target);
                progress.accept(bytes);
            }
            out.put(count);
            if (out.remaining() > length) {
                out.put(reader.buffer(), reader.offset(), length);
            } else {
                bytes += flush(out, target) + length;
                target.send(ByteBuffer.wrap(reader.buffer(), reader.offset(), length));
            }
            if (output == FrameFormat.LF) {
                out.put((byte) '\n');
            }
            messages++;
        }
        bytes += flush(out, target);
        target.finish();
        return new Sent(messages, skipped, bytes, System.nanoTime() - start);
    }

    /** Length of the message as a line, -1 when it cannot be one. A counted frame may end in a line feed of its own. */
    private static int lineLength(FrameReader reader) {
        byte[] buffer = reader.buffer();
        int end = reader.offset() + reader.length();
        for (int i = reader.offset(); i < end; i++) {
            if (buffer[i] == '\n') {
                return i == end - 1 ? reader.length() - 1 : -1;
            }
        }
        return reader.length();
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

    /** When message {@code messages} is to be sent, in ns after the start. */
    private long dueNanos(long messages) {
        return (long) (messages / (double) rate * TimeUnit.SECONDS.toNanos(1));
    }

    private static long flush(ByteBuffer out, TcpTarget target) throws IOException {
        out.flip();
        int bytes = out.remaining();
        target.send(out);
        out.clear();
        return bytes;
    }
}
