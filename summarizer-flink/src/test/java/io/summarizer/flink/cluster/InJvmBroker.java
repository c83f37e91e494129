package io.summarizer.flink.cluster;

import io.summarizer.flink.demo.JavaProcesses;
import io.summarizer.flink.demo.KafkaProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Time;

/** A Kafka broker (KRaft, one node) in this JVM, on free ports of the loopback. For one thread. */
public final class InJvmBroker implements AutoCloseable {
    private final KafkaRaftServer server;
    private final int port;

    private InJvmBroker(KafkaRaftServer server, int port) {
        this.server = server;
        this.port = port;
    }

    /** Starts one in a new or empty folder. */
    public static InJvmBroker start(Path folder) throws IOException {
        Files.createDirectories(folder);
        int port = JavaProcesses.freePort();
        Path file = KafkaProcess.configure(folder, port);
        Properties settings = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            settings.load(reader);
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int status = StorageTool.execute(
                new String[] {"format", "--cluster-id", Uuid.randomUuid().toString(), "--config", file.toString()},
                new PrintStream(said, true, StandardCharsets.UTF_8));
        if (status != 0) {
            throw new AssertionError("could not format the broker's storage: " + said.toString(StandardCharsets.UTF_8));
        }
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(settings), Time.SYSTEM);
        server.startup();
        return new InJvmBroker(server, port);
    }

    /** The address for clients. */
    public String brokers() {
        return "127.0.0.1:" + port;
    }

    /** Creates a topic. It takes records of any timestamp, as older brokers do by default. */
    public void createTopic(String name, int partitions) throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers()))) {
            NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty())
                    .configs(Map.of(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, String.valueOf(Long.MAX_VALUE)));
            admin.createTopics(List.of(topic)).all().get();
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    /** A new producer of bytes; the caller closes it. */
    public Producer<byte[], byte[]> producer(Map<String, Object> settings) {
        // One request at a time: a topic that was just made may refuse the first batch and take the next one, and the
        // broker would then never take the first one.
        Map<String, Object> all =
                new HashMap<>(Map.of("bootstrap.servers", brokers(), "max.in.flight.requests.per.connection", 1));
        all.putAll(settings);
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }
}
