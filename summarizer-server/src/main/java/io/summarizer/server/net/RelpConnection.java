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
 * A RELP session: each message is answered when it is durable or applied, in the order of the messages, and whatever is not
 * answered the sender sends again. So nothing has to be saved from a session that breaks: what was not handed over then is let
 * go, or it would count twice.
 * <pre>
 *   read --RelpFramer--> batch + Receipt --submit--> sink ... Receipt --schedule--> answers of the batches done so far
 * </pre>
 *
 * <p>Answers go out as soon as there are any: those of one read, or of one flush of the journal, in one write. A sender that
 * does not take its answers is not read, which bounds what waits for it. There is no answer but {@code 200} for a message:
 * with any other librelp forgets the message for good. What cannot go on is closed without an answer.
 *
 * <p>A session ends when its sender asks for it, breaks a rule or has used up its numbers, and when the service stops: then no
 * more is read, all that was handed over is answered, {@code serverclose} is said, and the channel is closed when the peer did
 * so or after {@value #FAREWELL_MILLIS} ms: closed at once, with bytes of the peer unread, it would be a reset, which may
 * overtake the answers.
 */
final class RelpConnection extends StreamConnection {
    private static final long FAREWELL_MILLIS = 2_000;
    private static final int ANSWER_BYTES = 20;

    private final RelpFramer framer;
    private final Ack ack;
    private final RelpAnswers answers = new RelpAnswers();

    /** What was handed over and is not answered, in the order of the messages; bounded by what the sink holds. */
    private final ArrayDeque<Taken> unanswered = new ArrayDeque<>();

    /** Whether the event loop is going to look at what is done. */
    private final AtomicBoolean scheduled = new AtomicBoolean();

    private final Runnable answerDone = this::answerDone;

    private boolean opened; // number 1 is answered
    private boolean stopping;
    private boolean leaving; // serverclose is said

    RelpConnection(StreamListener listener, Channel channel, RelpFramer framer, Ack ack) {
        super(listener, channel, framer);
        this.framer = framer;
        this.ack = ack;
    }

    /** What one batch is owed. Heard on threads of the journal and the pipeline. */
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
            // One task for all that is done until it runs.
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
        adjustReading(); // to see the peer's end
        var unusedTimer = eventLoop().schedule(this::closeChannel, FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void send(ByteBuf out) {
        // How it went shows in the channel's state.
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

    /** A sender whose window is full is silent because of us, too. */
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
        // What was not handed over when the channel went is gone.
    }

    @Override
    void dropped(int messages) {
        counters.messagesForgotten.add(messages);
    }

    /** Reads no more, answers what was handed over, closes. */
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
