package io.summarizer.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.Receipt;
import io.summarizer.core.receive.RelpFramer;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A RELP session. Messages are acknowledged in their order, each when it is durable or applied. When a session breaks,
 * the sender repeats all messages that were not acknowledged. So the connection drops messages that it has not handed
 * over yet; otherwise these messages would count twice.
 * <pre>
 * read --RelpFramer--> batch + Receipt --submit--> sink ... Receipt --schedule--> acknowledgements
 * </pre>
 *
 * <p>Acknowledgements are sent as soon as there are any. The acknowledgements of one read, or of one flush of the
 * journal, are sent in one write. While a sender does not read acknowledgements, the connection reads no messages from
 * the sender. This bounds the number of acknowledgements that wait for the sender. The only answer to a message is
 * {@code 200}, because after any other answer librelp gives the message up. A session that cannot go on is closed
 * without an answer.
 *
 * <p>A session ends when the sender asks for the end, breaks a rule or has used up the transaction numbers. A session
 * also ends when the service stops. First, reading ends, all messages that were handed over are acknowledged, and
 * {@code serverclose} is sent. Then the channel stays open until the peer closes it, for at most {@value
 * #FAREWELL_MILLIS} ms. If the channel were closed at once, unread bytes of the peer would make the close a reset,
 * which could overtake the acknowledgements.
 */
final class RelpConnection extends StreamConnection {
    private static final long FAREWELL_MILLIS = 2_000;
    private static final int ANSWER_BYTES = 20;

    private final RelpFramer framer;
    private final Ack ack;
    private final RelpAnswers answers = new RelpAnswers();

    /**
     * Batches that were handed over and are not acknowledged yet, in the order of the messages. The sink takes a
     * bounded number of batches, so this list is bounded, too.
     */
    private final ArrayDeque<Taken> unanswered = new ArrayDeque<>();

    /** Whether the event loop has a task to acknowledge finished batches. */
    private final AtomicBoolean scheduled = new AtomicBoolean();

    private final Runnable answerDone = this::answerDone;

    private boolean opened; // an answer to number 1 is sent
    private boolean stopping;
    private boolean leaving; // serverclose is sent

    RelpConnection(StreamListener listener, Channel channel, RelpFramer framer, Ack ack) {
        super(listener, channel, framer);
        this.framer = framer;
        this.ack = ack;
    }

    /** A batch to be acknowledged. Threads of the journal and of the pipeline call its methods. */
    private final class Taken implements Receipt {
        private final int messages;
        private volatile boolean done;

        Taken(int messages) {
            this.messages = messages;
        }

        @Override
        public void durable() {
            if (ack == Ack.DURABLE) {
                finish();
            }
        }

        @Override
        public void applied() {
            if (ack == Ack.APPLIED) {
                finish();
            }
        }

        private void finish() {
            done = true;
            // One task for all batches that finish before it runs.
            if (scheduled.compareAndSet(false, true)) {
                schedule(answerDone);
            }
        }
    }

    @Override
    Receipt receipt(MessageBatch batch) {
        Taken taken = new Taken(batch.count());
        unanswered.addLast(taken);
        return taken;
    }

    @Override
    void readEnded() {
        String refusal = framer.refusal();
        if (!opened && (framer.opened() || refusal != null)) {
            opened = true;
            ByteBuf out = channel.alloc().buffer();
            if (refusal == null) {
                answers.opened(out);
            } else {
                answers.refused(out, refusal);
            }
            send(out);
        }
        leaveWhenDone();
    }

    private void answerDone() {
        scheduled.set(false);
        int messages = 0;
        Taken first;
        while ((first = unanswered.peekFirst()) != null && first.done) {
            unanswered.removeFirst();
            messages += first.messages;
        }
        if (hasEnded()) {
            return;
        }
        if (messages > 0) {
            ByteBuf out = channel.alloc().buffer(messages * ANSWER_BYTES);
            answers.taken(out, messages);
            counters.messagesAnswered.add(messages);
            send(out);
        }
        leaveWhenDone();
    }

    private void leaveWhenDone() {
        if (isDone() && isHandedOver() && unanswered.isEmpty() && !leaving && !hasEnded()) {
            leave();
        }
    }

    private void leave() {
        leaving = true;
        ByteBuf out = channel.alloc().buffer();
        if (framer.closeAsked()) {
            answers.closed(out);
        }
        RelpAnswers.serverClose(out);
        var unused = channel.writeAndFlush(out).addListener(sent -> endOutput());
        adjustReading(); // so that this side notices the peer's end
        var unusedTimer = eventLoop().schedule(this::closeChannel, FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void send(ByteBuf out) {
        // The result of the future also shows in the channel's state.
        var unused = channel.writeAndFlush(out);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        adjustReading();
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    boolean mayRead() {
        return leaving || (super.mayRead() && channel.isWritable());
    }

    /**
     * Whether this side waits for the peer. False when the sender's window is full, because the sender then waits for
     * acknowledgements from this side.
     */
    @Override
    boolean isPeersTurn() {
        return super.isPeersTurn() && unanswered.isEmpty();
    }

    @Override
    void channelGone() {
        dropAll();
        unanswered.clear();
    }

    @Override
    void streamEnded() {
        // Batches that were not handed over when the channel closed are dropped.
    }

    @Override
    void dropped(int messages) {
        counters.messagesForgotten.add(messages);
    }

    /** Stops reading, acknowledges the messages that were handed over, and closes. */
    @Override
    void stop() {
        if (stopping || hasEnded()) {
            return;
        }
        stopping = true;
        frameNoMore();
        adjustReading();
        leaveWhenDone();
    }
}
