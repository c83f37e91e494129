package io.summarizer.server.kafka;

import io.summarizer.server.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
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
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An Apache Kafka broker (KRaft, one node) in a process of its own, on free ports of the loopback, with a folder that
 * outlives it: it can be killed and started again on the same folder and port. It ends with this JVM. For one thread.
 */
public final class KafkaBroker implements AutoCloseable {
    private static final long STOP_SECONDS = 30;

    private final Path folder;
    private final int port;
    private final Thread onExit;
    private volatile Process process;

    private KafkaBroker(Path folder, int port) throws IOException {
        this.folder = folder;
        this.port = port;
        process = launch(folder);
        // An interrupted test run leaves no broker running.
        onExit = new Thread(() -> process.destroyForcibly());
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    /** Starts one in a new or empty folder, and waits until it takes requests. */
    public static KafkaBroker start(Path folder) throws IOException {
        return start(folder, Map.of());
    }

    /**
     * Starts one.
     *
     * @param folder new or empty; holds its configuration, its data and its output
     * @param settings as in {@code server.properties}; in values, {@code $PORT} stands for the port of {@link #brokers},
     *     and {@code $CONTROLLER} for the address of the controller
     */
    public static KafkaBroker start(Path folder, Map<String, String> settings) throws IOException {
        Files.createDirectories(folder);
        int port = freePort();
        String controller = "127.0.0.1:" + freePort();
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
                Map.entry("log.cleaner.dedupe.buffer.size", "16777216")));
        all.putAll(settings);
        Properties properties = new Properties();
        all.forEach((key, value) -> properties.setProperty(
                key, value.replace("$PORT", Integer.toString(port)).replace("$CONTROLLER", controller)));
        try (Writer writer = Files.newBufferedWriter(configuration(folder))) {
            properties.store(writer, null);
        }
        format(folder);
        KafkaBroker broker = new KafkaBroker(folder, port);
        try {
            broker.awaitReady();
        } catch (AssertionError e) {
            broker.close();
            throw e;
        }
        return broker;
    }

    private static Path configuration(Path folder) {
        return folder.resolve("server.properties");
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static void format(Path folder) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int status = StorageTool.execute(
                new String[] {
                    "format",
                    "--cluster-id",
                    Uuid.randomUuid().toString(),
                    "--config",
                    configuration(folder).toString()
                },
                new PrintStream(said, true, StandardCharsets.UTF_8));
        if (status != 0) {
            throw new AssertionError("could not format the broker's storage: " + said.toString(StandardCharsets.UTF_8));
        }
    }

    private static Process launch(Path folder) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1", // it is short-lived
                        "-cp",
                        System.getProperty("java.class.path"),
                        "kafka.Kafka",
                        configuration(folder).toString())
                .redirectErrorStream(true)
                .redirectOutput(log(folder).toFile())
                .start();
    }

    private static Path log(Path folder) {
        return folder.resolve("broker.log");
    }

    /** Its output since its last start. */
    public String log() {
        try {
            return Files.readString(log(folder));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void awaitReady() {
        Await.until(this::log, () -> !process.isAlive() || log().contains("Kafka Server started"));
        if (!process.isAlive()) {
            throw new AssertionError("the broker did not start: " + log());
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
        Map<String, Object> all = new HashMap<>(Map.of("bootstrap.servers", brokers()));
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
            throw new AssertionError(e.getCause());
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
            throw new AssertionError(e.getCause());
        }
    }

    /** Sends SIGKILL, at any moment. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the broker does not end");
        }
    }

    /** Starts it again after {@link #kill}, and waits until it takes requests. */
    public void restart() throws IOException {
        process = launch(folder);
        awaitReady();
    }

    /** Kills it. */
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
