package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates messages that rsyslog compressed one by one (omfwd's {@code compression.mode="single"}). A compressed
 * message is {@code z} and a zlib stream.
 */
final class FrameInflater {
    /** The zlib stream is damaged, ends early, or is followed by other bytes. */
    static final int CORRUPT = -1;
    /** The message is larger than the bound. */
    static final int OVERSIZE = -2;

    // An Inflater holds about 40 KB outside the heap and no state between messages, so there is one per thread, not per
    // connection. The Cleaner of the Inflater frees this memory after the thread has ended.
    private static final ThreadLocal<Inflater> INFLATER = ThreadLocal.withInitial(Inflater::new);

    private FrameInflater() {}

    /**
     * Inflates the {@code length} bytes at {@code offset} in the batch, which follow the {@code z}. Writes the result
     * to the same batch, from {@code target} on. The batch grows as needed; its {@link MessageBatch#limit()} does not
     * change.
     *
     * @return number of inflated bytes, at most {@code bytesMax}, or {@link #CORRUPT} or {@link #OVERSIZE}
     */
    static int inflate(MessageBatch batch, int offset, int length, int target, int bytesMax) {
        Inflater inflater = INFLATER.get();
        inflater.reset();
        inflater.setInput(batch.bytes(), offset, length);
        // The space grows with the inflated bytes, so that a short frame cannot claim memory up to the bound at once.
        int step = Math.max(1024, 4 * length);
        int made = 0;
        try {
            while (!inflater.finished()) {
                if (made > bytesMax) {
                    return OVERSIZE;
                }
                int room = Math.min(step, bytesMax + 1 - made);
                batch.ensureCapacity(target + made + room);
                int n = inflater.inflate(batch.bytes(), target + made, room);
                if (n == 0 && !inflater.finished()) {
                    return CORRUPT; // the stream needs more input, or a dictionary; neither exists
                }
                made += n;
            }
        } catch (DataFormatException e) {
            return CORRUPT;
        }
        if (made > bytesMax) {
            return OVERSIZE;
        }
        int behind = inflater.getRemaining();
        boolean terminator = behind == 1 && batch.bytes()[offset + length - 1] == '\n';
        return behind == 0 || terminator ? made : CORRUPT;
    }
}
