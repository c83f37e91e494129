package io.summarizer.core.receive;

import io.summarizer.core.message.MessageBatch;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Undoes rsyslog's message compression (omfwd's {@code compression.mode="single"}): {@code z} and a zlib stream. */
final class FrameInflater {
    /** The zlib stream is damaged, ends early, or has something behind it. */
    static final int CORRUPT = -1;
    /** The message is larger than the bound. */
    static final int OVERSIZE = -2;

    // An Inflater holds some 40 KB outside of the heap and no state between messages: one for each thread, not for each
    // connection. Its own Cleaner frees it with the thread.
    private static final ThreadLocal<Inflater> INFLATER = ThreadLocal.withInitial(Inflater::new);

    private FrameInflater() {}

    /**
     * Inflates {@code length} bytes at {@code offset} of the batch (the {@code z} not among them) to {@code target} in
     * the same batch, which grows as needed; {@link MessageBatch#limit()} stays.
     *
     * @return bytes made, at most {@code bytesMax}, or {@link #CORRUPT} or {@link #OVERSIZE}
     */
    static int inflate(MessageBatch batch, int offset, int length, int target, int bytesMax) {
        Inflater inflater = INFLATER.get();
        inflater.reset();
        inflater.setInput(batch.bytes(), offset, length);
        // Room grows with what really comes out, so that a short frame cannot ask for the bound's worth of memory.
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
                    return CORRUPT; // wants more input or a dictionary, and there is none
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
