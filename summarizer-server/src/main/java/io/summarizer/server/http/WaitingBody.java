package io.summarizer.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.HttpResponse;
import io.summarizer.core.bytes.BlockOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A {@link ChunkedBody} whose writer waits for the client when there is no room. Used by one thread at a time, which
 * must not be an event loop. A write throws {@link StalledException} when the client reads nothing within the timeout,
 * or reads too slowly over a longer time. A write throws another {@link IOException} when the connection broke.
 */
final class WaitingBody extends BlockOutputStream {
    private final ChunkedBody body;
    private final Duration stallTimeout;
    private final long leastBytesPerSecond;
    /** Time spent waiting for the client. */
    private long waitedNanos;

    /**
     * Makes a body for an answer.
     *
     * @param stallTimeout time in which the client must read something
     * @param leastBytesPerSecond rate at which the client must read, once the writer has waited for longer than the
     *     timeout in total
     */
    WaitingBody(Channel channel, HttpResponse head, Duration stallTimeout, long leastBytesPerSecond) {
        this.stallTimeout = stallTimeout;
        this.leastBytesPerSecond = leastBytesPerSecond;
        body = new ChunkedBody(channel, head, this::wake);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            awaitRoom();
            int n = Math.min(end - at, ChunkedBody.CHUNK_BYTES);
            body.write(bytes, at, n);
            at += n;
        }
    }

    /** Bytes written so far, without framing. */
    long written() {
        return body.written();
    }

    /** Whether the head of the answer was sent. */
    boolean started() {
        return body.started();
    }

    /** Sends the rest and the last chunk, which marks the answer as complete. */
    ChannelFuture finish() throws IOException {
        return body.finish();
    }

    /** Drops unsent bytes. */
    @Override
    public void close() {
        body.close();
    }

    private synchronized void wake() {
        notifyAll();
    }

    private synchronized boolean awaitRoom(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        while (!body.hasRoom()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    private void awaitRoom() throws IOException {
        if (body.hasRoom()) {
            return;
        }
        long from = System.nanoTime();
        try {
            long taken = body.taken();
            while (!awaitRoom(stallTimeout.toNanos())) {
                if (body.taken() == taken) {
                    throw new StalledException(stallTimeout);
                }
                taken = body.taken();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the service is stopping");
        }
        waitedNanos += System.nanoTime() - from;
        if (waitedNanos > stallTimeout.toNanos() && written() < leastBytesPerSecond * (waitedNanos / 1e9)) {
            throw new StalledException(leastBytesPerSecond);
        }
    }
}
