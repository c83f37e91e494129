package io.summarizer.server.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/** Takes values from Kafka's client without a copy, and counts the memory of their records. One thread. */
final class BoundedValues implements Deserializer<ByteBuffer> {
    private final PollMemory memory;

    BoundedValues(PollMemory memory) {
        this.memory = memory;
    }

    @Override
    public ByteBuffer deserialize(String topic, Headers headers, ByteBuffer value) {
        memory.take(value, headers);
        return value;
    }

    @Override
    public ByteBuffer deserialize(String topic, byte[] value) {
        throw new IllegalStateException("Kafka's client passes buffers");
    }
}
