package io.summarizer.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBrokerTest {
    @Test
    void recordsOutliveAKilledBroker(@TempDir Path folder) throws Exception {
        try (KafkaBroker broker = KafkaBroker.start(folder)) {
            broker.createTopic("events", 2, Map.of());
            send(broker, "before");
            String address = broker.brokers();

            broker.kill();
            broker.restart();

            assertThat(broker.brokers()).isEqualTo(address);
            send(broker, "after");
            assertThat(read(broker)).containsExactly("before", "after");
        }
    }

    private static void send(KafkaBroker broker, String value) throws Exception {
        try (Producer<byte[], byte[]> producer = broker.producer(Map.of())) {
            producer.send(new ProducerRecord<>("events", 1, null, value.getBytes(StandardCharsets.UTF_8)))
                    .get();
        }
    }

    private static List<String> read(KafkaBroker broker) {
        List<String> values = new ArrayList<>();
        TopicPartition partition = new TopicPartition("events", 1);
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", broker.brokers()),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = Objects.requireNonNull(
                    consumer.endOffsets(List.of(partition)).get(partition));
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> each : consumer.poll(Duration.ofSeconds(1))) {
                    values.add(new String(each.value(), StandardCharsets.UTF_8));
                }
            }
        }
        return values;
    }
}
