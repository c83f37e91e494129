package io.summarizer.core.journal;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The unpacked body of a record. It begins with a number for each message: twice the length of the frame, plus one if
 * the message was rejected. The number of a rejected message is followed by a byte with the reason. After all numbers
 * come all frames, without gaps. A number has seven bits in each byte, the lowest bits first. The eighth bit is set in
 * each byte of a number, except for the last byte.
 *
 * <p>The body has only the frame of each message. Slices and topics are restored by parsing the envelope. One thread.
 * No allocation in the steady state.
 */
final class MessageBody {
    private static final int NUMBER_BYTES_MAX = 5;

    /**
     * The numbers of a body. They are gathered in an array, because single bytes are written faster there than outside
     * the heap.
     */
    private byte[] numbers = new byte[1024];

    /** Upper bound on the bytes of a body of {@code batch}. */
    static long bytesMax(MessageBatch batch) {
        int count = batch.count();
        long bytes = (long) count * (NUMBER_BYTES_MAX + 1);
        for (int i = 0; i < count; i++) {
            bytes += batch.length(i, MessageBatch.FRAME);
        }
        return bytes;
    }

    /**
     * Puts the messages of {@code batch} into {@code target} at {@code offset}. Returns the offset after the messages.
     */
    int put(MessageBatch batch, ByteBuffer target, int offset) {
        int count = batch.count();
        if (numbers.length < count * (NUMBER_BYTES_MAX + 1)) {
            numbers = new byte[2 * count * (NUMBER_BYTES_MAX + 1)];
        }
        byte[] numbers = this.numbers;
        int length = 0;
        for (int i = 0; i < count; i++) {
            RejectReason reason = batch.message(i).rejectReason();
            int rejected = reason == RejectReason.NONE ? 0 : 1;
            int number = batch.length(i, MessageBatch.FRAME) << 1 | rejected;
            while ((number & ~0x7f) != 0) {
                numbers[length++] = (byte) (number | 0x80);
                number >>>= 7;
            }
            numbers[length++] = (byte) number;
            if (rejected != 0) {
                numbers[length++] = (byte) JournalFormat.code(reason);
            }
        }
        target.put(offset, numbers, 0, length);
        int at = offset + length;
        byte[] bytes = batch.bytes();
        for (int i = 0; i < count; i++) {
            int frame = batch.length(i, MessageBatch.FRAME);
            target.put(at, bytes, batch.offset(i, MessageBatch.FRAME), frame);
            at += frame;
        }
        return at;
    }

    /**
     * Appends the messages of a body to an empty batch: the frames, and the reasons of rejected messages.
     *
     * @param into the batch; null when the body is only to be checked
     * @throws JournalException when the bytes are not the body of {@code count} messages
     */
    static void get(byte[] body, int length, int count, @Nullable MessageBatch into) throws JournalException {
        if (count > length) {
            throw new JournalException("a record of messages=" + count + " in bytes=" + length);
        }
        int frames = framesAt(body, length, count);
        int total = length - frames;
        if (into != null) {
            into.ensureCapacity(total);
            System.arraycopy(body, frames, into.bytes(), 0, total);
            into.limit(total);
        }
        int at = 0;
        long offset = 0;
        for (int i = 0; i < count; i++) {
            int number = 0;
            int shift = 0;
            byte b;
            do {
                b = body[at++];
                number |= (b & 0x7f) << shift;
                shift += 7;
            } while (b < 0);
            int frame = number >>> 1;
            RejectReason reason = (number & 1) == 0 ? RejectReason.NONE : JournalFormat.rejectReason(body[at++]);
            if (offset + frame > total) {
                throw new JournalException("a frame of bytes=" + frame + " at=" + offset + " of=" + total);
            }
            if (into != null) {
                int message = into.append((int) offset, frame);
                if (reason != RejectReason.NONE) {
                    into.reject(message, reason);
                }
            }
            offset += frame;
        }
        if (offset != total) {
            throw new JournalException("frames of bytes=" + offset + " of=" + total);
        }
    }

    /** Returns the start of the frames, which follow the numbers. Checks that each number ends within the body. */
    private static int framesAt(byte[] body, int length, int count) throws JournalException {
        int at = 0;
        for (int i = 0; i < count; i++) {
            int start = at;
            while (at < length && body[at] < 0) {
                at++;
            }
            if (at >= length || at - start >= NUMBER_BYTES_MAX) {
                throw new JournalException("a record of messages=" + count + " in bytes=" + length);
            }
            // The lowest bit of the first byte tells whether a reason follows.
            at += 1 + (body[start] & 1);
        }
        if (at > length) {
            throw new JournalException("a record of messages=" + count + " in bytes=" + length);
        }
        return at;
    }
}
