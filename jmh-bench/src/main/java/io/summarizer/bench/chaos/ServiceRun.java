package io.summarizer.bench.chaos;

import io.summarizer.bench.e2e.ServerProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A run of a service that is killed or stopped, and started again on the same data. The folder of the run has the
 * definitions, the data, and a log of each start. One thread.
 */
abstract class ServiceRun {
    private static final Duration REST_LIMIT = Duration.ofMinutes(3);
    private static final int REST_POLL_MS = 50;
    /**
     * Longest wait for an acknowledgement before further events are sent. rsyslog needs further events, because it
     * repeats unacknowledged messages only when it has a new message to send.
     */
    static final long NUDGE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The project's root. */
    final Path home;

    /** The folder of the run. */
    final Path work;

    final Path definitions;
    final PrintStream out;
    final SplittableRandom random;

    /** The folder of the service's data. */
    Path data;

    /** The service that was started last. */
    ServerProcess service;

    /** Time that the last start took. */
    long startMillis = 1_000;

    int killsStarting;
    private int starts;

    @SuppressWarnings("NullAway.Init") // run() starts the service first
    ServiceRun(Path home, Path work, long seed, PrintStream out) throws IOException {
        this.home = home;
        this.work = work;
        this.out = out;
        random = new SplittableRandom(seed);
        data = work.resolve("data");
        definitions = Files.createDirectories(work.resolve("definitions"));
        Files.createDirectories(work.resolve("logs"));
    }

    /** Runs, from the first start to the last stop. */
    abstract RunFigures run() throws IOException, InterruptedException;

    /** Runs, and ends all that is left. */
    final RunFigures runAndClose() throws IOException, InterruptedException {
        try {
            return run();
        } finally {
            close();
        }
    }

    /** Ends all that is left of the run, which may have failed. */
    void close() throws IOException, InterruptedException {
        if (service != null && service.isAlive()) {
            service.kill();
        }
    }

    /** Begins the start of a service with the settings of this run. */
    abstract ServerProcess launch() throws IOException;

    /** Begins the start of a service. */
    final ServerProcess launch(
            List<String> jvmOptions, @Nullable Path config, List<String> settings, Map<String, String> environment)
            throws IOException {
        starts++;
        return ServerProcess.begin(
                home,
                jvmOptions,
                config,
                settings,
                environment,
                work.resolve("classes.jsa"),
                work.resolve("logs").resolve(String.format(Locale.ROOT, "%05d.err", starts)));
    }

    /** Starts a service, and waits until it listens. */
    final void begin() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        service = launch();
        service.awaitListening();
        startMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    }

    /** Starts a service, checks it, and only then lets senders reach it. */
    void start() throws IOException, InterruptedException {
        begin();
    }

    void stop() throws IOException, InterruptedException {
        service.stop();
    }

    /** Starts the first service. An orderly stop then writes the archive of classes, if services use one. */
    final void startFirst() throws IOException, InterruptedException {
        start();
        if (ServerProcess.isArchiving()) {
            stop();
            start();
        }
    }

    /** Stops the service and starts another. Checks that the orderly stop left no message to replay. */
    final void restart() throws IOException, InterruptedException {
        stop();
        start();
        if (service.complaints().contains("recovered:")) {
            throw new ChaosException("an orderly stop left something to replay: " + service.complaints());
        }
    }

    /** Kills a service while it starts. */
    final void killStarting(SplittableRandom random) throws IOException, InterruptedException {
        ServerProcess starting = launch();
        Thread.sleep(random.nextLong(startMillis + startMillis / 4));
        starting.kill();
        killsStarting++;
    }

    /** Waits until a condition holds; returns false if it does not hold in time. */
    static boolean await(long limitMillis, ServerProcess.Condition condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
        while (System.nanoTime() < deadline) {
            if (condition.holds()) {
                return true;
            }
            Thread.sleep(1);
        }
        return false;
    }

    /** Pauses a sender, and waits until the service is at rest; returns false if it is not at rest in time. */
    static boolean comesToRest(Sender sender, ServerProcess.Condition atRest) throws IOException, InterruptedException {
        sender.allow(0);
        long nudgedNanos = System.nanoTime();
        long deadline = nudgedNanos + REST_LIMIT.toNanos();
        while (!atRest.holds()) {
            if (System.nanoTime() - nudgedNanos > NUDGE_NANOS) {
                nudgedNanos = System.nanoTime();
                sender.allow(sender.sent() + 1);
            }
            if (System.nanoTime() > deadline) {
                return false;
            }
            Thread.sleep(REST_POLL_MS);
        }
        return true;
    }
}
