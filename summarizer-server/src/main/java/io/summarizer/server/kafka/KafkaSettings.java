package io.summarizer.server.kafka;

import io.summarizer.core.message.RecordRule;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the Kafka listener. Immutable.
 *
 * @param brokers addresses, HOST:PORT; empty when there is no listener
 * @param topics names of Kafka topics
 * @param rule how records become messages
 * @param propertiesFile further settings of Kafka's client, such as those of TLS and SASL
 * @param group group to which offsets are committed, for lag monitors; empty for none
 * @param timezone time zone of timestamps without a zone
 */
public record KafkaSettings(
        List<String> brokers,
        List<String> topics,
        RecordRule rule,
        KafkaStart start,
        Optional<Path> propertiesFile,
        String group,
        ZoneId timezone) {
    /** Largest value of {@code max-message-size}. */
    public static final int MESSAGE_BYTES_MAX = 16 << 20;

    public KafkaSettings {
        brokers = List.copyOf(brokers);
        topics = List.copyOf(topics);
    }

    /** Whether there is a listener. */
    public boolean isOn() {
        return !brokers.isEmpty();
    }
}
