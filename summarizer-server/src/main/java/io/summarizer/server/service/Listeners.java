package io.summarizer.server.service;

import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.config.ServerConfig.SyslogTcp;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The configured listeners for messages, started. Immutable. */
final class Listeners {
    static final String SYSLOG_NAME = "syslog-tcp";
    static final String RELP_NAME = "relp";
    private static final String UDP_NAME = "syslog-udp";

    /** Numbers of the listeners, which every message carries. */
    private static final int SYSLOG_NUMBER = 0;

    static final int RELP_NUMBER = 1;
    private static final int UDP_NUMBER = 2;

    private static final Duration HANDOVER_DEADLINE = Duration.ofSeconds(30);

    private final @Nullable SyslogTcpListener syslog;
    private final @Nullable RelpListener relp;
    private final @Nullable SyslogUdpListener udp;

    private Listeners(
            @Nullable SyslogTcpListener syslog, @Nullable RelpListener relp, @Nullable SyslogUdpListener udp) {
        this.syslog = syslog;
        this.relp = relp;
        this.udp = udp;
    }

    /** Tells their names to the ledger of a pipeline. */
    static void name(Pipeline pipeline) {
        pipeline.ledger().name(SYSLOG_NUMBER, SYSLOG_NAME);
        pipeline.ledger().name(RELP_NUMBER, RELP_NAME);
        pipeline.ledger().name(UDP_NUMBER, UDP_NAME);
    }

    /**
     * Starts them.
     *
     * @throws IOException when an address cannot be bound; those started before are in {@code opened}
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
        ReceiveBudget budget = new ReceiveBudget(config.receiveBytesMax());
        metrics.bind(budget);
        SyslogTcpListener syslog = syslog(config, protection.syslog(), workers, budget, pipeline, opened);
        if (syslog != null) {
            metrics.bind(syslog);
        }
        RelpListener relp = relp(config.relp(), protection.relp(), workers, budget, durability, opened);
        if (relp != null) {
            metrics.bindRelp(relp);
        }
        SyslogUdpListener udp = udp(config.syslogUdp(), workers, pipeline, opened);
        if (udp != null) {
            metrics.bindUdp(udp);
        }
        return new Listeners(syslog, relp, udp);
    }

    /** Starts the listener for syslog over TCP; returns null when there is none. */
    private static @Nullable SyslogTcpListener syslog(
            ServerConfig config,
            @Nullable ServerTls tls,
            NettyWorkers workers,
            ReceiveBudget budget,
            Pipeline pipeline,
            Teardown opened)
            throws IOException {
        SyslogTcp tcp = config.syslogTcp();
        if (tcp.bind().isEmpty()) {
            return null;
        }
        SyslogTcpListener listener = new SyslogTcpListener(
                new StreamListener.Settings(
                        SYSLOG_NAME,
                        SYSLOG_NUMBER,
                        ListenAddresses.resolved(tcp.bind().get()),
                        tcp.connections(),
                        config.pipeline().batching(),
                        tls,
                        budget),
                workers,
                pipeline,
                () -> PipelineSetup.framer(config, tcp.framing()));
        ListenAddresses.bind(listener::start, "listen.syslog-tcp.bind");
        opened.add("the syslog listener", () -> {
            listener.close(HANDOVER_DEADLINE);
            pipeline.drain(); // before HTTP ends, so that messages remain visible to the end
        });
        return listener;
    }

    /** Starts the listener for RELP; returns null when there is none. */
    private static @Nullable RelpListener relp(
            ServerConfig.Relp config,
            @Nullable ServerTls tls,
            NettyWorkers workers,
            ReceiveBudget budget,
            Durability durability,
            Teardown opened)
            throws IOException {
        if (config.bind().isEmpty()) {
            return null;
        }
        RelpListener listener = new RelpListener(
                new StreamListener.Settings(
                        RELP_NAME,
                        RELP_NUMBER,
                        ListenAddresses.resolved(config.bind().get()),
                        config.connections(),
                        Batching.BY_READ, // a linger would delay acknowledgements
                        tls,
                        budget),
                workers,
                durability.sink(config.ack() == Ack.DURABLE),
                () -> PipelineSetup.relpFramer(config),
                config.ack());
        ListenAddresses.bind(listener::start, "listen.relp.bind");
        // No message is acknowledged any more: senders should connect to another service, or to the next process.
        var unused = durability.failure().thenRun(listener::breakSessions);
        opened.add("the RELP listener", () -> listener.close(HANDOVER_DEADLINE));
        return listener;
    }

    /** Starts the listener for UDP; returns null when there is none. */
    private static @Nullable SyslogUdpListener udp(
            ServerConfig.SyslogUdp config, NettyWorkers workers, Pipeline pipeline, Teardown opened)
            throws IOException {
        if (config.bind().isEmpty()) {
            return null;
        }
        SyslogUdpListener listener = new SyslogUdpListener(
                new SyslogUdpListener.Settings(
                        UDP_NAME,
                        UDP_NUMBER,
                        ListenAddresses.resolved(config.bind().get()),
                        config.bufferBytes()),
                workers,
                pipeline,
                PipelineSetup.datagramFramer(config));
        ListenAddresses.bind(listener::start, "listen.syslog-udp.bind");
        opened.add("the UDP listener", () -> listener.close(HANDOVER_DEADLINE));
        return listener;
    }

    /** Address of syslog over TCP, with its actual port; empty without that listener. */
    Optional<InetSocketAddress> syslogAddress() {
        return Optional.ofNullable(syslog).map(SyslogTcpListener::address);
    }

    /** Address of syslog over RELP, likewise. */
    Optional<InetSocketAddress> relpAddress() {
        return Optional.ofNullable(relp).map(RelpListener::address);
    }

    /** Address of syslog over UDP, likewise. */
    Optional<InetSocketAddress> udpAddress() {
        return Optional.ofNullable(udp).map(SyslogUdpListener::address);
    }
}
