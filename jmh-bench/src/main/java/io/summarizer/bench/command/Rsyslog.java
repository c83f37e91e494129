package io.summarizer.bench.command;

import io.summarizer.bench.e2e.PassTimes;
import io.summarizer.bench.e2e.SenderProcess;
import io.summarizer.bench.e2e.ServerProcess;
import io.summarizer.bench.sweep.Input;
import io.summarizer.server.demo.FreePort;
import io.summarizer.server.demo.Rsyslogd;
import io.summarizer.server.demo.TemporaryFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures the rate at which a real rsyslogd forwards over RELP, to the Summarizer and to Debian's own receiver. */
@Command(
        description = {
            "Measures how many events a second a real rsyslogd forwards over RELP. One receiver is a Summarizer with a durable"
                    + " listener. The other receiver is rsyslogd's own imrelp with a queue in memory.",
            "For each receiver, a separate rsyslogd with the configuration of config/rsyslog gets the events over TCP. The"
                    + " receivers take turns. The time of a pass ends when the receiver has every event."
        })
public final class Rsyslog extends BenchCommand {
    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int WARM_UPS = 2;

    private final PrintStream out = System.out;

    @Option(names = "--events", paramLabel = "N", description = "Events in each pass. Default: ${DEFAULT-VALUE}.")
    private long events = 500_000;

    @Option(names = "--repeats", paramLabel = "N", description = "Passes after the warm-up. Default: ${DEFAULT-VALUE}.")
    private int repeats = 5;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the server, as for serve.")
    private List<String> settings = List.of();

    @Mixin
    private final Recording record = new Recording();

    /** A receiver of syslog over RELP on loopback; {@code received} counts the messages since the receiver started. */
    record Receiver(String name, int port, Count received, Runnable end) {}

    interface Count {
        long now() throws IOException, InterruptedException;
    }

    /**
     * Starts the Summarizer with an empty folder on a disk. The Summarizer acknowledges messages when they are on this
     * disk.
     */
    static Receiver summarizer(Path home, Path data, List<String> settings) throws IOException, InterruptedException {
        ServerProcess server = ServerProcess.start(home, Files.createDirectories(data), settings);
        return new Receiver(
                "summarizer",
                server.relp().getPort(),
                () -> (long) server.metric("summarizer_received_total"),
                server::close);
    }

    /**
     * Starts Debian's receiver: rsyslogd with imrelp and a queue in memory. For each message, it only writes a byte to
     * a file.
     *
     * @param folder a folder in memory, for this receiver alone
     */
    static Receiver imrelp(Path program, Path folder) throws IOException, InterruptedException {
        int port = FreePort.next();
        Path count = folder.resolve("count");
        Rsyslogd rsyslogd = Rsyslogd.start(program, folder, String.format(Locale.ROOT, """
                module(load="imrelp")
                template(name="byte" type="string" string="\\n")
                ruleset(name="count" queue.type="FixedArray" queue.size="100000" queue.dequeueBatchSize="1024") {
                    action(type="omfile" file="%s" template="byte")
                }
                input(type="imrelp" address="127.0.0.1" port="%d" ruleset="count")
                """, count, port));
        return new Receiver("imrelp", port, () -> Files.exists(count) ? Files.size(count) : 0, rsyslogd::close);
    }

    /** An rsyslogd that forwards events to a receiver, and the sender of these events. */
    private record Route(Receiver receiver, Rsyslogd rsyslogd, SenderProcess sender, List<Double> seconds)
            implements AutoCloseable {
        @Override
        public void close() {
            sender.close();
            rsyslogd.close();
            receiver.end.run();
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        atLeast(1, "--events", events);
        atLeast(1, "--repeats", repeats);
        Path program = Rsyslogd.find().orElseThrow(() -> new IOException("rsyslogd is not installed"));
        try (TemporaryFolder disk = TemporaryFolder.create("summarizer-rsyslog");
                TemporaryFolder memory = TemporaryFolder.createInMemory("summarizer-rsyslog")) {
            Path file = memory.path().resolve("v1.log");
            Input.generated("v1", events, file);
            measure(program, disk.path(), memory.path(), file);
        }
        return 0;
    }

    private void measure(Path program, Path disk, Path memory, Path file) throws IOException, InterruptedException {
        List<Route> routes = new ArrayList<>();
        try {
            Path spool = disk.resolve("spool");
            routes.add(route(
                    summarizer(home, disk.resolve("data"), settings), program, spool.resolve("summarizer"), file));
            routes.add(route(imrelp(program, memory.resolve("imrelp")), program, spool.resolve("imrelp"), file));
            for (int pass = -WARM_UPS; pass < repeats; pass++) {
                for (Route route : routes) {
                    double seconds = pass(route);
                    out.printf(
                            Locale.ROOT,
                            "  %-10s %-8s %,10.0f events/s%n",
                            route.receiver.name(),
                            pass < 0 ? "warm-up" : "pass",
                            events / seconds);
                    if (pass >= 0) {
                        route.seconds.add(seconds);
                    }
                }
            }
            report(routes);
        } finally {
            routes.forEach(Route::close);
        }
    }

    /** The configuration that {@code config/rsyslog} has for RELP, with another port. */
    static String forwarding(Path home, int port) throws IOException {
        return Files.readString(home.resolve("config/rsyslog/summarizer-omrelp.conf"))
                .replace("port=\"2514\"", "port=\"" + port + "\"")
                .replace("interval=\"1\"", "interval=\"86400\""); // no messages other than the events
    }

    private Route route(Receiver receiver, Path program, Path spool, Path file)
            throws IOException, InterruptedException {
        String forwarding = forwarding(home, receiver.port());
        Rsyslogd rsyslogd = null;
        try {
            rsyslogd = Rsyslogd.start(program, spool, forwarding);
            SenderProcess sender = SenderProcess.start(file, rsyslogd.address().getPort());
            return new Route(receiver, rsyslogd, sender, new ArrayList<>());
        } catch (IOException | InterruptedException | RuntimeException e) {
            if (rsyslogd != null) {
                rsyslogd.close();
            }
            receiver.end.run();
            throw e;
        }
    }

    private double pass(Route route) throws IOException, InterruptedException {
        long expected = route.receiver.received.now() + events;
        long start = System.nanoTime();
        route.sender.pass();
        long received;
        while ((received = route.receiver.received.now()) < expected) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IOException(route.receiver.name() + " lacks " + (expected - received) + " of " + events
                        + " events after " + LIMIT);
            }
            Thread.sleep(50);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        if (received > expected) {
            throw new IOException(
                    route.receiver.name() + " has " + (received - expected) + " events more than were sent");
        }
        var unused = route.sender.answer();
        return seconds;
    }

    private void report(List<Route> routes) throws IOException, InterruptedException {
        List<PassTimes> all = new ArrayList<>();
        for (Route route : routes) {
            PassTimes times = new PassTimes("rsyslogd-" + route.receiver.name(), "v1", events, route.seconds, settings);
            all.add(times);
            out.println(times);
            record.add(home, PassTimes.HEADER, List.of(times.csv()));
        }
        out.printf(
                Locale.ROOT,
                "%s takes %.2f times what %s takes%n",
                routes.get(0).receiver.name(),
                all.get(0).median() / all.get(1).median(),
                routes.get(1).receiver.name());
    }
}
