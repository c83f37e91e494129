package io.summarizer.server.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Ignores the keys of records, and counts the memory of the records. The memory of a record without a value is counted
 * only here. One thread.
 */
final class NoKeys implements Deserializer<byte[]> {
    private static final byte[] NONE = {};

    private final PollMemory memory;

    NoKeys(PollMemory memory) {
        this.memory = memory;
    }

    @Override
    public byte[] deserialize(String topic, Headers headers, ByteBuffer key) {
        memory.take(key, headers);
        return NONE;
    }

    @Override
    public byte[] deserialize(String topic, byte[] key) {
        throw new IllegalStateException("Kafka's client passes buffers");
    }
}
