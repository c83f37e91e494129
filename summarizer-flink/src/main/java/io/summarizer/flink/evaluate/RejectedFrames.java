package io.summarizer.flink.evaluate;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.reject.RejectSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The frames of rejected messages that are not in files yet, as octet-counted frames that {@code replay} can send
 * again. Bounded: further messages are only counted, in the ledger.
 *
 * <p>The frames between two barriers belong to a file with the number of the later checkpoint. Some checkpoints may
 * have been aborted before their files were written. So when the file of a checkpoint is written, the missing files of
 * earlier checkpoints are written first. When a checkpoint is complete, each frame before the checkpoint's barrier is
 * exactly once in the files up to the checkpoint's number.
 *
 * <p>One thread rejects and takes; any thread writes.
 */
final class RejectedFrames implements RejectSink {
    /** Bound on the bytes of one subtask that are not in files. */
    static final int BYTES_MAX = 1 << 20;

    private final ByteArrayOutputStream frames = new ByteArrayOutputStream();
    /** Frames that wait to be written, by the checkpoint whose barrier followed them. */
    private final ConcurrentSkipListMap<Long, byte[]> taken = new ConcurrentSkipListMap<>();
    /** Bytes of {@link #taken}. */
    private final AtomicInteger takenBytes = new AtomicInteger();
    /** Held while files are written. */
    private final Object writing = new Object();

    /** Writes a file. */
    @FunctionalInterface
    interface Writer {
        /** Writes the frames of a checkpoint. Replaces the file if a failed attempt has left one. */
        void write(long checkpoint, byte[] frames) throws IOException;
    }

    @Override
    public void reject(IMessage message, RejectReason reason, String detail) {
        int length = message.length(MessageBatch.FRAME);
        byte[] count = (length + " ").getBytes(StandardCharsets.US_ASCII);
        if (takenBytes.get() + frames.size() + count.length + length <= BYTES_MAX) {
            frames.writeBytes(count);
            frames.write(message.bytes(), message.offset(MessageBatch.FRAME), length);
        }
    }

    @Override
    public void unmatched(IMessage message) {
        // The ledger counts unmatched messages. A job does not keep them, like a service with default settings.
    }

    /** Ends the frames before the barrier of a checkpoint. */
    void take(long checkpoint) {
        if (frames.size() > 0) {
            takenBytes.addAndGet(frames.size());
            taken.put(checkpoint, frames.toByteArray());
            frames.reset();
        }
    }

    /**
     * Writes the frames before the barrier of a checkpoint, except the frames that are already in files. Then forgets
     * the written frames.
     */
    void write(long checkpoint, Writer writer) throws IOException {
        synchronized (writing) {
            for (Map.Entry<Long, byte[]> each : taken.headMap(checkpoint, true).entrySet()) {
                writer.write(each.getKey(), each.getValue());
                taken.remove(each.getKey());
                takenBytes.addAndGet(-each.getValue().length);
            }
        }
    }
}
