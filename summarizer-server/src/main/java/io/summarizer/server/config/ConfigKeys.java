package io.summarizer.server.config;

import io.summarizer.core.deliver.Export;
import io.summarizer.core.deliver.Export.Schedule;
import io.summarizer.core.deliver.FilePattern;
import io.summarizer.core.export.CsvName;
import io.summarizer.core.journal.Compression;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.server.config.ServerConfig.Unmatched;
import io.summarizer.server.kafka.KafkaSettings;
import io.summarizer.server.kafka.KafkaStart;
import io.summarizer.server.net.Ack;
import io.summarizer.server.tls.ClientCertificates;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * All keys, their allowed values and their defaults. This class is the only place to extend when a queue, a wait policy
 * or a key is added; {@code config/summarizer.yaml} documents each key for users.
 */
final class ConfigKeys {
    static final String VARIABLE_PREFIX = "SUMMARIZER_";

    /** Environment variables with the product's prefix that are not keys. */
    static final Set<String> OTHER_VARIABLES = Set.of(
            "SUMMARIZER_CACHE",
            "SUMMARIZER_HEALTH",
            "SUMMARIZER_JAVA_OPTS",
            "SUMMARIZER_SERVE_JAVA_OPTS",
            "SUMMARIZER_SERVER",
            "SUMMARIZER_TOKEN");

    private static final Map<String, ConfigKey<?>> ALL = new LinkedHashMap<>();

    static final StreamKeys SYSLOG = new StreamKeys("listen.syslog-tcp.", "127.0.0.1:5514");
    static final ConfigKey<Framing> SYSLOG_FRAMING =
            key("listen.syslog-tcp.framing", ValueType.oneOf(Framing.AUTO, Framing.LF, Framing.OCTET), "auto");
    static final ConfigKey<Optional<InetSocketAddress>> UDP_BIND =
            key("listen.syslog-udp.bind", ValueType.bindOrOff(), "off");
    static final ConfigKey<TopicRule> UDP_TOPIC =
            key("listen.syslog-udp.topic", ValueType.oneOf(TopicRule.values()), "msgid-or-app-name");
    static final ConfigKey<ZoneId> UDP_TIMEZONE = key("listen.syslog-udp.timezone", ValueType.zone(), "UTC");
    static final ConfigKey<Long> UDP_BUFFER =
            key("listen.syslog-udp.receive-buffer", ValueType.size(64 << 10, 1 << 30), "4MiB");
    static final ConfigKey<Boolean> UDP_PLAINTEXT = key("listen.syslog-udp.allow-plaintext", ValueType.bool(), "false");
    static final StreamKeys RELP = new StreamKeys("listen.relp.", "127.0.0.1:2514");
    static final ConfigKey<Ack> RELP_ACK = key("listen.relp.ack", ValueType.oneOf(Ack.values()), "durable");
    static final ConfigKey<List<String>> KAFKA_BROKERS = key("listen.kafka.brokers", ValueType.brokersOrOff(), "off");
    static final ConfigKey<List<String>> KAFKA_TOPICS = key("listen.kafka.topics", ValueType.kafkaTopics(), "");
    static final ConfigKey<RecordRule> KAFKA_TOPIC_FROM =
            key("listen.kafka.topic-from", ValueType.topicFrom(), "syslog");
    static final ConfigKey<KafkaStart> KAFKA_START = key("listen.kafka.start", ValueType.kafkaStart(), "earliest");
    static final ConfigKey<Path> KAFKA_PROPERTIES = key("listen.kafka.properties-file", ValueType.path(), "");
    static final ConfigKey<Optional<String>> KAFKA_GROUP =
            key("listen.kafka.group", ValueType.groupOrOff(), "summarizer");
    static final ConfigKey<ZoneId> KAFKA_TIMEZONE = key("listen.kafka.timezone", ValueType.zone(), "UTC");
    static final ConfigKey<Long> KAFKA_MESSAGE_SIZE =
            key("listen.kafka.max-message-size", ValueType.size(480, KafkaSettings.MESSAGE_BYTES_MAX), "256KiB");
    static final ConfigKey<InetSocketAddress> HTTP_BIND = key("http.bind", ValueType.bind(), "127.0.0.1:8080");
    static final ConfigKey<Optional<InetSocketAddress>> HTTP_HEALTH_BIND =
            key("http.health-bind", ValueType.bindOrOff(), "off");
    static final ConfigKey<Integer> HTTP_CONNECTIONS =
            key("http.max-connections", ValueType.integer(1, 100_000), "256");
    static final ConfigKey<Integer> HTTP_CONNECTIONS_OF_ADDRESS =
            key("http.max-connections-per-address", ValueType.integer(1, 100_000), "128");
    static final ConfigKey<Duration> HTTP_REQUEST_TIMEOUT =
            key("http.request-timeout", ValueType.duration(Duration.ofMillis(100), Duration.ofMinutes(10)), "10s");
    static final ConfigKey<Duration> HTTP_IDLE =
            key("http.idle-timeout", ValueType.duration(Duration.ofMillis(100), Duration.ofDays(1)), "60s");
    static final ConfigKey<Duration> HTTP_CUT_RETENTION =
            key("http.cut-retention", ValueType.duration(Duration.ofSeconds(1), Duration.ofHours(1)), "60s");
    static final ConfigKey<Duration> HTTP_QUERY_TIMEOUT =
            key("http.query-timeout", ValueType.duration(Duration.ofMillis(100), Duration.ofHours(1)), "60s");
    static final ConfigKey<Long> HTTP_ROLLUP_MEMORY = key("http.rollup-memory", ValueType.heap(1 << 20, 75), "3%");
    static final ConfigKey<Path> HTTP_TOKENS = key("http.tokens", ValueType.path(), "");
    static final ConfigKey<List<String>> HTTP_NAMES = key("http.names", ValueType.hosts(), "");
    static final ConfigKey<Boolean> HTTP_ANONYMOUS = key("http.allow-anonymous", ValueType.bool(), "false");
    static final ConfigKey<Boolean> HTTP_PLAINTEXT = key("http.allow-plaintext", ValueType.bool(), "false");
    static final TlsKeys HTTP_TLS = new TlsKeys("http.");
    static final ConfigKey<Path> DEFINITIONS = key("definitions", ValueType.path(), "schemas");
    static final ConfigKey<Path> DATA = key("data", ValueType.path(), "data");
    static final ConfigKey<PipelineMode> MODE = key("pipeline.mode", ValueType.oneOf(PipelineMode.values()), "queued");
    static final ConfigKey<Integer> NETTY_WORKERS =
            key("pipeline.netty-workers", ValueType.integer(1, 64), defaultWorkers());
    static final ConfigKey<Integer> BATCH_MESSAGES =
            key("pipeline.batch.messages", ValueType.integer(0, SyslogFramer.MESSAGES_MAX), "0");
    static final ConfigKey<Duration> BATCH_LINGER =
            key("pipeline.batch.linger", ValueType.duration(Duration.ZERO, Duration.ofSeconds(1)), "2ms");
    static final StageKeys PARSE = new StageKeys("parse", "lbq", QueueKind.forSharing());
    static final StageKeys SUMMARIZE = new StageKeys("summarize", "lbq", QueueKind.forSingleConsumers());
    static final ConfigKey<Unmatched> UNMATCHED = key("unmatched", ValueType.oneOf(Unmatched.values()), "count");
    static final ConfigKey<Long> LATE_SIZE = key("late.max-size", ValueType.size(1 << 20, 1L << 40), "64MiB");
    static final ConfigKey<Long> REJECTS_SIZE = key("rejects.max-size", ValueType.size(1 << 20, 1L << 40), "256MiB");
    static final ConfigKey<Long> ROWS =
            key("limits.rows", ValueType.count(1, Integer.MAX_VALUE), Long.toString(SummaryLimit.DEFAULT_KEYS));
    static final ConfigKey<Long> KEY_BYTES = key("limits.key-bytes", ValueType.size(64, 16 << 20), "1KiB");
    static final ConfigKey<Long> TEXT_BYTES = key("limits.text-bytes", ValueType.size(64, 16 << 20), "4KiB");
    static final ConfigKey<Long> STATE = key("limits.state", ValueType.heap(1 << 20, 90), "60%");
    static final ConfigKey<Long> OPEN_WINDOWS = key("limits.open-windows", ValueType.count(1, 65_536), "256");
    static final ConfigKey<Duration> AHEAD =
            key("limits.ahead", ValueType.duration(Duration.ZERO, Duration.ofDays(36_500)), "1h");
    static final ConfigKey<Duration> WINDOW_IDLE =
            key("limits.idle", ValueType.duration(Duration.ofMillis(100), Duration.ofDays(1)), "1m");
    static final ConfigKey<Long> DEDUP_IDS = key("limits.dedup-ids", ValueType.count(1, 200_000_000), "4000000");

    static final ConfigKey<Long> RECEIVE_BUFFERS = key("limits.receive-buffers", ValueType.heap(1 << 20, 75), "5%");

    static final ConfigKey<Long> QUEUES = key("limits.queues", ValueType.heap(1 << 20, 75), "5%");

    static final ConfigKey<Long> CUTS_MEMORY = key("cuts.memory", ValueType.heap(1 << 20, 75), "15%");

    static final ConfigKey<Duration> CHECKPOINT_INTERVAL =
            key("checkpoint.interval", ValueType.duration(Duration.ZERO, Duration.ofDays(1)), "60s");
    static final ConfigKey<Long> JOURNAL_SEGMENT =
            key("journal.segment-size", ValueType.size(1 << 20, 1 << 30), "64MiB");
    static final ConfigKey<Long> JOURNAL_SIZE = key("journal.max-size", ValueType.size(64 << 20, 1L << 44), "8GiB");
    static final ConfigKey<Compression> JOURNAL_COMPRESSION =
            key("journal.compression", ValueType.oneOf(Compression.values()), "zstd");

    private ConfigKeys() {}

    /** Keys by name, in the order of the documentation. The keys of named pipelines and of exports are not included. */
    static Map<String, ConfigKey<?>> all() {
        return ALL;
    }

    /** Prefix of the keys of named pipelines. */
    static final String NAMED_PREFIX = "pipelines.";

    /** Maximum number of named pipelines. */
    static final int NAMED_MAX = 16;

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9]{0,31}");

    /** Whether a name is valid for a pipeline. */
    static boolean isPipelineName(String name) {
        return NAME.matcher(name).matches() && !name.equals(PipelineOptions.DEFAULT_PIPELINE);
    }

    /** Prefix of the keys of exports. The number of the export, from 1 on, follows the prefix. */
    static final String EXPORTS_PREFIX = "exports.";

    /** Maximum number of exports. */
    static final int EXPORTS_MAX = 64;

    private static final Pattern EXPORT = Pattern.compile("exports\\.([1-9]\\d?)\\.[a-z]+");

    /** The number of the export to which a key belongs; 0 when the key belongs to no export. */
    static int export(String key) {
        Matcher matcher = EXPORT.matcher(key);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    /** Whether a key takes a list of sections. */
    static boolean isSections(String key) {
        return key.equals("exports");
    }

    /** Whether a key takes several values. */
    static boolean isList(String key) {
        return (key.startsWith(NAMED_PREFIX) && key.endsWith(".topics"))
                || (key.startsWith(EXPORTS_PREFIX) && key.endsWith(".by"))
                || key.endsWith(TlsKeys.ALLOWED_NAMES)
                || key.equals(KAFKA_BROKERS.name())
                || key.equals(KAFKA_TOPICS.name())
                || key.equals(HTTP_NAMES.name());
    }

    /** The keys of a listener over TCP, of any protocol. */
    static final class StreamKeys {
        final ConfigKey<Optional<InetSocketAddress>> bind;
        final ConfigKey<Long> messageSize;
        final ConfigKey<TopicRule> topic;
        final ConfigKey<ZoneId> timezone;
        final ConfigKey<Integer> connections;
        final ConfigKey<Integer> connectionsOfAddress;
        final ConfigKey<Duration> messageTimeout;
        final ConfigKey<Duration> idleTimeout;
        final ConfigKey<Boolean> allowPlaintext;
        final TlsKeys tls;

        private StreamKeys(String prefix, String defaultBind) {
            bind = key(prefix + "bind", ValueType.bindOrOff(), defaultBind);
            messageSize = key(prefix + "max-message-size", ValueType.size(480, 16 << 20), "256KiB");
            topic = key(prefix + "topic", ValueType.oneOf(TopicRule.values()), "msgid-or-app-name");
            timezone = key(prefix + "timezone", ValueType.zone(), "UTC");
            connections = key(prefix + "max-connections", ValueType.integer(1, 1_000_000), "4096");
            connectionsOfAddress = key(prefix + "max-connections-per-address", ValueType.integer(1, 1_000_000), "1024");
            messageTimeout =
                    key(prefix + "message-timeout", ValueType.duration(Duration.ZERO, Duration.ofDays(1)), "60s");
            idleTimeout = key(prefix + "idle-timeout", ValueType.duration(Duration.ZERO, Duration.ofDays(30)), "0s");
            allowPlaintext = key(prefix + "allow-plaintext", ValueType.bool(), "false");
            tls = new TlsKeys(prefix);
        }
    }

    /** The keys {@code ….tls.…} of a listener. Most have no default. */
    static final class TlsKeys {
        private static final String ALLOWED_NAMES = ".tls.allowed-names";

        final ConfigKey<Path> certificate;
        final ConfigKey<Path> key;
        final ConfigKey<Path> keyPassword;
        final ConfigKey<Path> clientCa;
        final ConfigKey<ClientCertificates> clientAuth;
        final ConfigKey<List<String>> allowedNames;
        final ConfigKey<Duration> handshakeTimeout;

        private TlsKeys(String listener) {
            String prefix = listener + "tls.";
            certificate = key(prefix + "certificate", ValueType.path(), "");
            key = key(prefix + "key", ValueType.path(), "");
            keyPassword = key(prefix + "key-password-file", ValueType.path(), "");
            clientCa = key(prefix + "client-ca", ValueType.path(), "");
            clientAuth = key(prefix + "client-auth", ValueType.oneOf(ClientCertificates.values()), "");
            allowedNames = key(listener.substring(0, listener.length() - 1) + ALLOWED_NAMES, ValueType.names(), "");
            handshakeTimeout = key(
                    prefix + "handshake-timeout",
                    ValueType.duration(Duration.ofMillis(100), Duration.ofMinutes(5)),
                    "10s");
        }

        /** The keys that turn TLS on. */
        List<ConfigKey<?>> material() {
            return List.of(certificate, key, keyPassword, clientCa, clientAuth, allowedNames);
        }
    }

    /** The keys {@code pipelines.NAME.…} of one pipeline. Their defaults are the values of {@code pipeline.…}. */
    static final class NamedKeys {
        final ConfigKey<List<TopicPattern>> topics;
        final StageKeys parse;
        final StageKeys summarize;
        private final Map<String, ConfigKey<?>> all = new LinkedHashMap<>();

        NamedKeys(String pipeline) {
            String prefix = NAMED_PREFIX + pipeline + ".";
            topics = new ConfigKey<>(prefix + "topics", ValueType.topics(), "");
            all.put(topics.name(), topics);
            parse = new StageKeys(prefix, PARSE, all);
            summarize = new StageKeys(prefix, SUMMARIZE, all);
        }

        /** The keys by name. */
        Map<String, ConfigKey<?>> all() {
            return all;
        }
    }

    /** The keys {@code exports.N.…} of one export. */
    static final class ExportKeys {
        final ConfigKey<CsvName> summary;
        final ConfigKey<Schedule> on;
        final ConfigKey<Duration> every;
        final ConfigKey<Duration> at;
        final ConfigKey<Export.Format> format;
        final ConfigKey<FilePattern> to;
        final ConfigKey<List<String>> by;
        final ConfigKey<String> where;
        private final String prefix;
        private final Map<String, ConfigKey<?>> all = new LinkedHashMap<>();

        ExportKeys(int number) {
            prefix = EXPORTS_PREFIX + number + ".";
            summary = key("summary", ValueType.table(), "");
            on = key("on", ValueType.onClose(), "");
            every = key("every", ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(366)), "");
            at = key("at", ValueType.timeOfDay(), "");
            format = key("format", ValueType.format(), "csv");
            to = key("to", ValueType.filePattern(), "");
            by = key("by", ValueType.columns(), "");
            where = key("where", ValueType.condition(), "");
        }

        private <T> ConfigKey<T> key(String name, ValueType<T> type, String fallback) {
            ConfigKey<T> key = new ConfigKey<>(prefix + name, type, fallback);
            all.put(key.name(), key);
            return key;
        }

        /** The keys by name. */
        Map<String, ConfigKey<?>> all() {
            return all;
        }
    }

    /** The keys of one stage. */
    static final class StageKeys {
        final ConfigKey<QueueKind> queue;
        final ConfigKey<Integer> capacity;
        final ConfigKey<Integer> workers;
        final ConfigKey<WaitPolicy> wait;

        /** Makes the keys of a stage of a named pipeline, with the types and defaults of {@code keys}. */
        private StageKeys(String prefix, StageKeys keys, Map<String, ConfigKey<?>> all) {
            queue = named(prefix, keys.queue, all);
            capacity = named(prefix, keys.capacity, all);
            workers = named(prefix, keys.workers, all);
            wait = named(prefix, keys.wait, all);
        }

        private static <T> ConfigKey<T> named(String prefix, ConfigKey<T> like, Map<String, ConfigKey<?>> all) {
            ConfigKey<T> key =
                    new ConfigKey<>(prefix + like.name().substring("pipeline.".length()), like.type(), like.fallback());
            all.put(key.name(), key);
            return key;
        }

        private StageKeys(String stage, String defaultQueue, List<QueueKind> queues) {
            String prefix = "pipeline." + stage + ".";
            queue = key(prefix + "queue", ValueType.oneOf(queues.toArray(QueueKind[]::new)), defaultQueue);
            capacity = key(prefix + "capacity", ValueType.integer(2, 1 << 20), "256");
            workers = key(prefix + "workers", ValueType.integer(1, 64), defaultWorkers());
            wait = key(prefix + "wait", ValueType.oneOf(WaitPolicy.values()), "");
        }
    }

    /**
     * Returns the default number of workers of one kind. It is the same for each of the three kinds: a third of the
     * processors, but at least 1 and at most 8.
     */
    private static String defaultWorkers() {
        return "" + Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors() / 3));
    }

    private static <T> ConfigKey<T> key(String name, ValueType<T> type, String fallback) {
        ConfigKey<T> key = new ConfigKey<>(name, type, fallback);
        ALL.put(name, key);
        return key;
    }
}
