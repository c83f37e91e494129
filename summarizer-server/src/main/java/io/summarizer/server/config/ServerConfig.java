package io.summarizer.server.config;

import io.summarizer.core.journal.JournalOptions;
import io.summarizer.core.pipeline.PipelineMode;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.store.ValueLimits;
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
 * What the service was told to be. Immutable; made by {@link ConfigLoader} only, so that every value is one that its key
 * allows.
 *
 * @param receiveBytesMax bound on what the connections of all listeners hold, in bytes
 * @param queueBytesMax bound on the batches in all queues, in bytes
 * @param definitions folder of the {@code .summ} files
 * @param data folder of the state, locked by one process
 * @param rejectsBytesMax bound on all kept messages together, in bytes
 * @param rowsMax bound on the rows of each summary and of each nested summary
 * @param values bounds on keys and texts
 * @param stateBytesMax bound on the bytes of all state
 * @param dedupIds about how many ids are kept exactly for each event type that is counted once, in each summary
 * @param cutBytesMax bound on what cuts hold beyond the present state, in bytes
 * @param checkpointInterval from the end of one checkpoint to the next; zero: only when they are needed
 * @param journal for the listeners that acknowledge what they take
 */
public record ServerConfig(
        SyslogTcp syslogTcp,
        SyslogUdp syslogUdp,
        Relp relp,
        Http http,
        long receiveBytesMax,
        long queueBytesMax,
        Path definitions,
        Path data,
        Pipeline pipeline,
        Unmatched unmatched,
        long rejectsBytesMax,
        long rowsMax,
        ValueLimits values,
        long stateBytesMax,
        long dedupIds,
        long cutBytesMax,
        Duration checkpointInterval,
        JournalOptions journal) {

    /** The zones of timestamps that name none, by the number of the listener that brings them: TCP, RELP, UDP. */
    public List<ZoneId> timezones() {
        return List.of(syslogTcp.timezone(), relp.timezone(), syslogUdp.timezone());
    }

    /**
     * The settings, by key, that decide what becomes of a message of the TCP listener beside the definitions: loaded again, they do
     * the same.
     */
    public Map<String, String> messageSettings() {
        return Map.of(
                ConfigKeys.SYSLOG_MESSAGE_SIZE.name(), String.valueOf(syslogTcp.messageBytesMax()),
                ConfigKeys.SYSLOG_TOPIC.name(), ValueType.text(syslogTcp.topic()),
                ConfigKeys.SYSLOG_TIMEZONE.name(), syslogTcp.timezone().getId(),
                ConfigKeys.KEY_BYTES.name(), String.valueOf(values.keyBytes()),
                ConfigKeys.TEXT_BYTES.name(), String.valueOf(values.textBytes()));
    }

    /**
     * How a listener is protected on its way.
     *
     * @param tls empty: nothing is encrypted
     * @param allowPlaintext whether that is meant to be so where other hosts can reach it
     */
    public record Transport(Optional<TlsFiles> tls, boolean allowPlaintext) {}

    /**
     * The listener for syslog over TCP.
     *
     * @param bind empty: there is none; unresolved when its name is not known; port 0 takes a free one
     * @param messageBytesMax larger messages are rejected
     * @param timezone of timestamps without a zone
     */
    public record SyslogTcp(
            Optional<InetSocketAddress> bind,
            Framing framing,
            int messageBytesMax,
            TopicRule topic,
            ZoneId timezone,
            ConnectionLimits connections,
            Transport transport) {}

    /**
     * The listener for syslog over UDP.
     *
     * @param bind empty: there is none; otherwise as that of {@link SyslogTcp}
     * @param timezone of timestamps without a zone
     * @param bufferBytes what the kernel is asked to keep
     * @param allowPlaintext whether it may be where other hosts can reach it
     */
    public record SyslogUdp(
            Optional<InetSocketAddress> bind,
            TopicRule topic,
            ZoneId timezone,
            int bufferBytes,
            boolean allowPlaintext) {}

    /**
     * The listener for syslog over RELP.
     *
     * @param bind empty: there is none; otherwise as that of {@link SyslogTcp}
     * @param ack when a message is answered
     * @param messageBytesMax larger messages are rejected
     * @param timezone of timestamps without a zone
     */
    public record Relp(
            Optional<InetSocketAddress> bind,
            Ack ack,
            int messageBytesMax,
            TopicRule topic,
            ZoneId timezone,
            ConnectionLimits connections,
            Transport transport) {}

    /**
     * The HTTP server.
     *
     * @param bind port 0 takes a free one
     * @param healthBind of a listener for health checks alone; empty: there is none
     * @param cutRetention how long {@code ?cut=ID} can reread a cut
     * @param queryTimeout work that one pull may take
     * @param tokens file of those who may ask; empty: anybody may
     * @param names hosts that requests may be for, besides {@code bind}: names, patterns and addresses
     * @param allowAnonymous whether anybody may ask though other hosts can reach it
     */
    public record Http(
            InetSocketAddress bind,
            Optional<InetSocketAddress> healthBind,
            ConnectionLimits connections,
            Duration cutRetention,
            Duration queryTimeout,
            Optional<Path> tokens,
            List<String> names,
            boolean allowAnonymous,
            Transport transport) {
        public Http {
            names = List.copyOf(names);
        }
    }

    /**
     * How messages become rows.
     *
     * @param lanes the default pipeline, then those that were named, in the order in which they were
     */
    public record Pipeline(PipelineMode mode, int nettyWorkers, Batching batching, List<PipelineOptions.Lane> lanes) {
        public Pipeline {
            lanes = List.copyOf(lanes);
        }

        /** The first stage of the default pipeline. */
        public PipelineOptions.Stage parse() {
            return lanes.get(0).parse();
        }

        /** The second stage of the default pipeline. */
        public PipelineOptions.Stage summarize() {
            return lanes.get(0).summarize();
        }
    }

    /** What becomes of a message whose topic no event type takes; it is counted in any case. */
    public enum Unmatched {
        COUNT,
        KEEP
    }
}
