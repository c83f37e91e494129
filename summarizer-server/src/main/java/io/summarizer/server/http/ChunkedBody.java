package io.summarizer.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One answer as a stream: its head goes out with the first chunk, then what is written in chunks, at most
 * {@value #CHUNKS_IN_FLIGHT} of {@value #CHUNK_BYTES} bytes at a time, and the writer waits while the client does not take
 * them. Until then another answer may be given instead.
 *
 * <p>Used by one thread, which must not be an event loop. {@link #finish} writes the last chunk; a body that is closed
 * without it stays visibly incomplete, as closing never writes. Throws {@link StalledException} when no chunk got through
 * within the timeout, or fewer in the long run than the client must take; another {@link IOException} when the connection
 * broke.
 */
final class ChunkedBody extends OutputStream {
    static final int CHUNK_BYTES = 32 * 1024;
    static final int CHUNKS_IN_FLIGHT = 8;

    private final Channel channel;
    private final HttpResponse head;
    private final Duration stallTimeout;
    private final long leastBytesPerSecond;
    private final Semaphore free = new Semaphore(CHUNKS_IN_FLIGHT);
    private volatile @Nullable Throwable failure;
    private @Nullable ByteBuf chunk;
    private long written;
    /** Time spent waiting for the client. */
    private long waitedNanos;

    private boolean started;

    /** Says that the client did not take anything for too long. */
    static final class StalledException extends IOException {
        StalledException(Duration timeout) {
            super("the client took nothing for " + timeout.toMillis() + " ms");
        }

        StalledException(long leastBytesPerSecond) {
            super("the client took less than " + leastBytesPerSecond + " bytes a second");
        }
    }

    /**
     * A body for an answer.
     *
     * @param stallTimeout how long the client may take nothing
     * @param leastBytesPerSecond what it has to take while it is waited for, once that was for longer than the timeout; 0:
     *     anything
     */
    ChunkedBody(Channel channel, HttpResponse head, Duration stallTimeout, long leastBytesPerSecond) {
        this.channel = channel;
        this.head = head;
        this.stallTimeout = stallTimeout;
        this.leastBytesPerSecond = leastBytesPerSecond;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            ByteBuf chunk = this.chunk;
            if (chunk == null) {
                awaitRoom();
                this.chunk = chunk = channel.alloc().ioBuffer(CHUNK_BYTES, CHUNK_BYTES);
            }
            int n = Math.min(end - at, chunk.writableBytes());
            chunk.writeBytes(bytes, at, n);
            at += n;
            if (!chunk.isWritable()) {
                send(chunk);
            }
        }
        written += length;
    }

    /** Bytes written so far, framing not counted. */
    long written() {
        return written;
    }

    /** Whether the head of the answer was sent. */
    boolean started() {
        return started;
    }

    /** Sends what is left and the last chunk, which says that the answer is complete. */
    ChannelFuture finish() throws IOException {
        ByteBuf chunk = this.chunk;
        if (chunk != null) {
            send(chunk);
        }
        checkFailure();
        start();
        return channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
    }

    /** Lets go of what was not sent. */
    @Override
    public void close() {
        ByteBuf chunk = this.chunk;
        this.chunk = null;
        if (chunk != null) {
            chunk.release();
        }
    }

    private void start() {
        if (!started) {
            started = true;
            var unused = channel.write(head);
        }
    }

    private void send(ByteBuf chunk) {
        start();
        this.chunk = null;
        var unused = channel.writeAndFlush(new DefaultHttpContent(chunk)).addListener(sent -> {
            if (!sent.isSuccess()) {
                failure = sent.cause();
            }
            free.release();
        });
    }

    private void awaitRoom() throws IOException {
        checkFailure();
        if (free.tryAcquire()) {
            return;
        }
        long from = System.nanoTime();
        try {
            if (!free.tryAcquire(stallTimeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new StalledException(stallTimeout);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the service is stopping");
        }
        waitedNanos += System.nanoTime() - from;
        if (waitedNanos > stallTimeout.toNanos() && written < leastBytesPerSecond * (waitedNanos / 1e9)) {
            throw new StalledException(leastBytesPerSecond);
        }
        checkFailure();
    }

    private void checkFailure() throws IOException {
        Throwable cause = failure;
        if (cause != null) {
            throw new IOException("the client went away", cause);
        }
        if (!channel.isActive()) {
            throw new ClosedChannelException();
        }
    }
}
