package io.summarizer.server.service;

import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.receive.DatagramFramer;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.RelpFramer;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.kafka.KafkaClients;
import io.summarizer.server.kafka.KafkaListener;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.net.Ack;
import io.summarizer.server.net.Batching;
import io.summarizer.server.net.NettyWorkers;
import io.summarizer.server.net.ReceiveBudget;
import io.summarizer.server.net.RelpListener;
import io.summarizer.server.net.StreamListener;
import io.summarizer.server.net.SyslogTcpListener;
import io.summarizer.server.net.SyslogUdpListener;
import io.summarizer.server.tls.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the listeners for messages, with their actual ports. The address of a listener that is not
 * configured is empty. Immutable.
 *
 * @param kafkaTopics the Kafka topics that are read; empty without a Kafka listener
 */
public record Listeners(
        Optional<InetSocketAddress> syslogAddress,
        Optional<InetSocketAddress> relpAddress,
        Optional<InetSocketAddress> udpAddress,
        List<String> kafkaTopics) {
    static final String SYSLOG_NAME = "syslog-tcp";
    static final String RELP_NAME = "relp";
    private static final String UDP_NAME = "syslog-udp";
    private static final String KAFKA_NAME = "kafka";

    /** Number of the listener for syslog over TCP. Every message carries the number of its listener. */
    private static final int SYSLOG_NUMBER = 0;

    static final int RELP_NUMBER = 1;
    private static final int UDP_NUMBER = 2;
    private static final int KAFKA_NUMBER = 3;

    private static final Duration HANDOVER_DEADLINE = Duration.ofSeconds(30);
    /** Bound on the bytes of a datagram, larger than the largest datagram. */
    private static final int DATAGRAM_BYTES_MAX = 64 * 1024;

    /** Gives the names of the listeners to the ledger of a pipeline. */
    static void name(Pipeline pipeline) {
        pipeline.ledger().name(SYSLOG_NUMBER, SYSLOG_NAME);
        pipeline.ledger().name(RELP_NUMBER, RELP_NAME);
        pipeline.ledger().name(UDP_NUMBER, UDP_NAME);
        pipeline.ledger().name(KAFKA_NUMBER, KAFKA_NAME);
    }

    /**
     * Starts the listeners.
     *
     * @throws IOException when an address cannot be bound; {@code opened} then has the listeners that were already
     *     started
     */
    static Listeners open(
            ServerConfig config,
            Protection protection,
            Pipeline pipeline,
            Durability durability,
            ServerMetrics metrics,
            Teardown opened)
            throws IOException {
        NettyWorkers workers = new NettyWorkers("netty", config.pipeline().nettyWorkers());
        opened.add("the Netty workers", workers::close);
        ReceiveBudget budget = new ReceiveBudget(config.limits().receiveBytes());
        metrics.bind(budget);
        Start start = new Start(config, workers, budget, metrics, opened);
        return new Listeners(
                start.syslog(protection.syslog(), pipeline),
                start.relp(protection.relp(), durability),
                start.udp(pipeline),
                start.kafka(protection.kafka(), pipeline, durability));
    }

    /** The parts that listeners share while they are started. */
    private record Start(
            ServerConfig config, NettyWorkers workers, ReceiveBudget budget, ServerMetrics metrics, Teardown opened) {
        Optional<InetSocketAddress> syslog(@Nullable ServerTls tls, Pipeline pipeline) throws IOException {
            ServerConfig.Stream tcp = config.syslogTcp();
            if (tcp.bind().isEmpty()) {
                return Optional.empty();
            }
            SyslogTcpListener listener = new SyslogTcpListener(
                    settings(SYSLOG_NAME, SYSLOG_NUMBER, tcp, config.pipeline().batching(), tls),
                    workers,
                    pipeline,
                    () -> new SyslogFramer(config.framing(), tcp.messageBytesMax(), new EnvelopeParser(tcp.topic())));
            ListenAddresses.bind(listener::start, "listen.syslog-tcp.bind");
            opened.add("the syslog listener", () -> {
                listener.close(HANDOVER_DEADLINE);
                pipeline.drain(); // before HTTP ends, so that messages remain visible to the end
            });
            metrics.bind(listener);
            return Optional.of(listener.address());
        }

        Optional<InetSocketAddress> relp(@Nullable ServerTls tls, Durability durability) throws IOException {
            ServerConfig.Stream relp = config.relp();
            if (relp.bind().isEmpty()) {
                return Optional.empty();
            }
            RelpListener listener = new RelpListener(
                    settings(RELP_NAME, RELP_NUMBER, relp, Batching.BY_READ, tls), // a linger would delay answers
                    workers,
                    durability.sink(config.ack() == Ack.DURABLE),
                    () -> new RelpFramer(relp.messageBytesMax(), new EnvelopeParser(relp.topic())),
                    config.ack());
            ListenAddresses.bind(listener::start, "listen.relp.bind");
            // No message is acknowledged any more, so senders should connect to another service or to the next process.
            var unused = durability.failure().thenRun(listener::breakSessions);
            opened.add("the RELP listener", () -> listener.close(HANDOVER_DEADLINE));
            metrics.bindRelp(listener);
            return Optional.of(listener.address());
        }

        private StreamListener.Settings settings(
                String name, int number, ServerConfig.Stream stream, Batching batching, @Nullable ServerTls tls)
                throws IOException {
            InetSocketAddress bind = ListenAddresses.resolved(stream.bind().orElseThrow());
            return new StreamListener.Settings(name, number, bind, stream.connections(), batching, tls, budget);
        }

        Optional<InetSocketAddress> udp(Pipeline pipeline) throws IOException {
            ServerConfig.SyslogUdp udp = config.syslogUdp();
            if (udp.bind().isEmpty()) {
                return Optional.empty();
            }
            InetSocketAddress bind = ListenAddresses.resolved(udp.bind().get());
            SyslogUdpListener listener = new SyslogUdpListener(
                    new SyslogUdpListener.Settings(UDP_NAME, UDP_NUMBER, bind, udp.bufferBytes()),
                    workers,
                    pipeline,
                    new DatagramFramer(DATAGRAM_BYTES_MAX, new EnvelopeParser(udp.topic())));
            ListenAddresses.bind(listener::start, "listen.syslog-udp.bind");
            opened.add("the UDP listener", () -> listener.close(HANDOVER_DEADLINE));
            metrics.bindUdp(listener);
            return Optional.of(listener.address());
        }

        List<String> kafka(@Nullable KafkaClients clients, Pipeline pipeline, Durability durability) {
            if (clients == null) {
                return List.of();
            }
            KafkaListener listener =
                    new KafkaListener(clients, KAFKA_NUMBER, durability.offsets(), durability.sink(true));
            durability.failWith(listener.failure());
            metrics.bindKafka(KAFKA_NAME, listener);
            pipeline.kafkaIsReadWhile(listener::isUp);
            listener.start();
            opened.add("the Kafka listener", () -> listener.close(HANDOVER_DEADLINE));
            return listener.topics();
        }
    }
}
