package io.summarizer.server.replay;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A sender of messages to a Kafka topic, each as the value of a record without a key. Used by one thread. */
public final class KafkaTarget implements LineSender.Target, AutoCloseable {
    private final Producer<byte[], byte[]> producer;
    private final String topic;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    private KafkaTarget(Producer<byte[], byte[]> producer, String topic) {
        this.producer = producer;
        this.topic = topic;
    }

    /** Makes a sender to an existing topic. */
    public static KafkaTarget of(String brokers, String topic) {
        // Sends one request at a time. Otherwise a new topic may refuse the first batch and take the next batch, and
        // then the broker would never take the first.
        Map<String, Object> settings = Map.of(
                "bootstrap.servers",
                brokers,
                "linger.ms",
                20,
                "compression.type",
                "lz4",
                "max.in.flight.requests.per.connection",
                1);
        return new KafkaTarget(
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()), topic);
    }

    @Override
    public void send(byte[] bytes, int offset, int length) throws IOException {
        byte[] value = Arrays.copyOfRange(bytes, offset, offset + length);
        try {
            var unused = producer.send(new ProducerRecord<>(topic, value), (written, e) -> {
                if (e != null) {
                    failure.compareAndSet(null, e);
                }
            });
        } catch (KafkaException e) {
            throw new IOException("Kafka does not take a message: " + e.getMessage(), e);
        }
        check();
    }

    @Override
    public void finish() throws IOException {
        producer.flush();
        check();
    }

    private void check() throws IOException {
        Exception failed = failure.get();
        if (failed != null) {
            throw new IOException("Kafka did not take a message: " + failed.getMessage(), failed);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
