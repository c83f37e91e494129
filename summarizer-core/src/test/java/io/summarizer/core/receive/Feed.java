package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.StreamFramer.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Drives a framer as its callers do, with batches of any size, and collects the messages. */
final class Feed {
    final StreamFramer framer;
    final List<Received> messages = new ArrayList<>();
    private final int batchBytes;
    private final boolean parks;
    private MessageBatch batch;
    private boolean begun;
    /** Size of the largest array that was needed. */
    int bytesMax;

    /** Parks the tail after each read, or leaves it in the batch until that is full. */
    Feed(StreamFramer framer, int batchBytes, boolean parks) {
        this.framer = framer;
        this.batchBytes = batchBytes;
        this.parks = parks;
        batch = new MessageBatch(batchBytes);
    }

    static SyslogFramer framer(Framing framing, int messageBytesMax) {
        return new SyslogFramer(framing, messageBytesMax, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME));
    }

    /** One read. */
    void read(byte[] bytes, int offset, int length) {
        begin();
        int at = offset;
        int end = offset + length;
        while (at < end && !framer.closed()) {
            if (!framer.reserve(batch)) {
                next();
                continue;
            }
            int n = Math.min(end - at, batch.bytes().length - batch.limit());
            System.arraycopy(bytes, at, batch.bytes(), batch.limit(), n);
            batch.limit(batch.limit() + n);
            at += n;
            while (framer.frame(batch) == Outcome.FULL) {
                next();
            }
            bytesMax = Math.max(bytesMax, batch.bytes().length);
        }
        if (parks) {
            framer.park(batch);
            begun = false;
        }
    }

    /** Ends the stream; returns all of its messages. */
    List<Received> end() {
        begin();
        framer.end(batch);
        messages.addAll(Received.all(batch));
        batch = new MessageBatch(batchBytes);
        begun = false;
        return messages;
    }

    private void begin() {
        if (!begun) {
            framer.begin(batch);
            begun = true;
        }
    }

    private void next() {
        MessageBatch full = batch;
        batch = framer.carryOver(full, new MessageBatch(batchBytes));
        messages.addAll(Received.all(full));
    }
}
