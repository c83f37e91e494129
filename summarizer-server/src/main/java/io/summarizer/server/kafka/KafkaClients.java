package io.summarizer.server.kafka;

import io.summarizer.core.message.KafkaRange.Partition;
import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigException;

/**
 * Makes Kafka's clients. The properties file adds to their settings, but cannot change the settings on which the
 * exactness of counts depends. No message of this class shows a value of the file, because values may be passwords.
 * Immutable.
 */
public final class KafkaClients {
    /** Maximum number of compressed bytes that a fetch from one broker brings. */
    private static final int FETCH_BYTES_MAX = 16 << 20;

    /** Maximum number of records of a poll. */
    static final int POLL_RECORDS_MAX = 2_000;

    private static final int TIMEOUT_MS = 10_000;
    private static final int RECONNECT_MS_MAX = 5_000;

    /** Longest time that a client gets to end. Without a limit, it waits for the answers of brokers. */
    private static final Duration CLOSE = Duration.ofSeconds(2);

    private final KafkaSettings settings;
    private final Map<String, Object> common;

    private KafkaClients(KafkaSettings settings, Map<String, Object> common) {
        this.settings = settings;
        this.common = common;
    }

    /**
     * Reads the properties file and checks its settings. Connects to no broker.
     *
     * @throws IOException when the file cannot be read, or has a setting that is not allowed; the message says what to
     *     do
     */
    public static KafkaClients of(KafkaSettings settings) throws IOException {
        Map<String, Object> common = new HashMap<>();
        common.put("client.id", "summarizer");
        common.put("default.api.timeout.ms", TIMEOUT_MS);
        common.put("request.timeout.ms", TIMEOUT_MS);
        common.put("reconnect.backoff.max.ms", RECONNECT_MS_MAX);
        common.put("enable.metrics.push", false);
        common.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES_MAX);
        Map<String, Object> ours = own(settings);
        if (settings.propertiesFile().isPresent()) {
            common.putAll(read(settings.propertiesFile().get(), ours.keySet()));
        }
        common.putAll(ours);
        KafkaClients clients = new KafkaClients(settings, common);
        try {
            var unused = new ConsumerConfig(clients.consumerSettings(POLL_RECORDS_MAX));
        } catch (ConfigException e) {
            throw new IOException(
                    "listen.kafka.properties-file: Kafka's client does not take it: " + e.getMessage(), e);
        }
        return clients;
    }

    /** The settings that nobody can change. */
    private static Map<String, Object> own(KafkaSettings settings) {
        Map<String, Object> own = new HashMap<>();
        own.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, String.join(",", settings.brokers()));
        own.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        own.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        return own;
    }

    private static Map<String, Object> read(Path file, Set<String> ours) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("listen.kafka.properties-file: " + file + " cannot be read: " + e.getMessage(), e);
        }
        Set<String> refused = new TreeSet<>(ours);
        refused.addAll(Set.of(
                ConsumerConfig.GROUP_ID_CONFIG,
                ConsumerConfig.GROUP_PROTOCOL_CONFIG,
                ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
                ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
                ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG));
        refused.retainAll(properties.stringPropertyNames());
        if (!refused.isEmpty()) {
            throw new IOException("listen.kafka.properties-file: " + file + " sets " + String.join(", ", refused)
                    + ", which the service sets itself, so that it counts each record once; remove that from the file");
        }
        Map<String, Object> read = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> read.put(name, properties.getProperty(name)));
        return read;
    }

    private Map<String, Object> consumerSettings(int pollRecordsMax) {
        Map<String, Object> all = new HashMap<>(common);
        all.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, pollRecordsMax);
        // For the check; instances replace them.
        all.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, Bounded.class);
        all.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, Bounded.class);
        if (!settings.group().isEmpty()) {
            all.put(ConsumerConfig.GROUP_ID_CONFIG, settings.group());
        }
        return all;
    }

    /** The settings of the listener. */
    KafkaSettings settings() {
        return settings;
    }

    /**
     * A new consumer, without partitions.
     *
     * @param pollRecordsMax maximum number of records of a poll
     * @param onMetadata runs when the consumer has new metadata of the brokers, before it fetches with them
     * @throws KafkaException for example while no name of a broker can be resolved
     */
    Consumer<byte[], ByteBuffer> consumer(PollMemory memory, int pollRecordsMax, Runnable onMetadata) {
        return new KafkaConsumer<>(
                consumerSettings(pollRecordsMax), Bounded.keys(memory), Bounded.values(memory, onMetadata));
    }

    /** A new client for questions about topics. */
    Admin admin() {
        return Admin.create(common);
    }

    /** Closes a client within two seconds. */
    static void close(Consumer<?, ?> consumer) {
        consumer.close(CloseOptions.timeout(CLOSE));
    }

    /** Closes a client within two seconds. */
    static void close(Admin admin) {
        admin.close(CLOSE);
    }

    /** The brokers, for people. */
    String brokers() {
        return String.join(", ", settings.brokers());
    }

    /** A partition of a topic that was described. */
    static Partition partition(TopicDescription topic, int number) {
        Uuid id = topic.topicId();
        return new Partition(id.getMostSignificantBits(), id.getLeastSignificantBits(), topic.name(), number);
    }

    /** The message of a failure of Kafka's client, with the message of its cause. */
    static String text(Throwable failure) {
        Throwable cause = failure.getCause();
        String text = failure.getClass().getSimpleName() + ": " + failure.getMessage();
        return cause == null || cause.getMessage() == null ? text : text + " (" + cause.getMessage() + ")";
    }
}
