package io.summarizer.server.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Takes values from Kafka's client without a copy, and bounds the memory of the values of one poll. Records that were
 * compressed well may be much larger than the bytes that were fetched. So only the beginning of an oversized value is
 * kept. A poll ends early when the sum of its values is large: the client then gets an exception, returns the records
 * before this value, and asks for the value again at the next poll. One thread.
 */
final class BoundedValues implements Deserializer<ByteBuffer> {
    /** Ends a poll early. */
    static final class EnoughException extends SerializationException {
        private static final long serialVersionUID = 1;

        EnoughException() {
            super("the values of one poll are large enough, and the next poll goes on");
        }
    }

    private final int valueBytesMax;
    private final int pollBytesMax;
    private long taken;

    /**
     * @param valueBytesMax maximum number of bytes that are kept of a value
     * @param pollBytesMax bytes of the values of one poll; the last value may go beyond them
     */
    BoundedValues(int valueBytesMax, int pollBytesMax) {
        this.valueBytesMax = valueBytesMax;
        this.pollBytesMax = pollBytesMax;
    }

    /** Begins a poll. */
    void begin() {
        taken = 0;
    }

    @Override
    public ByteBuffer deserialize(String topic, Headers headers, ByteBuffer value) {
        if (taken >= pollBytesMax) {
            throw new EnoughException();
        }
        if (value.remaining() <= valueBytesMax) {
            taken += value.remaining();
            return value;
        }
        ByteBuffer beginning = ByteBuffer.allocate(valueBytesMax);
        taken += valueBytesMax;
        return beginning.put(0, value, value.position(), valueBytesMax);
    }

    @Override
    public ByteBuffer deserialize(String topic, byte[] value) {
        throw new IllegalStateException("Kafka's client passes buffers");
    }
}
