package io.summarizer.server.cli;

import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.demo.Rsyslogd;
import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.net.Addresses;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.SummarizerService;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The demo's way through a service on this host: rsyslogd sends to the service. */
final class ServiceDemo extends DemoWay {
    private final Terminal terminal;

    private @Nullable SummarizerService service;
    private @Nullable InetSocketAddress target;

    ServiceDemo(Terminal terminal, DemoScreen screen) {
        super(screen);
        this.terminal = terminal;
    }

    @Override
    void start(Path folder, Path definitions)
            throws IOException, CommandFailure, DefinitionsException, InterruptedException {
        ServerConfig config = config(folder, definitions);
        service = SummarizerService.start(config, Plans.load(definitions, config.timezones(), terminal));
        screen.done("service", "syslog on tcp://" + Addresses.text(syslog()) + ", web page on " + http() + "/");
        target = throughRsyslogd(
                        Rsyslogd.find(),
                        folder.resolve("rsyslog"),
                        Rsyslogd.forwarding(syslog()),
                        "forwarding by omfwd with a disk-assisted queue",
                        "not installed (apt-get install rsyslog)",
                        "sending straight over TCP")
                .orElse(syslog());
    }

    private static ServerConfig config(Path folder, Path definitions) {
        try {
            return ConfigLoader.load(
                    HomeFolder.path(),
                    null,
                    Map.of(),
                    List.of(
                            "listen.syslog-tcp.bind=127.0.0.1:0",
                            "listen.relp.bind=off",
                            "http.bind=127.0.0.1:0",
                            "definitions=" + definitions,
                            "data=" + folder.resolve("data")));
        } catch (ConfigException e) {
            throw new IllegalStateException("the demo's own configuration", e);
        }
    }

    private SummarizerService service() {
        return Objects.requireNonNull(service, "not started");
    }

    private InetSocketAddress syslog() {
        return service().listeners().syslogAddress().orElseThrow();
    }

    @Override
    Connection connect() throws IOException {
        return Connection.of(TcpTarget.connect(Objects.requireNonNull(target, "not started")));
    }

    @Override
    EventCounts counts() {
        return service().counts();
    }

    @Override
    String http() {
        return "http://" + Addresses.text(service().httpAddress());
    }

    @Override
    void check() {
        // The service runs in this process, so there is no other process to check.
    }

    @Override
    void progress(long sent) {
        // Every event is in the tables at once.
    }

    @Override
    void nextSteps(ServiceClient client) {
        screen.next("curl -s " + client.resolve("/summaries/CampaignDetails.csv") + " | head", "what Excel gets");
        screen.next(
                HomeFolder.program() + " export CampaignDetails --all --server " + http() + " --out csv",
                "it and its nested summaries, as of one moment");
        screen.next(
                HomeFolder.program() + " generate ads-v1 --events 1000000 --to tcp://" + Addresses.text(syslog()),
                "a million more events");
    }

    @Override
    public void close() {
        super.close();
        if (service != null) {
            service.close();
        }
    }
}
