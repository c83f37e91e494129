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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection: copies what a read brought into a batch, has it framed, and offers the batch when the read ends.
 *
 * <p>All state belongs to the channel's event loop. Between reads a connection holds the bytes of its unfinished message
 * and nothing else. A batch that the sink refuses waits here, and the channel neither reads nor frames what was read until the
 * sink took it; the batches of a connection are handed over in the order of their bytes. What it holds counts in the
 * {@link ReceiveBudget}; while the listeners are stalled, what a read brought waits unframed, too.
 *
 * <p>The class is longer than 500 lines because all its entry points (a read, the end of one, room, a timer, the end of the stream, a
 * stop) decide by the same phase, batch and unread rest; a part of it would have to know the others' state.
 */
abstract sealed class StreamConnection extends ChannelInboundHandlerAdapter permits SyslogConnection, RelpConnection {
    /** The smallest read worth a system call. */
    private static final int MIN_READ_BYTES = 16 * 1024;

    final StreamListener listener;
    final ListenerCounters counters;
    final Channel channel;
    private final @Nullable InetAddress address;
    private @Nullable TlsHandler tls; // null: in the clear
    private final StreamFramer framer;

    /** Has more than one batch only when the channel read on after it was told not to. */
    private final Intake intake;

    /** Reads that are not framed yet, oldest first: as a rule one, and none while nothing waits and nothing is deferred. */
    private final ArrayDeque<ByteBuf> unread = new ArrayDeque<>(2);

    private Phase phase = Phase.READING;
    private StreamEnd streamEnd = StreamEnd.OPEN;
    private boolean unframed; // the batch being filled may have whole frames in its tail, and has no message
    private boolean deferred; // until the listeners are no longer stalled
    private @Nullable MessageBatch filling;
    private boolean lingering; // a batch waits for more messages, and a timer ends it
    private boolean abandoned; // the stop's deadline has passed
    private long readsSeen;
    /** Messages framed so far, to tell an old unfinished message from a new one. */
    private long framedSeen;
    /** Of these, those that the roster and the budget know of. */
    private long framedTold;

    private final ReceiveBudget.Share share;
    private Roster.@Nullable Seat<StreamConnection> seat;

    private boolean timing; // an unfinished message has a timer

    /** The phase of a connection. {@link #frameNoMore}, {@link #end} and {@link #finish} lead from one to the next. */
    private enum Phase {
        /** Received bytes are framed. */
        READING(true, true),
        /** The channel is there, and what comes is thrown away. */
        DISCARDING(false, true),
        /** The channel is gone, and what was read is still to be framed. */
        FRAMING_REST(true, false),
        /** The channel is gone, all is framed, and something may wait for room. */
        EMPTYING(false, false),
        /** Nothing is left of it. */
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
        /** Not yet; or, without TLS, in an orderly way. */
        OPEN,
        /** TLS: the peer said that it ends here. */
        NOTIFIED,
        /** Without the peer saying so: an unfinished message is a part of something longer. */
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

            /** Possibly after everything here has stopped. */
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

    /** To be called before anything is read. */
    final void seated(Roster.Seat<StreamConnection> seat) {
        this.seat = seat;
    }

    final Roster.Seat<StreamConnection> seat() {
        return Objects.requireNonNull(seat);
    }

    /** To be called before anything is read, when there is TLS between the channel and this connection. */
    final void encryptedBy(TlsHandler tls) {
        this.tls = tls;
    }

    /** Bytes that the next read may bring. Those of TLS records are some more than what is in them. */
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

    /** Bytes of memory held for this connection's data right now. */
    final long heldBytes() {
        return unfinishedBytes() + waitingBytes();
    }

    /** Of these, what is held because the peer did not complete a message. */
    private long unfinishedBytes() {
        long held = framer.parkedLength();
        MessageBatch batch = filling;
        if (batch != null && batch.count() == 0 && !unframed) {
            held += batch.heldBytes();
        }
        return tls == null ? held : held + tls.heldBytes();
    }

    /** Of these, what is held because there is no room, or because it lingers. */
    private long waitingBytes() {
        long held = 0;
        MessageBatch filling = this.filling;
        if (filling != null && (filling.count() > 0 || unframed)) {
            held = filling.heldBytes();
        }
        if (hasRoom()) {
            return held; // what is deferred is small, and must not be in the way of itself
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

    /** Tells the roster and the budget what a read, or room that there was, changed. May close connections, this one among them. */
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

    /** Frames a read, as far as there is room: the rest waits, in front of what else does. */
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

    /** Frames what the batch has; returns the one that is filled next. */
    private MessageBatch frameTail(MessageBatch filled) {
        MessageBatch batch = filled;
        while (framer.frame(batch) == StreamFramer.Outcome.FULL) {
            batch = rotate(batch);
            if (!hasRoom()) {
                // A small read of compressed frames makes many large batches: one after the other.
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

    /** Whether something was read that is not framed yet. */
    private boolean hasRest() {
        return unframed || !unread.isEmpty();
    }

    private void defer() {
        deferred = true;
        adjustReading();
        listener.budget()
                .defer(() -> schedule(() -> {
                    deferred = false;
                    goOn();
                }));
    }

    /** Goes on when there may be room: frames what was read, then reads on, or ends. */
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
            } else if (isUnfinished()
                    && streamEnd != StreamEnd.CUT_OFF
                    && listener.budget().isStalled()) {
                defer(); // of what ends here a batch would be made, too
            } else {
                streamEnded();
                if (hasRoom()) {
                    finish();
                }
            }
        }
        tell();
    }

    /** Hands over a full batch; returns another one with the unfinished bytes in it. */
    private MessageBatch rotate(MessageBatch full) {
        MessageBatch next = framer.carryOver(full, listener.sink().acquire());
        filling = next;
        handOver(full);
        return next;
    }

    @Override
    public final void channelReadComplete(ChannelHandlerContext ctx) {
        if (!linger()) {
            settle();
        }
        timeUnfinished();
        readEnded();
        tell();
    }

    /** Has a timer look at the unfinished message, if there is one and none does. */
    private void timeUnfinished() {
        long timeout = listener.messageTimeoutNanos();
        if (timeout > 0 && !timing && phase.frames && isUnfinished()) {
            timing = true;
            long framed = framedSeen;
            var unused = eventLoop().schedule(() -> timedOut(framed), timeout, TimeUnit.NANOSECONDS);
        }
    }

    private boolean isUnfinished() {
        MessageBatch batch = filling;
        return framer.parkedLength() > 0
                || (batch != null && framer.tailLength(batch) > 0)
                || (tls != null && tls.heldBytes() > 0); // a record is a part of a message that we cannot see yet
    }

    private void timedOut(long framed) {
        timing = false;
        if (phase != Phase.READING) {
            return;
        }
        // While we do not read, it is us who are slow.
        if (framed == framedSeen
                && isUnfinished()
                && hasRoom()
                && channel.config().isAutoRead()) {
            counters.slowCloses.increment();
            listener.log().warn("closed a connection that was too slow", this::peer);
            cutOff();
        } else {
            timeUnfinished();
        }
    }

    /** What a read brought is handed over, or waits for room. */
    abstract void readEnded();

    /** Whether the batch is to wait for more messages. */
    private boolean linger() {
        MessageBatch batch = filling;
        if (batch == null || phase != Phase.READING || batch.count() == 0 || listener.isFull(batch)) {
            return false;
        }
        if (!lingering && listener.lingerNanos() > 0) {
            lingering = true;
            var unused = eventLoop().schedule(this::lingered, listener.lingerNanos(), TimeUnit.NANOSECONDS);
        }
        return lingering;
    }

    private void lingered() {
        lingering = false;
        settle();
        tell();
    }

    /** Hands over what the read completed and lets go of the batch, unless it holds a large part of a message. */
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

    /** Hears what becomes of a batch of this connection, which is about to be handed over, whole; or null. */
    abstract @Nullable Receipt receipt(MessageBatch batch);

    /** Has the channel read, unless something stands against it. */
    final void adjustReading() {
        if (phase.hasChannel && channel.isActive()) {
            channel.config().setAutoRead(hasRoom() && !deferred && mayRead());
        }
    }

    /** Whether more can be made of what a read would bring. */
    boolean mayRead() {
        return phase.frames;
    }

    /** Runs something on the event loop, unless that has stopped. Any thread. */
    final void schedule(Runnable task) {
        EventLoop loop = channel.eventLoop();
        if (loop.isShuttingDown()) {
            return;
        }
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            // The loop stopped in between; a stop has dealt with what waited here.
        }
    }

    @Override
    public final void channelInactive(ChannelHandlerContext ctx) {
        end();
        ctx.fireChannelInactive();
    }

    /** A channel that closed before it was active is removed without ever becoming inactive. */
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
            streamEnd = StreamEnd.CUT_OFF; // that TCP ended, anybody on the way can bring about (RFC 8446 §6.1)
        }
        channelGone();
        goOn();
    }

    /** The channel is gone; the connection ends when nothing waits for room. */
    abstract void channelGone();

    /** All that was read is framed, and the channel is gone. May be called again. */
    abstract void streamEnded();

    /** Makes of an unfinished message what is to be made of it at the stream's end, and hands it over. */
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
            phase = phase.withoutFraming(); // there is nothing left to park
        }
        settle();
    }

    /** Lets go of all that was not handed over. */
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

    /** Lets go of a batch that was not handed over. */
    private void forget(MessageBatch batch) {
        dropped(batch.count());
        listener.sink().release(batch);
    }

    /** Lets go of what was read and is not framed. */
    private void dropRest() {
        unframed = false; // what it was about goes with the batch
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
            // A bug of ours: what was framed before goes on, this connection does not.
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
                closeChannel(); // as the end of the stream closes one without TLS
            }
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    /** Whether the peer could send. A paused connection is silent because of us. */
    boolean isPeersTurn() {
        return hasRoom() && !deferred;
    }

    /** Ends the connection in an orderly way, as far as that is possible. May be called again. */
    abstract void stop();

    /** Closes now; what still waits for room is dropped. */
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
     * Closes for the sake of others, as if the peer had broken off, and lets go of what it holds. Any thread; at once on that of the event
     * loop.
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
            end(); // the channel would say so later
        }
    }

    /** Closes in the middle of the stream. */
    final void cutOff() {
        streamEnd = StreamEnd.CUT_OFF;
        closeChannel();
    }

    /** Says that nothing more is framed: what a read brings from now on is thrown away. */
    final void frameNoMore() {
        if (phase.frames) {
            dropRest();
            settle();
            phase = phase.withoutFraming();
        }
    }

    /** Says to the peer that nothing more comes from here, behind what was written. It may still send. */
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
        // How it ended shows in channelInactive, whatever the future says.
        var unused = channel.close();
    }

    private void finish() {
        if (phase != Phase.FINISHED) {
            phase = Phase.FINISHED;
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

    /** Whether nothing that was read waits. */
    final boolean isHandedOver() {
        return hasRoom() && !hasRest();
    }

    final long readsSeen() {
        return readsSeen;
    }

    /** Where the peer is; null when that is not known. */
    final @Nullable InetAddress address() {
        return address;
    }

    final String peer() {
        return String.valueOf(channel.remoteAddress());
    }
}
