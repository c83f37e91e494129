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
import io.summarizer.core.receive.StreamFramer;
import io.summarizer.server.tls.TlsHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection: copies what a read brought into a batch, has it framed, and offers the batch when the read ends.
 *
 * <p>All state belongs to the channel's event loop. Between reads a connection holds the bytes of its unfinished message
 * and nothing else. A batch that the sink refuses waits here, and the channel does not read until the sink took it; the
 * batches of a connection are handed over in the order of their bytes.
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
    private final Runnable onRoom = this::scheduleResume;

    /** Refused batches, oldest first. More than one only when the channel read on after it was told not to. */
    private final ArrayDeque<MessageBatch> waiting = new ArrayDeque<>(2);

    private boolean registered; // with the sink, which will call onRoom
    private @Nullable MessageBatch filling;
    private boolean lingering; // a batch waits for more messages, and a timer ends it
    private boolean done; // nothing more is framed
    private boolean cutOff; // the stream ended without the peer saying so
    private boolean ended; // the channel is gone
    private boolean finished; // and nothing waits
    private boolean abandoned; // the stop's deadline has passed
    private long readsSeen;
    /** Messages framed so far, to tell an old unfinished message from a new one. */
    private long framedSeen;

    private boolean timing; // an unfinished message has a timer
    private boolean closeNotified; // TLS: the peer said that its stream ends here

    StreamConnection(StreamListener listener, Channel channel, StreamFramer framer) {
        this.listener = listener;
        this.counters = listener.counters();
        this.channel = channel;
        this.framer = framer;
        address = channel.remoteAddress() instanceof InetSocketAddress peer ? peer.getAddress() : null;
    }

    /** To be called before anything is read, when there is TLS between the channel and this connection. */
    final void encryptedBy(TlsHandler tls) {
        this.tls = tls;
    }

    /** Bytes that the next read may bring. Those of TLS records are some more than what is in them. */
    final int room() {
        MessageBatch batch = filling;
        int free = batch != null
                ? batch.bytes().length - batch.limit()
                : MessageBatch.DEFAULT_BYTES - framer.parkedLength();
        return Math.max(free, MIN_READ_BYTES);
    }

    /** Bytes of memory held for this connection's data right now. */
    final long heldBytes() {
        long held = framer.parkedLength();
        if (filling != null) {
            held += filling.heldBytes();
        }
        for (MessageBatch batch : waiting) {
            held += batch.heldBytes();
        }
        if (tls != null) {
            held += tls.heldBytes();
        }
        return held;
    }

    final EventLoop eventLoop() {
        return channel.eventLoop();
    }

    @Override
    public final void channelRead(ChannelHandlerContext ctx, Object received) {
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
        if (done) {
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
            while (framer.frame(batch) == StreamFramer.Outcome.FULL) {
                batch = rotate(batch);
            }
        }
        if (framer.closed()) {
            done = true;
            counters.bytesDiscarded.add(framer.tailLength(batch) + buffer.readableBytes());
            if (framer.closeReason() != null) {
                counters.framingCloses.increment();
                listener.log()
                        .warn("closed a connection that cannot be read on", () -> peer() + ": " + framer.closeReason());
            }
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
    public final void channelReadComplete(ChannelHandlerContext ctx) {
        if (!linger()) {
            settle();
        }
        timeUnfinished();
        readEnded();
    }

    /** Has a timer look at the unfinished message, if there is one and none does. */
    private void timeUnfinished() {
        long timeout = listener.messageTimeoutNanos();
        if (timeout > 0 && !timing && !done && isUnfinished()) {
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
        if (ended || done) {
            return;
        }
        // While we do not read, it is us who are slow.
        if (framed == framedSeen
                && isUnfinished()
                && waiting.isEmpty()
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
        if (batch == null || done || ended || batch.count() == 0 || listener.isFull(batch)) {
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
    final void settle() {
        MessageBatch batch = filling;
        if (batch == null) {
            return;
        }
        boolean empty = batch.count() == 0;
        if (!done) {
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
        handingOver(batch);
        listener.sink().split(batch, waiting::addLast);
        if (!registered) {
            drain();
        }
    }

    /** A batch of this connection is about to be handed over, whole. */
    abstract void handingOver(MessageBatch batch);

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
        } else {
            adjustReading();
        }
    }

    /** Has the channel read, unless something stands against it. */
    final void adjustReading() {
        if (!ended && channel.isActive()) {
            channel.config().setAutoRead(waiting.isEmpty() && mayRead());
        }
    }

    /** Whether more can be made of what a read would bring. */
    boolean mayRead() {
        return !done;
    }

    /** Called by the sink on a thread of its choice, possibly after everything here has stopped. */
    private void scheduleResume() {
        schedule(() -> {
            registered = false;
            drain();
        });
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
        if (ended) {
            return;
        }
        ended = true;
        if (tls != null && !closeNotified) {
            cutOff = true; // that TCP ended, anybody on the way can bring about (RFC 8446 §6.1)
        }
        channelGone();
        if (waiting.isEmpty()) {
            finish();
        }
    }

    /** The channel is gone; the connection ends when nothing waits for room. */
    abstract void channelGone();

    /** Makes of an unfinished message what is to be made of it at the stream's end, and hands it over. */
    final void endStream() {
        if (!done) {
            MessageBatch batch = filling();
            if (cutOff) {
                framer.breakOff(batch);
            } else {
                framer.end(batch);
            }
            done = true; // there is nothing left to park
        }
        settle();
    }

    /** Lets go of all that was not handed over. */
    final void dropAll() {
        done = true;
        MessageBatch batch = filling;
        if (batch != null) {
            filling = null;
            counters.bytesDiscarded.add(framer.tailLength(batch));
            forget(batch);
        }
        dropWaiting();
    }

    /** Lets go of a batch that was not split. */
    private void forget(MessageBatch batch) {
        dropped(batch.count());
        listener.sink().release(batch);
    }

    private void dropWaiting() {
        for (MessageBatch batch : waiting) {
            dropped(batch.count());
            listener.sink().drop(batch);
        }
        waiting.clear();
    }

    /** Counts messages that could not be handed over. */
    abstract void dropped(int messages);

    @Override
    public final void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        cutOff = true;
        if (cause instanceof IOException) {
            counters.resets.increment();
            listener.log().warn("a connection broke", () -> peer() + ": " + cause.getMessage());
        } else {
            // A bug of ours: what was framed before goes on, this connection does not.
            done = true;
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
                closeNotified = true;
                closeChannel(); // as the end of the stream closes one without TLS
            }
        } else {
            ctx.fireUserEventTriggered(event);
        }
    }

    /** Whether the peer could send. A paused connection is silent because of us. */
    boolean isPeersTurn() {
        return waiting.isEmpty();
    }

    /** Ends the connection in an orderly way, as far as that is possible. May be called again. */
    abstract void stop();

    /** Closes now; what still waits for room is dropped. */
    final void abandon() {
        abandoned = true;
        cutOff();
        dropWaiting();
        if (ended) {
            finish();
        }
    }

    /** Closes in the middle of the stream. */
    final void cutOff() {
        cutOff = true;
        closeChannel();
    }

    /** Says that nothing more is framed: what a read brings from now on is thrown away. */
    final void frameNoMore() {
        if (!done) {
            settle();
            done = true;
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

    final boolean isDone() {
        return done;
    }

    final boolean hasEnded() {
        return ended;
    }

    /** Whether nothing waits for room. */
    final boolean isHandedOver() {
        return waiting.isEmpty();
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
