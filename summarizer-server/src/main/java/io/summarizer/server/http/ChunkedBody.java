package io.summarizer.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import io.summarizer.core.bytes.BlockOutputStream;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * The body of one answer, as a stream. The head of the answer is sent with the first chunk. The body follows in chunks
 * of {@value #CHUNK_BYTES} bytes. Until the first chunk is sent, the server may still send another answer instead. At
 * most {@value #CHUNKS_IN_FLIGHT} chunks should wait for the client; {@link #hasRoom} tells the writer when to pause.
 *
 * <p>Used by one thread at a time, which must not be an event loop. Only {@link #finish} writes the last chunk; a close
 * writes nothing. So when a body is closed without {@link #finish}, the client sees that the body is incomplete. A
 * write throws an {@link IOException} when the connection broke.
 */
final class ChunkedBody extends BlockOutputStream {
    static final int CHUNK_BYTES = 32 * 1024;
    static final int CHUNKS_IN_FLIGHT = 8;

    private final Channel channel;
    private final HttpResponse head;
    private final Runnable onRoom;
    /** Number of sent chunks that the client has not received. Guarded by this. */
    private int inFlight;
    /** Number of chunks that the client has received. Guarded by this. */
    private long taken;

    private volatile @Nullable Throwable failure;
    private @Nullable ByteBuf chunk;
    private long written;
    private boolean started;

    /**
     * Makes a body for an answer.
     *
     * @param onRoom called on the event loop when the chunks in flight have fallen to half of their maximum, or when
     *     the connection is closed
     */
    ChunkedBody(Channel channel, HttpResponse head, Runnable onRoom) {
        this.channel = channel;
        this.head = head;
        this.onRoom = onRoom;
    }

    /** Whether there is room for another chunk in flight. */
    synchronized boolean hasRoom() {
        return inFlight < CHUNKS_IN_FLIGHT || failure != null;
    }

    /** Number of chunks that the client has received. */
    synchronized long taken() {
        return taken;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            ByteBuf chunk = this.chunk;
            if (chunk == null) {
                checkFailure();
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

    /** Bytes written so far, without framing. */
    long written() {
        return written;
    }

    /** Whether the head of the answer was sent. */
    boolean started() {
        return started;
    }

    /** Sends the remaining bytes, then the last chunk, which marks the answer as complete. */
    ChannelFuture finish() throws IOException {
        ByteBuf chunk = this.chunk;
        if (chunk != null) {
            send(chunk);
        }
        checkFailure();
        start();
        return channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
    }

    /** Drops unsent bytes. */
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
        synchronized (this) {
            inFlight++;
        }
        var unused = channel.writeAndFlush(new DefaultHttpContent(chunk)).addListener(sent -> {
            boolean room;
            synchronized (this) {
                if (!sent.isSuccess()) {
                    failure = sent.cause();
                }
                inFlight--;
                taken++;
                room = inFlight == CHUNKS_IN_FLIGHT / 2 || failure != null;
            }
            if (room) {
                onRoom.run();
            }
        });
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
