package io.summarizer.server.replay;

/**
 * Messages that were sent and are not answered, the oldest first, with their bytes: a ring of each, bounded by number and
 * bytes. One thread. Cost: a copy of each message; no allocation but for one larger than all that the ring holds.
 */
final class Unanswered {
    private final int[] offsets;
    private final int[] lengths;
    private byte[] bytes;
    private int first;
    private int count;
    /** Behind the bytes of the youngest. */
    private int end;

    /**
     * Without messages.
     *
     * @param messagesMax how many there may be
     * @param bytesMax how many bytes they may have; a larger message can be there alone
     */
    Unanswered(int messagesMax, int bytesMax) {
        offsets = new int[messagesMax];
        lengths = new int[messagesMax];
        bytes = new byte[bytesMax];
    }

    int count() {
        return count;
    }

    /** Adds a message, unless there is no room for it; there is when there is no other one. */
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

    /** Where a message's bytes can lie together, -1 for nowhere. */
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

    /** Forgets the oldest. */
    void removeFirst() {
        first = (first + 1) % offsets.length;
        count--;
    }

    /** The array that all bytes lie in; another one after an {@link #add}, perhaps. */
    byte[] bytes() {
        return bytes;
    }

    /** Where the bytes of message {@code index}, counted from the oldest, begin. */
    int offset(int index) {
        return offsets[(first + index) % offsets.length];
    }

    /** How many they are. */
    int length(int index) {
        return lengths[(first + index) % offsets.length];
    }
}
