package io.summarizer.flink.evaluate;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.reject.RejectSink;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * The frames of messages that were rejected since the last completed checkpoint, as octet-counted frames that {@code
 * replay} can send again. Their size is bounded; beyond the bound, rejected messages are only counted. One thread.
 */
final class RejectedFrames implements RejectSink {
    /** Bound on the bytes of one subtask between two checkpoints. */
    static final int BYTES_MAX = 1 << 20;

    private ByteArrayOutputStream frames = new ByteArrayOutputStream();
    /** Number of bytes that the running checkpoint has taken. */
    private int taken;

    @Override
    public void reject(IMessage message, RejectReason reason, String detail) {
        int length = message.length(MessageBatch.FRAME);
        byte[] count = (length + " ").getBytes(StandardCharsets.US_ASCII);
        if (frames.size() + count.length + length <= BYTES_MAX) {
            frames.writeBytes(count);
            frames.write(message.bytes(), message.offset(MessageBatch.FRAME), length);
        }
    }

    @Override
    public void unmatched(IMessage message) {
        // The ledger counts them. Like a service with default settings, a job does not keep them.
    }

    /** The frames for a checkpoint. They stay here until {@link #completed}, in case the checkpoint fails. */
    byte[] take() {
        taken = frames.size();
        return frames.toByteArray();
    }

    /** Forgets the frames that were taken: they are in the files of a completed checkpoint. */
    void completed() {
        byte[] all = frames.toByteArray();
        frames = new ByteArrayOutputStream();
        frames.write(all, taken, all.length - taken);
        taken = 0;
    }
}
