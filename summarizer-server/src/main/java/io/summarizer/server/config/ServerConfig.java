package io.summarizer.server.config;

import io.summarizer.core.deliver.Export;
import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.WindowOptions;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.store.ValueLimits;
import io.summarizer.server.kafka.KafkaSettings;
import io.summarizer.server.net.Ack;
import io.summarizer.server.net.Batching;
import io.summarizer.server.net.ConnectionLimits;
import io.summarizer.server.tls.TlsFiles;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration of the service. Immutable. Only {@link ConfigLoader} makes it, so the configuration has only
 * allowed values.
 *
 * @param framing framing of syslog over TCP
 * @param ack condition for the acknowledgement of a message over RELP
 * @param kafka the Kafka listener, which may be off
 * @param definitions folder of the {@code .summ} files
 * @param data folder of the state, locked by one process
 * @param checkpointInterval time from the end of a checkpoint to the next checkpoint; zero means that a checkpoint is
 *     made only when it is needed
 * @param journal settings of the journal, which is for listeners that acknowledge messages
 * @param exports tables that are written to files
 */
public record ServerConfig(
        Stream syslogTcp,
        Framing framing,
        SyslogUdp syslogUdp,
        Stream relp,
        Ack ack,
        KafkaSettings kafka,
        Http http,
        Path definitions,
        Path data,
        Pipeline pipeline,
        Refused refused,
        Limits limits,
        Duration checkpointInterval,
        JournalOptions journal,
        List<Exported> exports) {
    public ServerConfig {
        exports = List.copyOf(exports);
    }

    /**
     * The time zones for timestamps that name no zone, by the number of the listener. The listeners are TCP, RELP, UDP
     * and Kafka, in this order.
     */
    public List<ZoneId> timezones() {
        return List.of(syslogTcp.timezone(), relp.timezone(), syslogUdp.timezone(), kafka.timezone());
    }

    /** A time as text, in a unit in which the number has few digits. */
    private static String duration(long micros) {
        return micros % 1_000_000 == 0
                ? micros / 1_000_000 + "s"
                : micros % 1_000 == 0 ? micros / 1_000 + "ms" : micros + "us";
    }

    /**
     * The settings that affect how a message of the TCP listener is processed, by key. Another process with these
     * settings and the same definitions treats the message in the same way.
     */
    public Map<String, String> messageSettings() {
        return Map.of(
                ConfigKeys.AHEAD.name(), duration(limits.windows().aheadMicros()),
                ConfigKeys.SYSLOG.messageSize.name(), String.valueOf(syslogTcp.messageBytesMax()),
                ConfigKeys.SYSLOG.topic.name(), ValueType.text(syslogTcp.topic()),
                ConfigKeys.SYSLOG.timezone.name(), syslogTcp.timezone().getId(),
                ConfigKeys.KEY_BYTES.name(), String.valueOf(limits.values().keyBytes()),
                ConfigKeys.TEXT_BYTES.name(), String.valueOf(limits.values().textBytes()));
    }

    /**
     * Encryption of a listener.
     *
     * @param tls files of TLS; empty when there is no encryption
     * @param allowPlaintext whether plaintext is allowed at an address that other hosts can reach
     */
    public record Transport(Optional<TlsFiles> tls, boolean allowPlaintext) {}

    /**
     * A listener over TCP, of any protocol.
     *
     * @param bind address of the listener; empty when there is no listener. An address whose name is not known is
     *     unresolved. Port 0 means any free port
     * @param messageBytesMax bound on the bytes of a message; larger messages are rejected
     * @param timezone time zone of timestamps without a zone
     */
    public record Stream(
            Optional<InetSocketAddress> bind,
            int messageBytesMax,
            TopicRule topic,
            ZoneId timezone,
            ConnectionLimits connections,
            Transport transport) {}

    /**
     * The listener for syslog over UDP.
     *
     * @param bind address of the listener as in {@link Stream}; empty when there is no listener
     * @param timezone time zone of timestamps without a zone
     * @param bufferBytes size of the receive buffer that the listener requests from the kernel
     * @param allowPlaintext whether the listener may have an address to which other hosts can send
     */
    public record SyslogUdp(
            Optional<InetSocketAddress> bind,
            TopicRule topic,
            ZoneId timezone,
            int bufferBytes,
            boolean allowPlaintext) {}

    /**
     * The HTTP server.
     *
     * @param bind address of the server; port 0 takes a free port
     * @param healthBind address of a listener for health checks only; empty when there is no such listener
     * @param cutRetention time for which {@code ?cut=ID} can read a cut again
     * @param queryTimeout bound on the work of one pull
     * @param rollupMemory bound in bytes on the groups of all pulls with {@code by} together
     * @param tokens file of tokens; empty when no token is needed
     * @param names further names, patterns and addresses that requests may give in their {@code Host} header, besides
     *     {@code bind}
     * @param allowAnonymous whether requests without a token are allowed at an address that other hosts can reach
     */
    public record Http(
            InetSocketAddress bind,
            Optional<InetSocketAddress> healthBind,
            ConnectionLimits connections,
            Duration cutRetention,
            Duration queryTimeout,
            long rollupMemory,
            Optional<Path> tokens,
            List<String> names,
            boolean allowAnonymous,
            Transport transport) {
        public Http {
            names = List.copyOf(names);
        }
    }

    /**
     * The processing of messages to rows.
     *
     * @param pipelines the default pipeline, then the named ones, in the order of the configuration
     */
    public record Pipeline(
            PipelineMode mode, int nettyWorkers, Batching batching, List<PipelineOptions.Named> pipelines) {
        public Pipeline {
            pipelines = List.copyOf(pipelines);
        }

        /** The first stage of the default pipeline. */
        public PipelineOptions.Stage parse() {
            return pipelines.get(0).parse();
        }

        /** The second stage of the default pipeline. */
        public PipelineOptions.Stage summarize() {
            return pipelines.get(0).summarize();
        }
    }

    /**
     * The messages that are kept for people because they were not applied.
     *
     * @param bytesMax bound on all kept messages together, in bytes; late messages have a bound of their own
     * @param lateBytesMax bound on the late messages that are kept for all summaries together, in bytes
     */
    public record Refused(Unmatched unmatched, long bytesMax, long lateBytesMax) {}

    /**
     * Bounds on rows and on memory.
     *
     * @param rows bound on the rows of each summary and of each nested summary
     * @param values bounds on keys and texts
     * @param windows bounds on the windows of summaries
     * @param stateBytes bound on the bytes of all state
     * @param dedupIds approximate number of ids that a summary keeps before the oldest ids move to a filter, for each
     *     event type with {@code dedup}
     * @param cutBytes bound on the memory that cuts need in addition to the present state, in bytes
     * @param queueBytes bound on the batches in all queues, in bytes
     * @param receiveBytes bound on the memory of the connections of all listeners, in bytes
     */
    public record Limits(
            long rows,
            ValueLimits values,
            WindowOptions windows,
            long stateBytes,
            long dedupIds,
            long cutBytes,
            long queueBytes,
            long receiveBytes) {}

    /**
     * An export.
     *
     * @param origin place of the export's first setting, for messages
     * @param key prefix of its keys, for messages
     */
    public record Exported(String origin, String key, Export export) {}

    /** Policy for a message whose topic has no event type. Such a message is counted under every policy. */
    public enum Unmatched {
        COUNT,
        KEEP
    }
}
