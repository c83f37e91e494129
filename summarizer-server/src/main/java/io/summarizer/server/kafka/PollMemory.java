package io.summarizer.server.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A bound on the memory that the records of one poll hold. Records that were compressed well may be much larger than
 * the bytes that were fetched, in any of their parts: key, value and headers. So a poll ends early when its records
 * together are large. Then this class throws an exception for the next record. Kafka's client returns the records
 * before that record, and offers the record again at the next poll. The first record of a poll is always taken. One
 * thread.
 *
 * <p>Key, value and headers of a compressed record are views of one array, which has the record's bytes; the parts of
 * an uncompressed record are views of the whole answer of a broker. A view keeps its whole array in memory, so each
 * array counts once, with all its bytes. The number of headers counts, too, because an empty header takes two bytes of
 * the array, but many more as an object. The deserializers of key and value count the record. Kafka's client does not
 * call them for a record with neither key nor value, so such a record is not counted.
 */
final class PollMemory {
    /** Ends a poll early. */
    static final class EnoughException extends SerializationException {
        private static final long serialVersionUID = 1;

        EnoughException() {
            super("the records of one poll are large enough, and the next poll goes on");
        }
    }

    /** Bytes of a header in memory: an object and two buffers. */
    private static final int HEADER_BYTES = 160;

    private final long bytesMax;
    private long arrayBytes;
    private long headerBytes;
    private byte @Nullable [] array;
    private @Nullable Headers headers;

    /**
     * @param bytesMax bound on the bytes of the arrays of one poll, and also on the bytes of its headers; the last
     *     record of a poll may exceed each bound
     */
    PollMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Begins a poll. */
    void begin() {
        arrayBytes = 0;
        headerBytes = 0;
        array = null;
        headers = null;
    }

    /**
     * Counts the record to which a key or a value belongs.
     *
     * @throws EnoughException when the poll has enough without this record
     */
    @SuppressWarnings("ByteBufferBackingArray") // the array is not read; only its size matters
    void take(ByteBuffer part, Headers headers) {
        byte[] array = part.array();
        if (array != this.array) {
            arrayBytes = sum(arrayBytes, array.length);
            this.array = array;
        }
        if (headers != this.headers) {
            int count = headers.toArray().length; // no headers, no new array
            if (count > 0) {
                headerBytes = sum(headerBytes, (long) count * HEADER_BYTES);
            }
            this.headers = headers;
        }
    }

    private long sum(long before, long bytes) {
        if (before >= bytesMax) {
            throw new EnoughException();
        }
        return before + bytes;
    }
}
