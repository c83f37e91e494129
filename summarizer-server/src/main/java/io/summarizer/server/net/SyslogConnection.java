package io.summarizer.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.timeout.IdleStateEvent;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.receive.SyslogFramer;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection: copies what a read brought into a batch, has it framed, and offers the batch when the read ends.
 *
 * <p>All state belongs to the channel's event loop. Between reads a connection holds the bytes of its unfinished message
 * and nothing else. A batch that the sink refuses waits here, and the channel does not read until the sink took it; the
 * batches of a connection are handed over in the order of their bytes. A connection outlives its channel for as long as
 * it has batches to hand over.
 *
 * <p>Only the peer's orderly end of stream ends an unfinished line. After a reset, or when this side closes, the bytes are
 * a part of something longer, and go on as a message rejected for its frame.
 */
final class SyslogConnection extends ChannelInboundHandlerAdapter {
    /** The smallest read worth a system call. */
    private static final int MIN_READ_BYTES = 16 * 1024;
    /** A connection being stopped is closed when it was silent for so long... */
    private static final long STOP_QUIET_MILLIS = 50;
    /** ...or after so many spells in which it was read: a peer that never pauses must not hold the stop up. */
    private static final int STOP_SPELLS_MAX = 20;

    private final SyslogTcpListener listener;
    private final ListenerCounters counters;
    private final Channel channel;
    private final SyslogFramer framer;
    private final Runnable onRoom = this::scheduleResume;

    /** Refused batches, oldest first. More than one only when the channel read on after it was told not to. */
    private final ArrayDeque<MessageBatch> waiting = new ArrayDeque<>(2);

    private boolean registered; // with the sink, which will call onRoom
    private @Nullable MessageBatch filling;
    private boolean lingering; // a batch waits for more messages, and a timer ends it
    private boolean broken; // the framing is lost: nothing more can be read
    private boolean cutOff; // the stream ended without the peer saying so
    private boolean ended; // the channel is gone
    private boolean finished; // and nothing waits
    private boolean stopping;
    private boolean abandoned; // the stop's deadline has passed
    private long readsSeen;
    private long readsAtSpell;
    private int stopSpells;

    SyslogConnection(SyslogTcpListener listener, Channel channel, SyslogFramer framer) {
        this.listener = listener;
        this.counters = listener.counters();
        this.channel = channel;
        this.framer = framer;
    }

    /** Bytes that the next read may bring. */
    int room() {
        MessageBatch batch = filling;
        int free = batch != null
                ? batch.bytes().length - batch.limit()
                : MessageBatch.DEFAULT_BYTES - framer.parkedLength();
        return Math.max(free, MIN_READ_BYTES);
    }

    /** Bytes of memory held for this connection's data right now. */
    long heldBytes() {
        long held = framer.parkedLength();
        if (filling != null) {
            held += filling.heldBytes();
        }
        for (MessageBatch batch : waiting) {
            held += batch.heldBytes();
        }
        return held;
    }

    EventLoop eventLoop() {
        return channel.eventLoop();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object received) {
        ByteBuf buffer = (ByteBuf) received;
        try {
            take(buffer);
        } finally {
            buffer.release();
        }
    }

    private void take(ByteBuf buffer) {
        int length = buffer.readableBytes();
        readsSeen++;
        counters.bytesRead.add(length);
        if (broken) {
            counters.bytesDiscarded.add(length);
            return;
        }
        MessageBatch batch = filling();
        while (buffer.isReadable() && !framer.closed()) {
            if (!framer.reserve(batch)) {
                batch = rotate(batch);
                continue;
            }
            int limit = batch.limit();
            int room = Math.min(buffer.readableBytes(), batch.bytes().length - limit);
            buffer.readBytes(batch.bytes(), limit, room);
            batch.limit(limit + room);
            while (framer.frame(batch) == SyslogFramer.Outcome.FULL) {
                batch = rotate(batch);
            }
        }
        if (framer.closed()) {
            broken = true;
            counters.framingCloses.increment();
            counters.bytesDiscarded.add(buffer.readableBytes());
            listener.log()
                    .warn("closed a connection whose framing is lost", () -> peer() + ": " + framer.closeReason());
        }
    }

    /** Hands over a full batch; returns another one with the unfinished bytes in it. */
    private MessageBatch rotate(MessageBatch full) {
        MessageBatch next = framer.carryOver(full, listener.sink().acquire());
        filling = next;
        handOver(full);
        return next;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!linger()) {
            settle();
        }
        if (broken) {
            closeChannel();
        }
    }

    /** Whether the batch is to wait for more messages. */
    private boolean linger() {
        MessageBatch batch = filling;
        if (batch == null || broken || ended || batch.count() == 0 || listener.isFull(batch)) {
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
    }

    /** Hands over what the read completed and lets go of the batch, unless it holds a large part of a message. */
    private void settle() {
        MessageBatch batch = filling;
        if (batch == null) {
            return;
        }
        boolean empty = batch.count() == 0;
        if (!broken) {
            if (empty && framer.tailLength(batch) > SyslogFramer.PARK_BYTES_MAX) {
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
        batch.listener(listener.number());
        if (abandoned) {
            lose(batch);
            return;
        }
        listener.sink().split(batch, waiting::addLast);
        if (!registered) {
            drain();
        }
    }

    /** Offers what waits; stops reading when the sink has no room, reads on when it took all. */
    private void drain() {
        MessageBatch batch;
        while ((batch = waiting.peekFirst()) != null) {
            int messages = batch.count();
            if (!listener.sink().offer(batch)) {
                counters.pauses.increment();
                channel.config().setAutoRead(false);
                registered = true;
                listener.sink().onRoom(batch, onRoom);
                return;
            }
            waiting.removeFirst();
            counters.batches.increment();
            counters.messages.add(messages);
        }
        if (ended) {
            finish();
        } else if (!broken) {
            channel.config().setAutoRead(true);
        }
    }

    /** Called by the sink on a thread of its choice, possibly after everything here has stopped. */
    private void scheduleResume() {
        EventLoop loop = channel.eventLoop();
        if (loop.isShuttingDown()) {
            return;
        }
        try {
            loop.execute(() -> {
                registered = false;
                drain();
            });
        } catch (RejectedExecutionException e) {
            // The loop stopped in between; a stop has counted what waited here.
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
        ctx.fireChannelInactive();
    }

    /** A channel that closed before it was active is removed without ever becoming inactive. */
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        end();
    }

    private void end() {
        if (ended) {
            return;
        }
        ended = true;
        if (!broken) {
            MessageBatch batch = filling();
            int tailLength = framer.tailLength(batch);
            if (!cutOff) {
                framer.end(batch);
            } else if (tailLength > 0) {
                batch.reject(batch.append(framer.tail(), tailLength), RejectReason.FRAME);
            }
            broken = true; // there is nothing left to park
        }
        settle();
        if (waiting.isEmpty()) {
            finish();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        cutOff = true;
        if (cause instanceof IOException) {
            counters.resets.increment();
            listener.log().warn("a connection broke", () -> peer() + ": " + cause.getMessage());
        } else {
            // A bug of ours: what was framed before goes on, this connection does not.
            broken = true;
            counters.failures.increment();
            listener.log().warn("closed a connection after an internal error", () -> peer() + ": " + cause, cause);
        }
        closeChannel();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        // A paused connection is silent because of us.
        if (event instanceof IdleStateEvent && waiting.isEmpty()) {
            counters.idleCloses.increment();
            listener.log().warn("closed an idle connection", this::peer);
            cutOff = true;
            closeChannel();
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    /** Reads what has arrived already, then closes. May be called again. */
    void stop() {
        if (stopping || ended) {
            return;
        }
        stopping = true;
        if (channel instanceof DuplexChannel duplex) {
            // A sender that looks before it sends, as rsyslog does, sees this and ends its side: then nothing that it
            // sent is on its way when we close.
            var unused = duplex.shutdownOutput();
        }
        readsAtSpell = readsSeen;
        awaitQuiet();
    }

    private void awaitQuiet() {
        var unused = eventLoop()
                .schedule(
                        () -> {
                            if (ended) {
                                return;
                            }
                            // A paused connection is silent because of us: only the stop's deadline ends it.
                            boolean paused = !waiting.isEmpty();
                            boolean quiet = readsSeen == readsAtSpell;
                            if (!paused && (quiet || ++stopSpells >= STOP_SPELLS_MAX)) {
                                cutOff = true;
                                closeChannel();
                            } else {
                                readsAtSpell = readsSeen;
                                awaitQuiet();
                            }
                        },
                        STOP_QUIET_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    /** Closes now; what still waits for room is lost, and counted. */
    void abandon() {
        abandoned = true;
        cutOff = true;
        closeChannel();
        waiting.forEach(this::lose);
        waiting.clear();
        if (ended) {
            finish();
        }
    }

    private void lose(MessageBatch batch) {
        counters.messagesLost.add(batch.count());
        listener.sink().release(batch);
    }

    private void closeChannel() {
        // How it ended shows in channelInactive, whatever the future says.
        var unused = channel.close();
    }

    private void finish() {
        if (!finished) {
            finished = true;
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

    private String peer() {
        return String.valueOf(channel.remoteAddress());
    }
}
