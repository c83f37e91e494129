package io.summarizer.server.replay;

/**
 * The sent messages that are not acknowledged, the oldest first. They are kept in two bounded rings, one of entries and
 * one of bytes. Used by one thread. Cost: a copy of each message. Only a message that is larger than the ring causes an
 * allocation.
 */
final class Unanswered {
    private final int[] offsets;
    private final int[] lengths;
    private byte[] bytes;
    private int first;
    private int count;
    /** The position after the bytes of the newest message. */
    private int end;

    /**
     * Makes an empty ring.
     *
     * @param messagesMax largest number of messages
     * @param bytesMax largest number of bytes of all messages together; a single message may be larger
     */
    Unanswered(int messagesMax, int bytesMax) {
        offsets = new int[messagesMax];
        lengths = new int[messagesMax];
        bytes = new byte[bytesMax];
    }

    int count() {
        return count;
    }

    /** Adds a message if there is room. An empty ring has room for any message. */
    boolean add(byte[] source, int offset, int length) {
        if (count == offsets.length) {
            return false;
        }
        int place = place(length);
        if (place < 0) {
            return false;
        }
        System.arraycopy(source, offset, bytes, place, length);
        int slot = (first + count++) % offsets.length;
        offsets[slot] = place;
        lengths[slot] = length;
        end = place + length;
        return true;
    }

    /** Returns a position at which the bytes of a message fit in one piece; -1 when there is no such position. */
    private int place(int length) {
        if (count == 0) {
            if (length > bytes.length) {
                bytes = new byte[length];
            }
            return 0;
        }
        int start = offsets[first];
        if (start < end) {
            if (length <= bytes.length - end) {
                return end;
            }
            return length <= start ? 0 : -1;
        }
        return length <= start - end ? end : -1;
    }

    /** Removes the oldest message. */
    void removeFirst() {
        first = (first + 1) % offsets.length;
        count--;
    }

    /** The array with all bytes; an {@link #add} may replace it. */
    byte[] bytes() {
        return bytes;
    }

    /** Position of the bytes of message {@code index}, counted from the oldest. */
    int offset(int index) {
        return offsets[(first + index) % offsets.length];
    }

    /** Length of message {@code index}. */
    int length(int index) {
        return lengths[(first + index) % offsets.length];
    }
}
