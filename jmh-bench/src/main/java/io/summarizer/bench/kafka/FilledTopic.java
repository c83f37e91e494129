package io.summarizer.bench.kafka;

import io.summarizer.server.demo.KafkaBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** A topic that has the lines of a file as records. Immutable. */
public record FilledTopic(String name, int partitions, long records) {
    /**
     * The settings of a sender like rsyslog with the shipped configuration: batches of up to 1 MB, compressed by lz4.
     */
    private static final Map<String, Object> SENDER =
            Map.of("acks", "all", "compression.type", "lz4", "linger.ms", 20, "batch.size", 1_000_000);

    /** Creates a topic, adds the lines of a file {@code times} times, and waits until the broker has all of them. */
    public static FilledTopic of(KafkaBroker broker, String name, int partitions, Path lines, int times)
            throws IOException, InterruptedException {
        broker.createTopic(name, partitions, Map.of());
        return new FilledTopic(name, partitions, 0).add(broker, lines, times);
    }

    /** Adds the lines of a file {@code times} times, and waits until the broker has all of them. */
    public FilledTopic add(KafkaBroker broker, Path lines, int times) throws IOException {
        long added = 0;
        AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
        try (Producer<byte[], byte[]> producer = broker.producer(SENDER)) {
            for (int i = 0; i < times; i++) {
                try (BufferedReader in = Files.newBufferedReader(lines, StandardCharsets.ISO_8859_1)) {
                    for (String line = in.readLine(); line != null; line = in.readLine()) {
                        byte[] value = line.getBytes(StandardCharsets.ISO_8859_1);
                        var unused = producer.send(new ProducerRecord<>(name, value), (at, failed) -> {
                            if (failed != null) {
                                failure.set(failed);
                            }
                        });
                        added++;
                    }
                }
            }
        }
        if (failure.get() != null) {
            throw new IOException("the broker does not take a record", failure.get());
        }
        return new FilledTopic(name, partitions, records + added);
    }
}
