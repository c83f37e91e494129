package io.summarizer.server.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/** Ignores the keys of records without a copy. Stateless. */
final class NoKeys implements Deserializer<byte[]> {
    private static final byte[] NONE = {};

    @Override
    public byte[] deserialize(String topic, Headers headers, ByteBuffer key) {
        return NONE;
    }

    @Override
    public byte[] deserialize(String topic, byte[] key) {
        return NONE;
    }
}
