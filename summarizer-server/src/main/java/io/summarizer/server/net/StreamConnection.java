package io.summarizer.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.pipeline.Intake;
import io.summarizer.core.receive.StreamFramer;
import io.summarizer.server.tls.TlsHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection. It copies each read into a batch, frames the bytes, and offers the batch when the read ends.
 *
 * <p>All state is confined to the channel's event loop. Between reads a connection holds only the bytes of its
 * unfinished message. A batch that the sink refuses waits in the connection. Until the sink takes the batch, the
 * connection neither reads from the channel nor frames bytes that were already read. The batches of a connection are
 * handed over in the order of their bytes. The {@link ReceiveBudget} counts the memory that a connection holds. While
 * the listeners are stalled, bytes that were already read wait unframed, too.
 *
 * <p>The class is longer than 500 lines. All its entry points (a read, the end of a read, room, a timer, the end of the
 * stream, a stop) work on the same phase, batch and unread rest. So the parts of a divided class would need each
 * other's state.
 */
abstract sealed class StreamConnection extends ChannelInboundHandlerAdapter permits SyslogConnection, RelpConnection {
    /** The smallest read that is worth a system call. */
    private static final int MIN_READ_BYTES = 16 * 1024;

    final StreamListener listener;
    final ListenerCounters counters;
    final Channel channel;
    private final @Nullable InetAddress address;
    private @Nullable TlsHandler tls; // null: plaintext
    private final StreamFramer framer;

    /**
     * The batches that wait for room. There is usually at most one; there are more if the channel went on reading after
     * it was told to stop.
     */
    private final Intake intake;

    /**
     * Buffers of bytes that were read but are not framed yet, oldest first; usually at most one buffer. There are such
     * buffers only while a batch waits or {@code deferred} is set.
     */
    private final ArrayDeque<ByteBuf> unread = new ArrayDeque<>(2);

    private Phase phase = Phase.READING;
    private StreamEnd streamEnd = StreamEnd.OPEN;
    private boolean unframed; // the batch being filled may have whole frames in its tail, and has no message
    private boolean deferred; // reads wait until the listeners are no longer stalled
    private final Runnable resumeDeferred = this::resumeDeferred; // one object, so that it can be forgotten
    private @Nullable MessageBatch filling;
    private boolean lingering; // reads wait for more bytes; a timer ends the wait
    private boolean prompt; // the connection does not linger any more
    /** Number of bytes that have arrived since the last end of a read. */
    private int readBytes;

    private boolean abandoned; // the stop's deadline has passed
    private long readsSeen;
    /**
     * Number of framed messages. As long as this number stays the same, an unfinished message is still the same
     * message.
     */
    private long framedSeen;
    /** Number of framed messages that the roster and the budget know about. */
    private long framedTold;

    private final ReceiveBudget.Share share;
    private Roster.@Nullable Seat<StreamConnection> seat;

    private @Nullable Future<?> timer; // of an unfinished message

    /**
     * The phase of a connection. {@link #frameNoMore}, {@link #end} and {@link #finish} lead from one phase to the next
     * phase.
     */
    private enum Phase {
        /** Received bytes are framed. */
        READING(true, true),
        /** The channel is open, and received bytes are discarded. */
        DISCARDING(false, true),
        /** The channel is closed, and bytes that were read are still to be framed. */
        FRAMING_REST(true, false),
        /** The channel is closed, all bytes are framed, and a batch may wait for room. */
        EMPTYING(false, false),
        /** The connection has ended and holds nothing. */
        FINISHED(false, false);

        private final boolean frames;
        private final boolean hasChannel;

        Phase(boolean frames, boolean hasChannel) {
            this.frames = frames;
            this.hasChannel = hasChannel;
        }

        Phase withoutFraming() {
            return this == READING ? DISCARDING : this == FRAMING_REST ? EMPTYING : this;
        }

        Phase withoutChannel() {
            return this == READING ? FRAMING_REST : this == DISCARDING ? EMPTYING : this;
        }
    }

    /** The end of the peer's stream. */
    private enum StreamEnd {
        /** The stream is open or, without TLS, ended in an orderly way. */
        OPEN,
        /** TLS: the peer announced the end. */
        NOTIFIED,
        /**
         * The stream was cut off without an announcement, so an unfinished message may be a part of something longer.
         */
        CUT_OFF
    }

    StreamConnection(StreamListener listener, Channel channel, StreamFramer framer) {
        this.listener = listener;
        this.counters = listener.counters();
        this.channel = channel;
        this.framer = framer;
        address = channel.remoteAddress() instanceof InetSocketAddress peer ? peer.getAddress() : null;
        intake = listener.sink().intake(new BatchSink.Receiver() {
            @Override
            public void taken(int messages) {
                counters.batches.increment();
                counters.messages.add(messages);
            }

            @Override
            public void refused() {
                counters.pauses.increment();
                channel.config().setAutoRead(false);
            }

            /** Continues the connection. May be called after the connection has stopped. */
            @Override
            public void onRoom() {
                schedule(() -> {
                    intake.resume();
                    goOn();
                });
            }
        });
        share = listener.budget()
                .share(() -> displace(counters.displacedMemory, "closed a connection for its unfinished message"));
    }

    /** Sets the connection's seat. Called before the first read. */
    final void seated(Roster.Seat<StreamConnection> seat) {
        this.seat = seat;
    }

    final Roster.Seat<StreamConnection> seat() {
        return Objects.requireNonNull(seat);
    }

    /**
     * Sets the TLS layer between the channel and this connection; null means plaintext. Called before the first read.
     */
    final void encryptedBy(@Nullable TlsHandler tls) {
        this.tls = tls;
    }

    /** Number of bytes that the next read may bring. TLS records are slightly larger than their content. */
    final int room() {
        if (listener.budget().isTight()) {
            return ReceiveBudget.TIGHT_READ_BYTES;
        }
        MessageBatch batch = filling;
        int free = batch != null
                ? batch.bytes().length - batch.limit()
                : MessageBatch.DEFAULT_BYTES - framer.parkedLength();
        return Math.max(free, MIN_READ_BYTES);
    }

    /** Number of bytes of memory that this connection's data occupy now. */
    final long heldBytes() {
        return unfinishedBytes() + waitingBytes();
    }

    /** Number of held bytes that belong to a message that the peer has not completed. */
    private long unfinishedBytes() {
        long held = framer.parkedLength();
        MessageBatch batch = filling;
        if (batch != null && batch.count() == 0 && !unframed) {
            held += batch.heldBytes();
        }
        return tls == null ? held : held + tls.heldBytes();
    }

    /** Number of bytes that are held because there is no room. */
    private long waitingBytes() {
        long held = 0;
        MessageBatch filling = this.filling;
        if (filling != null && (filling.count() > 0 || unframed)) {
            held = filling.heldBytes();
        }
        if (hasRoom()) {
            return held; // deferred reads are small, and must not cause a stall of their own
        }
        held += intake.heldBytes();
        for (ByteBuf buffer : unread) {
            held += buffer.capacity();
        }
        return held;
    }

    /** Whether no batch waits for room. */
    private boolean hasRoom() {
        return intake.waiting() == 0;
    }

    /**
     * Tells the roster and the budget about completed messages and held bytes. As a result, connections may be closed,
     * including this connection. Called after a read, and when there is new room.
     */
    private void tell() {
        if (phase == Phase.FINISHED) {
            return;
        }
        long now = listener.budget().now();
        boolean completed = framedTold != framedSeen;
        framedTold = framedSeen;
        boolean heldUp = !hasRoom() || deferred;
        Roster.Seat<StreamConnection> seat = seat();
        if (completed) {
            seat.completed(now);
        }
        seat.busy(heldUp, now);
        share.hold(now, unfinishedBytes(), waitingBytes(), completed, !heldUp && phase.hasChannel);
    }

    final EventLoop eventLoop() {
        return channel.eventLoop();
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object received) {
        ByteBuf buffer = (ByteBuf) received;
        readsSeen++;
        readBytes += buffer.readableBytes();
        counters.bytesRead.add(buffer.readableBytes());
        if (phase != Phase.READING) {
            discard(buffer);
        } else if (deferred || !hasRoom()) {
            unread.addLast(buffer);
        } else if (listener.budget().isStalled()) {
            unread.addLast(buffer);
            defer();
        } else {
            take(buffer);
        }
    }

    private void discard(ByteBuf buffer) {
        counters.bytesDiscarded.add(buffer.readableBytes());
        buffer.release();
    }

    /**
     * Frames the bytes of {@code buffer} as long as there is room. The rest waits, and is framed before the bytes of
     * all other reads.
     */
    private void take(ByteBuf buffer) {
        boolean kept = false;
        try {
            frame(buffer);
            if (buffer.isReadable()) {
                if (!phase.frames) {
                    counters.bytesDiscarded.add(buffer.readableBytes());
                } else {
                    unread.addFirst(buffer);
                    kept = true;
                }
            }
        } finally {
            if (!kept) {
                buffer.release();
            }
        }
    }

    private void frame(ByteBuf buffer) {
        MessageBatch batch = filling();
        while (buffer.isReadable() && !framer.closed() && hasRoom()) {
            if (!framer.reserve(batch)) {
                batch = rotate(batch);
                continue;
            }
            int limit = batch.limit();
            int room = Math.min(buffer.readableBytes(), batch.bytes().length - limit);
            buffer.readBytes(batch.bytes(), limit, room);
            batch.limit(limit + room);
            batch = frameTail(batch);
        }
    }

    /** Frames the bytes of the batch; returns the batch to fill next. */
    private MessageBatch frameTail(MessageBatch filled) {
        MessageBatch batch = filled;
        while (framer.frame(batch) == StreamFramer.Outcome.FULL) {
            batch = rotate(batch);
            if (!hasRoom()) {
                // A small read of compressed frames makes many large batches, so the batches are made one after the
                // other.
                unframed = true;
                return batch;
            }
        }
        if (framer.closed()) {
            phase = phase.withoutFraming();
            counters.bytesDiscarded.add(framer.tailLength(batch));
            if (framer.closeReason() != null) {
                counters.framingCloses.increment();
                listener.log()
                        .warn("closed a connection that cannot be read on", () -> peer() + ": " + framer.closeReason());
            }
        }
        return batch;
    }

    /** Whether some bytes that were read are not framed yet. */
    private boolean hasRest() {
        return unframed || !unread.isEmpty();
    }

    private void defer() {
        deferred = true;
        adjustReading();
        listener.budget().defer(resumeDeferred);
    }

    private void resumeDeferred() {
        schedule(() -> {
            deferred = false;
            goOn();
        });
    }

    /** Continues when there may be room: frames bytes that were already read, then reads on or ends. */
    private void goOn() {
        boolean framed = false;
        while (hasRoom() && hasRest()) {
            framed = true;
            if (unframed) {
                unframed = false;
                var unused = frameTail(filling());
            } else if (!phase.frames) {
                discard(unread.removeFirst());
            } else {
                take(unread.removeFirst());
            }
        }
        if (framed) {
            settle();
            if (phase.hasChannel) {
                timeUnfinished();
                readEnded();
            }
        }
        if (isHandedOver()) {
            if (phase.hasChannel) {
                adjustReading();
            } else if (phase.frames
                    && isUnfinished()
                    && streamEnd != StreamEnd.CUT_OFF
                    && listener.budget().isStalled()) {
                if (!deferred) {
                    defer(); // the end of the stream would make a batch, too
                }
            } else {
                streamEnded();
                if (hasRoom()) {
                    finish();
                }
            }
        }
        tell();
    }

    /** Hands over a full batch. Returns another batch, which has the unfinished bytes. */
    private MessageBatch rotate(MessageBatch full) {
        MessageBatch next = framer.carryOver(full, listener.sink().acquire());
        filling = next;
        handOver(full);
        return next;
    }

    @Override
    public final void channelReadComplete(ChannelHandlerContext ctx) {
        settle();
        timeUnfinished();
        readEnded();
        linger();
        tell();
    }

    /** Starts a timer for the unfinished message, if there is an unfinished message without a timer. */
    private void timeUnfinished() {
        long timeout = listener.messageTimeoutNanos();
        if (timeout > 0 && timer == null && phase.frames && isUnfinished()) {
            long framed = framedSeen;
            timer = eventLoop().schedule(() -> timedOut(framed), timeout, TimeUnit.NANOSECONDS);
        }
    }

    private boolean isUnfinished() {
        MessageBatch batch = filling;
        return framer.parkedLength() > 0
                || (batch != null && framer.tailLength(batch) > 0)
                || (tls != null && tls.heldBytes() > 0); // the record has a part of a message, not decrypted yet
    }

    private void timedOut(long framed) {
        timer = null;
        if (phase != Phase.READING) {
            return;
        }
        // While this side does not read, this side causes the delay.
        if (framed == framedSeen
                && isUnfinished()
                && hasRoom()
                && (lingering || channel.config().isAutoRead())) {
            counters.slowCloses.increment();
            listener.log().warn("closed a connection that was too slow", this::peer);
            cutOff();
        } else {
            timeUnfinished();
        }
    }

    /** Handles the end of a read. Called when the read was handed over, or waits for room. */
    abstract void readEnded();

    /**
     * Lets bytes gather in the socket after a small read, because each read wakes all threads of the pipeline, and to
     * wake them costs more than to process a few messages. Time is divided into equal parts, and all connections read
     * on at the end of a part. So the threads wake once for all connections.
     */
    private void linger() {
        int read = readBytes;
        readBytes = 0;
        if (read > 0 && read < MIN_READ_BYTES && mayLinger()) {
            lingering = true;
            adjustReading();
            long part = listener.lingerNanos();
            long wait = part - Math.floorMod(System.nanoTime(), part);
            var unused = eventLoop().schedule(this::lingered, wait, TimeUnit.NANOSECONDS);
        }
    }

    private boolean mayLinger() {
        return listener.lingerNanos() > 0 && !lingering && !prompt && phase == Phase.READING;
    }

    private void lingered() {
        lingering = false;
        adjustReading();
    }

    /** Reads on at once from now on, without lingering. */
    final void readPromptly() {
        prompt = true;
        lingered();
    }

    /**
     * Hands over the messages that the read completed, and releases the batch unless it has a large unfinished message.
     */
    final void settle() {
        MessageBatch batch = filling;
        if (batch == null || unframed) {
            return;
        }
        boolean empty = batch.count() == 0;
        if (phase.frames) {
            if (empty && framer.tailLength(batch) > StreamFramer.PARK_BYTES_MAX) {
                return;
            }
            framer.park(batch);
        }
        filling = null;
        if (empty) {
            listener.sink().release(batch);
        } else {
            handOver(batch);
        }
    }

    private void handOver(MessageBatch batch) {
        framedSeen += batch.count();
        batch.listener(listener.number());
        if (abandoned) {
            forget(batch);
            return;
        }
        intake.submit(batch, receipt(batch));
    }

    /** Returns the receipt for a whole batch that is about to be handed over; null when the batch needs no receipt. */
    abstract @Nullable Receipt receipt(MessageBatch batch);

    /** Lets the channel read, unless a condition forbids reading. */
    final void adjustReading() {
        if (phase.hasChannel && channel.isActive()) {
            channel.config().setAutoRead(hasRoom() && !deferred && !lingering && mayRead());
        }
    }

    /** Whether the bytes of a further read would still be framed. */
    boolean mayRead() {
        return phase.frames;
    }

    /** Runs a task on the event loop, unless the event loop has stopped. Any thread. */
    final void schedule(Runnable task) {
        NettyWorkers.run(channel.eventLoop(), task);
    }

    @Override
    public final void channelInactive(ChannelHandlerContext ctx) {
        end();
        ctx.fireChannelInactive();
    }

    /**
     * Ends the connection if it has not ended. This is needed when a channel closes before it is active: such a channel
     * never becomes inactive, and is only removed.
     */
    @Override
    public final void handlerRemoved(ChannelHandlerContext ctx) {
        end();
    }

    private void end() {
        if (!phase.hasChannel) {
            return;
        }
        phase = phase.withoutChannel();
        if (tls != null && streamEnd == StreamEnd.OPEN) {
            streamEnd = StreamEnd.CUT_OFF; // anybody on the path can end a TCP stream (RFC 8446 §6.1)
        }
        channelGone();
        goOn();
    }

    /**
     * Handles the end of the channel. Called when the channel is closed; the connection ends once no batch waits for
     * room.
     */
    abstract void channelGone();

    /**
     * Handles the end of the stream. Called when the channel is closed and all bytes that were read are framed. May be
     * called again.
     */
    abstract void streamEnded();

    /** Ends an unfinished message as the end of the stream requires, and hands the message over. */
    final void endStream() {
        if (phase.frames) {
            MessageBatch batch = filling();
            boolean cutOff = streamEnd == StreamEnd.CUT_OFF;
            if (cutOff && listener.budget().isStalled()) {
                counters.bytesDiscarded.add(framer.tailLength(batch));
                batch.limit(framer.tail());
            } else if (cutOff) {
                framer.breakOff(batch);
            } else {
                framer.end(batch);
            }
            phase = phase.withoutFraming(); // no bytes are left that could wait
        }
        settle();
    }

    /** Drops everything that was not handed over. */
    final void dropAll() {
        dropRest();
        phase = phase.withoutFraming();
        MessageBatch batch = filling;
        if (batch != null) {
            filling = null;
            counters.bytesDiscarded.add(framer.tailLength(batch));
            forget(batch);
        }
        dropWaiting();
    }

    /** Drops a batch that was not handed over. */
    private void forget(MessageBatch batch) {
        dropped(batch.count());
        listener.sink().release(batch);
    }

    /** Drops bytes that were read and are not framed. */
    private void dropRest() {
        unframed = false; // the frames go with the batch
        ByteBuf buffer;
        while ((buffer = unread.pollFirst()) != null) {
            discard(buffer);
        }
    }

    private void dropWaiting() {
        dropped(intake.drop());
    }

    /** Counts messages that could not be handed over. */
    abstract void dropped(int messages);

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        streamEnd = StreamEnd.CUT_OFF;
        if (cause instanceof IOException) {
            counters.resets.increment();
            listener.log().warn("a connection broke", () -> peer() + ": " + cause.getMessage());
        } else {
            // This is an internal error. Messages that were framed before are still processed; this connection ends.
            phase = phase.withoutFraming();
            counters.failures.increment();
            listener.log().warn("closed a connection after an internal error", () -> peer() + ": " + cause, cause);
        }
        closeChannel();
    }

    @Override
    public final void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof IdleStateEvent && isPeersTurn()) {
            counters.idleCloses.increment();
            listener.log().warn("closed an idle connection", this::peer);
            cutOff();
        } else if (event instanceof SslCloseCompletionEvent end) {
            if (end.isSuccess()) {
                streamEnd = streamEnd == StreamEnd.OPEN ? StreamEnd.NOTIFIED : streamEnd;
                closeChannel(); // as without TLS: there, too, the end of the stream closes the channel
            }
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    /**
     * Whether the connection waits for the peer. A paused connection does not wait for the peer: the connection is
     * silent because of this side.
     */
    boolean isPeersTurn() {
        return hasRoom() && !deferred;
    }

    /** Ends the connection in an orderly way, as far as possible. May be called again. */
    abstract void stop();

    /** Closes the connection now; drops batches that still wait for room. */
    final void abandon() {
        abandoned = true;
        cutOff();
        dropRest();
        dropWaiting();
        if (!phase.hasChannel) {
            goOn();
        }
    }

    /**
     * Closes the connection to make room for others, as if the peer had broken off, and drops the unfinished data. Any
     * thread may call it; on the connection's event loop it takes effect at once.
     *
     * @param kind a constant, for the log
     */
    final void displace(LongAdder counter, String kind) {
        if (!channel.eventLoop().inEventLoop()) {
            schedule(() -> displace(counter, kind));
        } else if (phase.hasChannel) {
            counter.increment();
            listener.log().warn(kind, this::peer);
            cutOff();
            end(); // the channel would report the end later
        }
    }

    /** Closes in the middle of the stream. */
    final void cutOff() {
        streamEnd = StreamEnd.CUT_OFF;
        closeChannel();
    }

    /** Ends framing: later reads are discarded. */
    final void frameNoMore() {
        if (phase.frames) {
            dropRest();
            settle();
            phase = phase.withoutFraming();
        }
    }

    /** Ends this side's output after the bytes that are already written. The peer may still send. */
    final void endOutput() {
        if (tls == null) {
            shutdownOutput();
        } else {
            var unused = tls.closeOutbound().addListener(said -> shutdownOutput());
        }
    }

    private void shutdownOutput() {
        if (channel instanceof DuplexChannel duplex) {
            var unused = duplex.shutdownOutput();
        }
    }

    final void closeChannel() {
        // The result of the close shows in channelInactive, whatever the future says.
        var unused = channel.close();
    }

    private void finish() {
        if (phase != Phase.FINISHED) {
            phase = Phase.FINISHED;
            if (deferred) {
                listener.budget().forget(resumeDeferred);
            }
            if (timer != null) {
                timer.cancel(false); // the event loop would keep this connection until the timer runs
            }
            share.release();
            listener.finished(this);
        }
    }

    private MessageBatch filling() {
        MessageBatch batch = filling;
        if (batch == null) {
            batch = listener.sink().acquire();
            framer.begin(batch);
            filling = batch;
        }
        return batch;
    }

    final boolean isDone() {
        return !phase.frames;
    }

    final boolean hasEnded() {
        return !phase.hasChannel;
    }

    /** Whether all bytes that were read are handed over. */
    final boolean isHandedOver() {
        return hasRoom() && !hasRest();
    }

    final long readsSeen() {
        return readsSeen;
    }

    /** The peer's address; null when unknown. */
    final @Nullable InetAddress address() {
        return address;
    }

    final String peer() {
        return String.valueOf(channel.remoteAddress());
    }
}
