package io.summarizer.server.kafka;

import java.nio.ByteBuffer;
import java.util.function.Function;
import org.apache.kafka.common.ClusterResource;
import org.apache.kafka.common.ClusterResourceListener;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;

/**
 * Takes keys or values from Kafka's client without a copy, and counts the memory of their records. The memory of a
 * record without a value is counted only with its key. One thread.
 *
 * @param taken what becomes of the buffer of a key or value
 * @param onMetadata runs when the client has new metadata of the brokers, before it fetches with them
 */
record Bounded<T>(PollMemory memory, Function<ByteBuffer, T> taken, Runnable onMetadata)
        implements Deserializer<T>, ClusterResourceListener {
    private static final byte[] NONE = {};

    /** Ignores the keys. */
    static Bounded<byte[]> keys(PollMemory memory) {
        return new Bounded<>(memory, key -> NONE, () -> {});
    }

    /** Returns the values as they are. */
    static Bounded<ByteBuffer> values(PollMemory memory, Runnable onMetadata) {
        return new Bounded<>(memory, value -> value, onMetadata);
    }

    @Override
    public void onUpdate(ClusterResource cluster) {
        onMetadata.run();
    }

    @Override
    public T deserialize(String topic, Headers headers, ByteBuffer part) {
        memory.take(part, headers);
        return taken.apply(part);
    }

    @Override
    public T deserialize(String topic, byte[] part) {
        throw new IllegalStateException("Kafka's client passes buffers");
    }
}
