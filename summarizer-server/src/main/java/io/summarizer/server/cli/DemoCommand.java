package io.summarizer.server.cli;

import io.summarizer.core.bytes.BlockOutputStream;
import io.summarizer.server.demo.TemporaryFolder;
import io.summarizer.server.http.Listing;
import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.workload.AdsWorkload;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code demo}: shows the Summarizer at work. The demo runs a service, or Kafka and Flink, on free ports. It sends ad
 * traffic through a real rsyslogd, and shows the resulting CSV.
 */
@Command(
        name = "demo",
        description = {
            "Shows the Summarizer at work: a service, ad traffic, the CSV.",
            "Everything uses free ports. The traffic comes through a real rsyslogd, or directly over TCP if none is installed."
        })
final class DemoCommand extends Subcommand {
    private static final long EVENTS_EACH = 100_000;
    private static final long EVENTS = 2 * EVENTS_EACH;
    private static final long SEED = 2026;
    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int POLL_MS = 20;

    /** New events, after the tables were shown. */
    private static final int TRICKLE_EVENTS = 10;

    private static final int TRICKLE_MS = 100;
    private static final int TRICKLES_SHOWN = 100;

    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable TemporaryFolder folder;
    private @Nullable DemoWay way;

    @Option(names = "--exit", description = "End after showing the tables, instead of running until Ctrl-C.")
    private boolean exit;

    @Option(
            names = "--flink",
            description = {
                "Send the traffic through Kafka and Flink: rsyslogd with omkafka, a broker, a Flink cluster, results in a folder, serve --from-exports.",
                "Needs a checkout, and Java 17 or 21 for Flink. If rsyslogd or the Flink cluster is not installed, the demo uses a replacement."
            })
    private boolean flink;

    @Option(
            names = "--one-process",
            description = {
                "With --flink: run the Flink cluster in one process.",
                "Default: a cluster of several processes, for which pip fetches Flink's distribution (300 MB) once."
            })
    private boolean oneProcess;

    @Override
    public Integer call() throws IOException, CommandFailure, DefinitionsException, InterruptedException {
        if (oneProcess && !flink) {
            throw wrong("--one-process: goes with --flink");
        }
        Thread hook = new Thread(this::interrupted, "shutdown");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            DemoScreen screen = new DemoScreen(terminal);
            DemoWay way = flink ? new FlinkDemo(screen, oneProcess) : new ServiceDemo(terminal, screen);
            demonstrate(screen, way);
            if (!exit) {
                screen.line("");
                if (flink) {
                    screen.line("  New events go on arriving until you press Ctrl-C.");
                    screen.line("");
                    trickle(way);
                } else {
                    screen.line("  The service goes on until you press Ctrl-C.");
                    new CountDownLatch(1).await(); // the shutdown hook ends the process
                }
            }
            return Exit.OK;
        } catch (IOException e) {
            if (closed.get()) {
                return Exit.OK; // Ctrl-C ends the parts, too
            }
            throw e;
        } finally {
            close();
        }
    }

    private void demonstrate(DemoScreen screen, DemoWay way)
            throws IOException, CommandFailure, DefinitionsException, InterruptedException {
        screen.title();
        TemporaryFolder folder = TemporaryFolder.create(
                "summarizer-demo-" + ProcessHandle.current().pid() + "-");
        this.folder = folder;
        Path definitions = Files.createDirectories(folder.path().resolve("definitions"));
        Path schemas = HomeFolder.definitions();
        copyDefinitions(schemas, definitions);
        copyDefinitions(schemas.resolve("demo"), definitions);
        this.way = way;
        way.start(folder.path(), definitions);
        feed(screen, way);
        way.progress(EVENTS);

        ServiceClient client = new ServiceClient(way.http(), null, null);
        List<Listing.Entry> summaries = client.summaries();
        String each = EVENTS_EACH / 1000 + ",000 ";
        screen.campaigns(client, each + "CSV and " + each + "nested JSON events");
        screen.links(client, summaries);
        screen.tryNext(!exit);
        if (exit) {
            screen.next(
                    HomeFolder.program() + " demo" + (flink ? " --flink" : "") + (oneProcess ? " --one-process" : ""),
                    "the same, and the service stays so that you can pull");
        } else {
            way.nextSteps(client);
        }
        // An image has no documents.
        boolean hasDocs = Files.exists(HomeFolder.path().resolve("docs"));
        screen.next(
                "less " + HomeFolder.spelled("schemas/ads.summ"),
                "the definition behind all this"
                        + (hasDocs ? "; write your own: " + HomeFolder.spelled("docs/write/guide.md") : ""));
        screen.next(
                HomeFolder.program() + " serve --set data=try/serve",
                "a service of your own: " + HomeFolder.spelled("config/summarizer.yaml")
                        + (hasDocs ? ", " + HomeFolder.spelled("docs/README.md") : ""));
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

    private void feed(DemoScreen screen, DemoWay way) throws IOException, CommandFailure, InterruptedException {
        long start = System.nanoTime();
        long[] bytes = new long[1];
        EventCounts counts = way.counts();
        try (ProgressBar progress = new ProgressBar(terminal, "  events  ", EVENTS, Units::count);
                DemoWay.Connection connection = way.connect()) {
            OutputStream to = connection.stream();
            OutputStream out = new BlockOutputStream() {
                @Override
                public void write(byte[] buffer, int offset, int length) throws IOException {
                    to.write(buffer, offset, length);
                    bytes[0] += length;
                    progress.update(counts.received());
                }
            };
            AdsWorkload.v1(SEED).writeTo(out, EVENTS_EACH);
            AdsWorkload.v2(SEED + 1).writeTo(out, EVENTS_EACH);
            connection.finish();
            awaitAll(way, counts, progress);
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        long refused = counts.unmatched() + counts.rejected();
        if (refused > 0) {
            throw new CommandFailure(Units.count(refused) + " of " + Units.count(EVENTS)
                    + " events were unmatched or rejected on the way, which should not happen");
        }
        screen.done(
                "traffic",
                Units.count(EVENTS) + " events, " + Units.bytes(bytes[0]) + ", in " + Units.duration(seconds) + ", "
                        + Units.rate(EVENTS, seconds));
    }

    private static void awaitAll(DemoWay way, EventCounts counts, ProgressBar progress)
            throws IOException, CommandFailure, InterruptedException {
        long received = counts.received();
        long lastNews = System.nanoTime();
        while (received < EVENTS) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            way.check();
            long now = counts.received();
            if (now > received) {
                received = now;
                lastNews = System.nanoTime();
            } else if (System.nanoTime() - lastNews > STALL_NANOS) {
                String said = way.said();
                throw new CommandFailure("only " + Units.count(received) + " of " + Units.count(EVENTS)
                        + " events arrived, and nothing more comes" + (said.isEmpty() ? "" : "; " + said));
            }
            progress.update(received);
        }
    }

    /**
     * Sends events slowly, and sometimes shows how many events are in the tables. Does not return; the shutdown hook
     * ends the process.
     */
    private static void trickle(DemoWay way) throws IOException, InterruptedException {
        AdsWorkload workload = AdsWorkload.v1(SEED);
        try (DemoWay.Connection connection = way.connect()) {
            for (long count = 1; ; count++) {
                long to = EVENTS_EACH + count * TRICKLE_EVENTS;
                workload.writeTo(connection.stream(), to - TRICKLE_EVENTS, to);
                TimeUnit.MILLISECONDS.sleep(TRICKLE_MS);
                way.check();
                if (count % TRICKLES_SHOWN == 0) {
                    way.progress(EVENTS + count * TRICKLE_EVENTS);
                }
            }
        }
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
            if (way != null) {
                way.close();
            }
            if (folder != null) {
                folder.close();
            }
        }
    }
}
