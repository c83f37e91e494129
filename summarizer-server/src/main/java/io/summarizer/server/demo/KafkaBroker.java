package io.summarizer.server.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An Apache Kafka broker (KRaft, one node) in a process of its own, on free ports of the loopback. The folder stays
 * when the broker ends, so the broker can be killed and started again with the same folder and port. The broker ends
 * with this JVM. For one thread.
 *
 * <p>The process has the class path of this JVM. This class path must have the broker's classes, {@code kafka_2.13}.
 */
public final class KafkaBroker implements AutoCloseable {
    private static final int START_SECONDS = 120;
    private static final int STOP_SECONDS = 60;
    private static final int POLL_MS = 50;
    private static final int ANSWER_MS = 2_000;

    private final Path folder;
    private final int port;
    private final Thread onExit;
    private volatile Process process;

    private KafkaBroker(Path folder, int port) throws IOException {
        this.folder = folder;
        this.port = port;
        process = launch(Uuid.randomUuid().toString());
        // An interrupted run leaves no broker running.
        onExit = new Thread(() -> process.destroyForcibly());
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /** Starts a broker in a new or empty folder, and waits until it takes requests. */
    public static KafkaBroker start(Path folder) throws IOException, InterruptedException {
        return start(folder, Map.of());
    }

    /**
     * Starts a broker with further settings, and waits until it takes requests.
     *
     * @param folder new or empty folder for the broker's configuration, data and output
     * @param settings as in {@code server.properties}; a value may contain {@code $PORT} for the port of {@link
     *     #brokers}, and {@code $CONTROLLER} for the address of the controller
     * @throws IOException when the broker does not start; the message has its output
     */
    public static KafkaBroker start(Path folder, Map<String, String> settings)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        int port = FreePort.next();
        String controller = "127.0.0.1:" + FreePort.next();
        Map<String, String> all = new TreeMap<>(Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", "1"),
                Map.entry("controller.quorum.voters", "1@" + controller),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry(
                        "listener.security.protocol.map",
                        "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL"),
                Map.entry("listeners", "PLAINTEXT://127.0.0.1:$PORT,CONTROLLER://$CONTROLLER"),
                Map.entry("log.dirs", folder.resolve("data").toString()),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("offsets.topic.num.partitions", "1"),
                Map.entry("transaction.state.log.replication.factor", "1"),
                Map.entry("transaction.state.log.num.partitions", "1"),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("share.coordinator.state.topic.replication.factor", "1"),
                Map.entry("share.coordinator.state.topic.num.partitions", "1"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                // a broker that was killed may come back only after this time
                Map.entry("broker.session.timeout.ms", "3000"),
                Map.entry("broker.heartbeat.interval.ms", "500"),
                Map.entry("log.cleaner.dedupe.buffer.size", "16777216"),
                Map.entry("log.cleaner.backoff.ms", "1000")));
        all.putAll(settings);
        Properties properties = new Properties();
        all.forEach((key, value) -> properties.setProperty(
                key, value.replace("$PORT", Integer.toString(port)).replace("$CONTROLLER", controller)));
        try (Writer writer = Files.newBufferedWriter(configuration(folder))) {
            properties.store(writer, null);
        }
        KafkaBroker broker = new KafkaBroker(folder, port);
        try {
            broker.awaitReady();
        } catch (IOException | InterruptedException | RuntimeException e) {
            broker.close();
            throw e;
        }
        return broker;
    }

    private static Path configuration(Path folder) {
        return folder.resolve("server.properties");
    }

    private Process launch(String... cluster) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1", // it is short-lived
                "-cp",
                System.getProperty("java.class.path"),
                BrokerMain.class.getName(),
                configuration(folder).toString()));
        command.addAll(List.of(cluster));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output(folder).toFile())
                .start();
    }

    private static Path output(Path folder) {
        return folder.resolve("broker.log");
    }

    private static String read(Path folder) {
        try {
            return Files.readString(output(folder));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                throw new IOException("the broker did not start: " + read(folder));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
    }

    /** Whether the broker takes requests, and is part of its cluster. */
    private boolean isReady() throws InterruptedException {
        // A client would log each attempt to connect.
        try (Socket probe = new Socket()) {
            probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MS);
        } catch (IOException e) {
            return false;
        }
        try (Admin admin = admin()) {
            return !admin.describeCluster(new DescribeClusterOptions().timeoutMs(ANSWER_MS))
                    .nodes()
                    .get()
                    .isEmpty();
        } catch (ExecutionException e) {
            return false;
        }
    }

    /** The address for clients. */
    public String brokers() {
        return "127.0.0.1:" + port;
    }

    /** The process id. */
    public long pid() {
        return process.pid();
    }

    /** A new client for administration; the caller closes it. */
    public Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", brokers()));
    }

    /**
     * A new producer of bytes; the caller closes it.
     *
     * @param settings of the producer
     */
    public Producer<byte[], byte[]> producer(Map<String, Object> settings) {
        // Sends one request at a time. Otherwise a new topic may refuse the first batch and take the next batch, and
        // then the broker would never take the first.
        Map<String, Object> all =
                new HashMap<>(Map.of("bootstrap.servers", brokers(), "max.in.flight.requests.per.connection", 1));
        all.putAll(settings);
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /**
     * Sends records and waits until the broker has all of them.
     *
     * @param settings of the producer
     */
    public void send(Map<String, Object> settings, List<ProducerRecord<byte[], byte[]>> records)
            throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        try (Producer<byte[], byte[]> producer = producer(settings)) {
            for (ProducerRecord<byte[], byte[]> record : records) {
                sent.add(producer.send(record));
            }
            for (Future<RecordMetadata> each : sent) {
                var unused = each.get();
            }
        } catch (ExecutionException e) {
            throw new KafkaException(e.getCause());
        }
    }

    /**
     * Creates a topic.
     *
     * @param settings of the topic
     */
    public void createTopic(String name, int partitions, Map<String, String> settings) throws InterruptedException {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(settings)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new KafkaException(e.getCause());
        }
    }

    /** Sends SIGKILL, at any moment. */
    public void kill() throws IOException, InterruptedException {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Stops the broker in an orderly way, by SIGTERM. */
    public void stop() throws IOException, InterruptedException {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() throws IOException, InterruptedException {
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the broker does not end");
        }
    }

    /** Starts the broker again after {@link #kill} or {@link #stop}, and waits until it takes requests. */
    public void restart() throws IOException, InterruptedException {
        process = launch();
        awaitReady();
    }

    /** Kills the broker. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(onExit);
    }
}
