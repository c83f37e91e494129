package io.summarizer.flink.cli;

import io.summarizer.core.receive.Framing;
import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.options.StartAt;
import io.summarizer.flink.options.TopicFrom;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of a job, wherever it runs. Picocli sets the fields; {@link #options} checks them together. */
@SuppressWarnings("NullAway.Init") // picocli sets required options
final class JobArguments {
    private static final int MESSAGE_BYTES_DEFAULT = 256 * 1024;

    /** The address of a broker, as in the configuration of the service. */
    private static final Pattern BROKER = Pattern.compile("(\\[[0-9a-fA-F:.%]+]|[^:\\[\\]\\s]+):(\\d{1,5})");

    private static final int PORT_MAX = 65_535;

    /** Settings of Kafka's client that nobody can change. */
    private static final Set<String> OWN_SETTINGS = Set.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
            ConsumerConfig.ISOLATION_LEVEL_CONFIG,
            ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG,
            ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    @Parameters(paramLabel = "DEFINITIONS", description = "Folder of the definitions (.summ and .proto files).")
    private Path definitions;

    @Option(names = "--brokers", paramLabel = "HOST:PORT,...", description = "Read from Kafka: addresses of brokers.")
    private @Nullable String brokers;

    @Option(
            names = "--topics",
            paramLabel = "T",
            split = ",",
            description = "Kafka topics to read, with commas between them.")
    private List<String> topics = new ArrayList<>();

    @Option(
            names = "--topic-from",
            paramLabel = "syslog|topic|header:NAME",
            description = {
                "Source of the topic of a message. Default: syslog.",
                "syslog: the value of a record is a syslog message, as rsyslog's omkafka sends it.",
                "topic: the value is a payload, and the Kafka topic is the topic.",
                "header:NAME: the value is a payload, and this header of the record has the topic."
            })
    private @Nullable TopicFrom topicFrom;

    @Option(
            names = "--start",
            paramLabel = "earliest|latest|TIME",
            description = "First record of a job without state; TIME as in 2026-11-20T00:00:00Z. Default: earliest.")
    private @Nullable StartAt start;

    @Option(
            names = "--group",
            paramLabel = "NAME",
            description = "Consumer group to which the job commits offsets, for lag monitors. Default: summarizer.")
    private @Nullable String group;

    @Option(
            names = "--properties-file",
            paramLabel = "FILE",
            description = "Further settings of Kafka's client, such as those of TLS and SASL.")
    private @Nullable Path propertiesFile;

    @Option(
            names = "--files",
            paramLabel = "FILE",
            arity = "1..*",
            description = {
                "Read files of syslog messages. Each file is read up to the length that it has when the job starts.",
                "Then the job ends. It closes no time windows."
            })
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--framing",
            paramLabel = "auto|lf|octet",
            description = "Framing of the messages in the files. Default: auto.")
    private @Nullable Framing framing;

    @Option(
            names = "--until-end",
            description =
                    "Stop at the ends that the topics have at the start, and take a last checkpoint. Default: go on reading.")
    private boolean untilEnd;

    @Option(
            names = "--exports",
            paramLabel = "DIR",
            required = true,
            description =
                    "Folder or URI for the results, which serve --from-exports reads. All TaskManagers must be able to write to it.")
    private String exports;

    @Option(
            names = "--keep",
            paramLabel = "N",
            description = "Number of results to keep; the job removes older ones. Default: 3.")
    private int keep = 3;

    @Option(
            names = "--checkpoint",
            paramLabel = "DURATION",
            description = "Time between two checkpoints, such as 500ms, 10s or 5m. Default: 10s.")
    private Duration checkpoint = Duration.ofSeconds(10);

    @Option(
            names = "--checkpoints",
            paramLabel = "DIR",
            description = {
                "Folder or URI for Flink's checkpoints.",
                "Default: the folder in the cluster's configuration, otherwise flink-checkpoints below --exports."
            })
    private @Nullable String checkpoints;

    @Option(
            names = "--from-savepoint",
            paramLabel = "PATH",
            description = "Go on from this savepoint or retained checkpoint. Default: begin without state.")
    private @Nullable String savepoint;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            description = "Number of subtasks of each operator. Default: the parallelism of the cluster; with try, 1.")
    private @Nullable Integer parallelism;

    @Option(
            names = "--max-parallelism",
            paramLabel = "N",
            description = {
                "Number of key groups, a power of two. The state can never be divided among more than N subtasks. Default: 128.",
                "A job that goes on from a savepoint must have the same number as the old job."
            })
    private int keyGroups = JobOptions.KEY_GROUPS_DEFAULT;

    @Option(
            names = "--timezone",
            paramLabel = "ZONE",
            description = "Time zone of times without a zone, such as Europe/Berlin. Default: UTC.")
    private ZoneId timezone = ZoneOffset.UTC;

    @Option(
            names = "--max-message-size",
            paramLabel = "SIZE",
            converter = Converters.Size.class,
            description = "Largest size of a message, such as 256KiB or 1MiB. Default: 256KiB.")
    private int messageBytesMax = MESSAGE_BYTES_DEFAULT;

    /** The folder of the definitions. */
    Path definitions() {
        return definitions;
    }

    /**
     * The options of the job.
     *
     * @throws IllegalArgumentException when options contradict each other or are out of range; the message says which
     * @throws IOException when the file of properties cannot be read
     */
    JobOptions options() throws IOException {
        if (keyGroups < 1 || keyGroups > JobOptions.KEY_GROUPS_MAX || Integer.bitCount(keyGroups) != 1) {
            throw new IllegalArgumentException("--max-parallelism: " + keyGroups + " is not a power of two from 1 to "
                    + JobOptions.KEY_GROUPS_MAX);
        }
        if (parallelism != null && (parallelism < 1 || parallelism > keyGroups)) {
            throw new IllegalArgumentException(
                    "--parallelism: " + parallelism + " is not from 1 to " + keyGroups + ", the --max-parallelism");
        }
        if (keep < 1) {
            throw new IllegalArgumentException("--keep: " + keep + " is not a number from 1 on");
        }
        if (checkpoint.toMillis() < 10) {
            throw new IllegalArgumentException("--checkpoint: " + checkpoint.toMillis() + " ms is less than 10 ms");
        }
        return new JobOptions(
                input(),
                untilEnd,
                path(exports),
                keep,
                checkpoint,
                checkpoints == null ? null : path(checkpoints),
                savepoint == null ? null : path(savepoint),
                parallelism == null ? 0 : parallelism,
                keyGroups,
                timezone,
                messageBytesMax);
    }

    private Input input() throws IOException {
        if (brokers == null && files.isEmpty()) {
            throw new IllegalArgumentException("say what to read: --brokers and --topics, or --files");
        }
        if (brokers != null && !files.isEmpty()) {
            throw new IllegalArgumentException("--brokers and --files: a job reads from one of them");
        }
        if (brokers == null) {
            if (!topics.isEmpty() || topicFrom != null || start != null || group != null || propertiesFile != null) {
                throw new IllegalArgumentException(
                        "--topics, --topic-from, --start, --group and --properties-file are for Kafka: not with --files");
            }
            return new Input.Files(
                    files.stream().map(JobArguments::path).toList(), framing == null ? Framing.AUTO : framing);
        }
        for (String broker : brokers.split(",", -1)) {
            Matcher address = BROKER.matcher(broker.strip());
            int port = address.matches() ? Integer.parseInt(address.group(2)) : 0;
            if (port == 0 || port > PORT_MAX) {
                throw new IllegalArgumentException("--brokers: \"" + brokers + "\" is not HOST:PORT with commas between"
                        + " them, as in kafka1.example.com:9092,kafka2.example.com:9092");
            }
        }
        if (topics.isEmpty()) {
            throw new IllegalArgumentException("--topics: say which topics to read");
        }
        if (framing != null) {
            throw new IllegalArgumentException("--framing is for --files: a record of Kafka is one message");
        }
        return new Input.Kafka(
                brokers,
                topics,
                topicFrom == null ? TopicFrom.SYSLOG : topicFrom,
                start == null ? StartAt.EARLIEST : start,
                group == null ? "summarizer" : group,
                properties());
    }

    private Map<String, String> properties() throws IOException {
        Map<String, String> settings = new TreeMap<>();
        if (propertiesFile != null) {
            Properties properties = new Properties();
            try (Reader in = Files.newBufferedReader(propertiesFile, StandardCharsets.UTF_8)) {
                properties.load(in);
            } catch (NoSuchFileException e) {
                throw e;
            } catch (IOException | IllegalArgumentException e) {
                throw new IOException(
                        "--properties-file: " + propertiesFile + " cannot be read: "
                                + (e instanceof CharacterCodingException ? "it is not UTF-8" : e.getMessage()),
                        e);
            }
            TreeSet<String> refused = new TreeSet<>(OWN_SETTINGS);
            refused.retainAll(properties.stringPropertyNames());
            if (!refused.isEmpty()) {
                throw new IllegalArgumentException("--properties-file: " + propertiesFile + " sets "
                        + String.join(", ", refused)
                        + ", which the job sets itself, so that it counts each record once; remove that from the file");
            }
            properties.stringPropertyNames().forEach(name -> settings.put(name, properties.getProperty(name)));
        }
        return settings;
    }

    /**
     * Returns a URI unchanged, and a path as the URI of its absolute form, because workers have other working
     * directories. Nothing is escaped: Flink takes each character as it is.
     */
    private static String path(String text) {
        return text.contains("://") || text.startsWith("file:")
                ? text
                : "file://" + new File(text).getAbsoluteFile().toPath().normalize();
    }
}
