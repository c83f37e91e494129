package io.summarizer.flink.demo;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;

/** An Apache Kafka broker (KRaft, one node) in a process of its own. */
public final class KafkaProcess {
    /** Name of the process that formats the broker's folder and then ends. */
    public static final String FORMAT = "kafka-format";

    private static final String NAME = "kafka";
    private static final int ATTEMPT_MS = 50;
    private static final List<String> FLAGS = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1");

    private final int port;

    private KafkaProcess(int port) {
        this.port = port;
    }

    /**
     * Starts a broker and waits until it takes requests.
     *
     * @param processes gets the broker's process
     * @param classPath Kafka's libraries
     * @param folder new or empty; holds the broker's configuration and data
     * @throws IOException when the broker does not start; the message has its output
     */
    public static KafkaProcess start(JavaProcesses processes, String classPath, Path folder)
            throws IOException, InterruptedException {
        Files.createDirectories(folder);
        int port = JavaProcesses.freePort();
        Path configuration = configure(folder, port);
        Process formatting = processes.start(
                FORMAT,
                processes.builder(
                        FLAGS,
                        classPath,
                        List.of(
                                "kafka.tools.StorageTool",
                                "format",
                                "--cluster-id",
                                Uuid.randomUuid().toString(),
                                "--config",
                                configuration.toString())));
        if (formatting.waitFor() != 0) {
            throw new IOException("Kafka's folder cannot be formatted: " + processes.output(FORMAT));
        }
        Process broker = processes.start(
                NAME, processes.builder(FLAGS, classPath, List.of("kafka.Kafka", configuration.toString())));
        while (!processes.output(NAME).contains("Kafka Server started")) {
            if (!broker.isAlive()) {
                throw new IOException("Kafka did not start: " + processes.output(NAME));
            }
            TimeUnit.MILLISECONDS.sleep(ATTEMPT_MS);
        }
        return new KafkaProcess(port);
    }

    /**
     * Writes the configuration of a broker of one node, which creates no topic by itself.
     *
     * @param folder exists; the data come below it
     * @param port the port for clients
     * @return the file
     */
    public static Path configure(Path folder, int port) throws IOException {
        String controller = "127.0.0.1:" + JavaProcesses.freePort();
        Properties settings = new Properties();
        settings.putAll(Map.ofEntries(
                Map.entry("process.roles", "broker,controller"),
                Map.entry("node.id", "1"),
                Map.entry("controller.quorum.voters", "1@" + controller),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://" + controller),
                Map.entry("log.dirs", folder.resolve("data").toString()),
                Map.entry("auto.create.topics.enable", "false"),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("transaction.state.log.replication.factor", "1"),
                Map.entry("transaction.state.log.num.partitions", "1"),
                Map.entry("transaction.state.log.min.isr", "1"),
                Map.entry("offsets.topic.num.partitions", "1"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                Map.entry("log.cleaner.enable", "false")));
        Path file = folder.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        }
        return file;
    }

    /** The address for clients. */
    public String brokers() {
        return "127.0.0.1:" + port;
    }

    /** Creates a topic. */
    public void createTopic(String name, int partitions) throws IOException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", brokers()))) {
            admin.createTopics(List.of(new NewTopic(name, Optional.of(partitions), Optional.empty())))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new IOException("the topic " + name + " cannot be created: " + e.getCause(), e);
        }
    }
}
