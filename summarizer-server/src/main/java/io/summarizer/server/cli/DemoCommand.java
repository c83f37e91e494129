package io.summarizer.server.cli;

import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.demo.CampaignReport;
import io.summarizer.server.demo.Rsyslogd;
import io.summarizer.server.demo.TemporaryFolder;
import io.summarizer.server.http.Listing;
import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.net.Addresses;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.SummarizerService;
import io.summarizer.server.workload.AdsWorkload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code demo}: shows the Summarizer at work. The demo runs a service on free ports, sends ad traffic through a real
 * rsyslogd, and shows the resulting CSV.
 */
@Command(
        name = "demo",
        description = {
            "Shows the Summarizer at work: a service, ad traffic, the CSV.",
            "The service uses free ports. The traffic comes through a real rsyslogd, or directly over TCP if none is installed."
        })
final class DemoCommand extends Subcommand {
    private static final long EVENTS_EACH = 100_000;
    private static final long EVENTS = 2 * EVENTS_EACH;
    private static final long SEED = 2026;
    private static final int TOP = 10;
    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int POLL_MS = 20;

    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable TemporaryFolder folder;
    private @Nullable SummarizerService service;
    private @Nullable Rsyslogd rsyslogd;

    @Option(names = "--exit", description = "End after showing the tables, instead of running until Ctrl-C.")
    private boolean exit;

    @Override
    public Integer call() throws IOException, CommandFailure, DefinitionsException, InterruptedException {
        Thread hook = new Thread(this::interrupted, "shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            demonstrate();
            if (!exit) {
                line("");
                line("  The service goes on until you press Ctrl-C.");
                new CountDownLatch(1).await(); // the shutdown hook ends the process
            }
            return Exit.OK;
        } finally {
            close();
        }
    }

    private void demonstrate() throws IOException, CommandFailure, DefinitionsException, InterruptedException {
        line("");
        line("  " + terminal.bold("Summarizer") + ": events in by syslog, small keyed summaries out as CSV");
        line("");
        TemporaryFolder folder = TemporaryFolder.create(
                "summarizer-demo-" + ProcessHandle.current().pid() + "-");
        this.folder = folder;
        Path definitions = Files.createDirectories(folder.path().resolve("definitions"));
        Path schemas = HomeFolder.definitions();
        copyDefinitions(schemas, definitions);
        copyDefinitions(schemas.resolve("demo"), definitions);
        ServerConfig config = config(folder.path(), definitions);
        SummarizerService service =
                SummarizerService.start(config, Plans.load(definitions, config.timezones(), terminal));
        this.service = service;
        String http = "http://" + Addresses.text(service.httpAddress());
        InetSocketAddress syslog = service.listeners().syslogAddress().orElseThrow();
        done("service", "syslog on tcp://" + Addresses.text(syslog) + ", web page on " + http + "/");

        InetSocketAddress target = throughRsyslogd(folder.path(), syslog);
        feed(service, target);

        ServiceClient client = new ServiceClient(http, null, null);
        List<Listing.Entry> summaries = client.summaries();
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        client.csv("Campaigns", "/summaries/Campaigns.csv", Map.of(), false, csv);
        line("");
        line("  " + terminal.bold("Top campaigns") + " of " + EVENTS_EACH / 1000 + ",000 CSV and " + EVENTS_EACH / 1000
                + ",000 nested JSON events, joined by key while they arrived");
        line("");
        CampaignReport.lines(csv.toString(StandardCharsets.UTF_8), TOP).forEach(text -> line("  " + text));
        line("");
        line("  "
                + terminal.dim(
                        "Distinct users are estimates, off by about 2 % as a rule. Hardly anybody saw two ads of a"));
        line("  " + terminal.dim("campaign here, so there may even seem to be more users than impressions."));
        line("");
        showLinks(client, summaries, http, syslog);
    }

    private ServerConfig config(Path folder, Path definitions) {
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

    /**
     * Copies all definitions into one folder, because the demo's definition uses event types of the other definitions.
     */
    private static void copyDefinitions(Path from, Path to) throws IOException, CommandFailure {
        if (!Files.isDirectory(from)) {
            throw new CommandFailure(from + " is missing: the demo shows the definitions of this project");
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from, "*.{summ,proto}")) {
            for (Path file : files) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    /**
     * Returns the address to which the demo sends: the address of an rsyslogd that forwards to the service or, if there
     * is no rsyslogd, the address of the service.
     */
    private InetSocketAddress throughRsyslogd(Path folder, InetSocketAddress syslog) throws InterruptedException {
        Optional<Path> program = Rsyslogd.find();
        if (program.isEmpty()) {
            note("rsyslogd", "not installed (apt-get install rsyslog): sending straight over TCP");
            return syslog;
        }
        try {
            Rsyslogd started = Rsyslogd.start(program.get(), folder.resolve("rsyslog"), syslog);
            rsyslogd = started;
            done(
                    "rsyslogd",
                    "a real one, forwarding by omfwd with a disk-assisted queue; takes syslog on tcp://"
                            + Addresses.text(started.address()));
            return started.address();
        } catch (IOException e) {
            note("rsyslogd", "cannot be used here (" + e.getMessage() + "): sending straight over TCP");
            return syslog;
        }
    }

    private void feed(SummarizerService service, InetSocketAddress target)
            throws IOException, CommandFailure, InterruptedException {
        long start = System.nanoTime();
        long[] bytes = new long[1];
        try (ProgressBar progress = new ProgressBar(terminal, "  events  ", EVENTS, Units::count);
                TcpTarget connection = TcpTarget.connect(target)) {
            OutputStream out = new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    write(new byte[] {(byte) b}, 0, 1);
                }

                @Override
                public void write(byte[] buffer, int offset, int length) throws IOException {
                    connection.send(ByteBuffer.wrap(buffer, offset, length));
                    bytes[0] += length;
                    progress.update(service.counts().received());
                }
            };
            AdsWorkload.v1(SEED).writeTo(out, EVENTS_EACH);
            AdsWorkload.v2(SEED + 1).writeTo(out, EVENTS_EACH);
            connection.finish();
            awaitAll(service.counts(), progress);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        EventCounts counts = service.counts();
        long refused = counts.unmatched() + counts.rejected();
        if (refused > 0) {
            throw new CommandFailure(Units.count(refused) + " of " + Units.count(EVENTS)
                    + " events were unmatched or rejected on the way, which should not happen");
        }
        done(
                "traffic",
                Units.count(EVENTS) + " events, " + Units.bytes(bytes[0]) + ", in " + Units.duration(seconds) + ", "
                        + Units.rate(EVENTS, seconds));
    }

    private void awaitAll(EventCounts counts, ProgressBar progress) throws CommandFailure, InterruptedException {
        long received = counts.received();
        long lastNews = System.nanoTime();
        while (received < EVENTS) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            long now = counts.received();
            if (now > received) {
                received = now;
                lastNews = System.nanoTime();
            } else if (System.nanoTime() - lastNews > STALL_NANOS) {
                throw new CommandFailure("only " + Units.count(received) + " of " + Units.count(EVENTS)
                        + " events arrived, and nothing more comes"
                        + (rsyslogd == null ? "" : "; rsyslogd says: " + rsyslogd.said()));
            }
            progress.update(received);
        }
    }

    private void showLinks(ServiceClient client, List<Listing.Entry> summaries, String http, InetSocketAddress syslog) {
        line("  " + terminal.bold("Pull them as CSV") + " into Excel, R, pandas or PostgreSQL");
        line("");
        for (Listing.Entry summary : summaries) {
            line("    " + terminal.accent(client.resolve(summary.csv()).toString()) + "   "
                    + terminal.dim(Units.count(summary.rows()) + " rows"));
            for (Listing.Nested nested : summary.nested()) {
                line("    " + terminal.accent(client.resolve(nested.csv()).toString()));
            }
        }
        line("");
        line("  " + terminal.bold(exit ? "Try next" : "Try next, in another terminal"));
        line("");
        if (exit) {
            next("bin/summarizer demo", "the same, and the service stays so that you can pull");
        } else {
            next("curl -s " + client.resolve("/summaries/CampaignDetails.csv") + " | head", "what Excel gets");
            next(
                    "bin/summarizer export CampaignDetails --all --server " + http + " --out csv",
                    "it and its nested summaries, as of one moment");
            next(
                    "bin/summarizer generate ads-v1 --events 1000000 --to tcp://" + Addresses.text(syslog),
                    "a million more events");
        }
        next("less schemas/ads.summ", "the definition behind all this; write your own: docs/write/guide.md");
        next(
                "bin/summarizer serve --set data=try/serve",
                "a service of your own: config/summarizer.yaml, docs/README.md");
    }

    private void next(String command, String why) {
        line("    " + terminal.accent(command));
        line("        " + terminal.dim(why));
    }

    private void done(String what, String text) {
        line("  " + terminal.accent("✓") + " " + String.format("%-9s", what) + " " + text);
    }

    private void note(String what, String text) {
        line("  · " + String.format("%-9s", what) + " " + text);
    }

    private void line(String text) {
        terminal.out().println(text);
    }

    /** Ends the demo when the JVM shuts down. Ctrl-C is an orderly end, so the exit code is 0. */
    private void interrupted() {
        if (!closed.get()) {
            close();
            terminal.out().println();
            terminal.out().flush();
            Runtime.getRuntime().halt(Exit.OK);
        }
    }

    private void close() {
        if (closed.compareAndSet(false, true)) {
            if (rsyslogd != null) {
                rsyslogd.close();
            }
            if (service != null) {
                service.close();
            }
            if (folder != null) {
                folder.close();
            }
        }
    }
}
