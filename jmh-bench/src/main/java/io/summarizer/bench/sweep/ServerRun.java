package io.summarizer.bench.sweep;

import io.summarizer.bench.e2e.Scrape;
import io.summarizer.bench.e2e.SenderProcess;
import io.summarizer.bench.e2e.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running server, the messages that were sent to it, and its measurements. A part of the run fails if a message is
 * not accounted for when the part ends. Used by one thread.
 */
final class ServerRun {
    private static final String RECEIVED = "summarizer_received_total";
    private static final String[] LOSSES = {
        "summarizer_unmatched_total",
        "summarizer_rejected_total",
        "summarizer_failures_total",
        "summarizer_listener_lost_total"
    };
    private static final int POLL_MS = 5;
    /** Time without new events after which missing events count as lost. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Probes per second. */
    private static final double PROBE_RATE = 1000;
    /** Time from an order to the sender until the first event of this order is due. */
    private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Largest ratio of the actual to the planned time of sending at which a server still keeps up. */
    private static final double PATIENCE = 1.15;

    /** Duration of one period of warm-up. */
    private static final double SPELL_SECONDS = 0.6;
    /**
     * Number of consecutive periods without progress after which a server is warm. A period makes progress if it is at
     * least {@link #BETTER} times as fast as the best earlier period.
     */
    private static final int SPELLS_NO_BETTER = 3;

    private static final int SPELLS_MIN = 6;

    private static final double BETTER = 1.08;
    private static final int IDLE_LOOK_MS = 120;
    /** Longest wait for an idle server. Spinning workers are never idle. */
    private static final long IDLE_LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);

    private static final double PER_MILLION = 1e6;
    private static final Pattern PROBES =
            Pattern.compile("\"name\":\"" + Probe.SUMMARY + "\",\"rows\":\\d+,\"updates\":(\\d+)");

    private final ServerProcess server;
    private final SenderProcess sender;
    private final Input input;
    private final GcLog gc;
    private final int connections;
    private long messages;
    private long probes;

    /** The result of a part. */
    record Outcome(Map<Metric, Double> figures, List<SeriesSample> series) {}

    ServerRun(ServerProcess server, SenderProcess sender, Input input, GcLog gc, int connections) {
        this.server = server;
        this.sender = sender;
        this.input = input;
        this.gc = gc;
        this.connections = connections;
    }

    /** Resources that the server has used up to one moment. */
    private record Mark(long nanos, double cpuSeconds, double allocated, long gcPosition) {}

    private Mark mark() throws IOException, InterruptedException {
        double allocated = server.allocatedBytes();
        return new Mark(System.nanoTime(), server.cpu().toNanos() / 1e9, allocated, gc.position());
    }

    /**
     * Warms up the server: sends full load in periods, until the periods get no faster or the time is over. After each
     * period, waits until the server's JIT compilers are done. Without these pauses, the compilers would take much
     * longer on a machine with few processors, and would still run during the measurement.
     */
    void warmUp(double seconds) throws IOException, InterruptedException {
        long end = System.nanoTime() + (long) (seconds * 1e9);
        double best = 0;
        int noBetter = 0;
        for (int spells = 0;
                (spells < SPELLS_MIN || noBetter < SPELLS_NO_BETTER) && System.nanoTime() < end;
                spells++) {
            long start = System.nanoTime();
            sender.flood(SPELL_SECONDS, connections);
            SenderProcess.Sent sent = sender.answer();
            account(sent);
            double rate = sent.messages() / (double) (System.nanoTime() - start);
            noBetter = rate > best * BETTER ? 0 : noBetter + 1;
            best = Math.max(best, rate);
            awaitIdle();
        }
    }

    private void awaitIdle() throws IOException, InterruptedException {
        long end = System.nanoTime() + IDLE_LIMIT_NANOS;
        long before = server.cpu().toMillis();
        while (System.nanoTime() < end) {
            Thread.sleep(IDLE_LOOK_MS);
            long now = server.cpu().toMillis();
            if (now - before < IDLE_LOOK_MS / 4) {
                return;
            }
            before = now;
        }
    }

    /** Measures full load. */
    Outcome throughput(double seconds) throws IOException, InterruptedException {
        Mark start = mark();
        try (QueueSampler sampler = new QueueSampler(server)) {
            sender.flood(seconds, connections);
            SenderProcess.Sent sent = sender.answer();
            sampler.stop(); // the load has ended
            account(sent);
            Map<Metric, Double> figures = usage(start, mark(), sent.messages());
            figures.putAll(sampler.figures());
            return new Outcome(figures, sampler.series());
        }
    }

    /**
     * Offers a rate in events per second, and measures the latency of events.
     *
     * @param pullPause seconds between two pulls
     */
    Outcome latency(long rate, double seconds, double pullPause) throws IOException, InterruptedException {
        Mark start = mark();
        long first = System.nanoTime() + LEAD_NANOS;
        LatencyAccount account = new LatencyAccount(first, PROBE_RATE, (long) (Timing.SETTLE * seconds * PROBE_RATE));
        try (QueueSampler sampler = new QueueSampler(server);
                PullThread pulls = new PullThread(account, probes, pullPause)) {
            sender.pace((double) rate, PROBE_RATE, first, seconds, PATIENCE * seconds, connections);
            SenderProcess.Sent sent = sender.answer();
            sampler.stop();
            long due = (long) (rate * seconds * 0.999);
            if (sent.messages() < due) {
                throw new IOException(String.format(
                        Locale.ROOT,
                        "offered %d events a second and took %.0f",
                        rate,
                        sent.messages() / (PATIENCE * seconds)));
            }
            account(sent);
            pulls.finish(sent.probes());
            Map<Metric, Double> figures = usage(start, mark(), sent.messages());
            figures.putAll(sampler.figures());
            figures.put(Metric.LATENCY_P50_US, account.micros(50));
            figures.put(Metric.LATENCY_P90_US, account.micros(90));
            figures.put(Metric.LATENCY_P99_US, account.micros(99));
            figures.put(Metric.LATENCY_P999_US, account.micros(99.9));
            figures.put(Metric.LATENCY_MAX_US, account.maxMicros());
            return new Outcome(figures, sampler.series());
        }
    }

    private Map<Metric, Double> usage(Mark from, Mark to, long events) throws IOException {
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        double seconds = (to.nanos - from.nanos) / 1e9;
        GcLog.Pauses pauses = gc.since(from.gcPosition);
        figures.put(Metric.EVENTS, (double) events);
        figures.put(Metric.SECONDS, seconds);
        figures.put(Metric.EVENTS_PER_S, events / seconds);
        figures.put(Metric.CPU_S_PER_MILLION, (to.cpuSeconds - from.cpuSeconds) / events * PER_MILLION);
        figures.put(Metric.ALLOC_BYTES_PER_EVENT, (to.allocated - from.allocated) / events);
        figures.put(Metric.GC_PAUSES, (double) pauses.count());
        figures.put(Metric.GC_PAUSE_MS, pauses.totalMs());
        figures.put(Metric.GC_PAUSE_MAX_MS, pauses.maxMs());
        return figures;
    }

    /** Waits until all events that were sent have arrived, and checks that none was lost. */
    private void account(SenderProcess.Sent sent) throws IOException, InterruptedException {
        messages += sent.messages();
        probes += sent.probes();
        long expected = messages + probes;
        double received = 0;
        for (long news = System.nanoTime(); received < expected; ) {
            double now = server.metric(RECEIVED);
            if (now > received) {
                received = now;
                news = System.nanoTime();
            } else if (System.nanoTime() - news > QUIET_NANOS) {
                throw new IOException("sent " + expected + " events and " + (long) received + " arrived");
            }
            if (received < expected) {
                Thread.sleep(POLL_MS);
            }
        }
        if (received > expected) {
            throw new IOException("sent " + expected + " events and " + (long) received + " arrived");
        }
        long updates = server.updates(); // a cut, so it includes all events that arrived
        if (!input.updates()) {
            return;
        }
        if (updates != expected) {
            throw new IOException(expected + " events made " + updates + " updates");
        }
        Scrape scrape = server.scrape(LOSSES);
        for (String loss : LOSSES) {
            if (scrape.sum(loss) != 0) {
                throw new IOException(loss + " is " + (long) scrape.sum(loss));
            }
        }
    }

    /**
     * Requests the list of summaries repeatedly over one connection, until the answers show all probes that were sent.
     * Each answer is a cut, which the server does not keep.
     */
    private final class PullThread implements AutoCloseable {
        private final LatencyAccount account;
        private final long before;
        private final long pauseMicros;
        private final AtomicLong expected = new AtomicLong(Long.MAX_VALUE);
        private final URL summaries;
        private final Thread thread = new Thread(this::pull, "puller");
        private volatile boolean stopping;
        private volatile String failure = "";

        /**
         * Starts pulling.
         *
         * @param before number of probes that had arrived before the first request
         * @param pause seconds between two pulls
         */
        PullThread(LatencyAccount account, long before, double pause) throws IOException {
            this.account = account;
            this.before = before;
            pauseMicros = (long) (pause * 1e6);
            int port = server.http().getPort();
            summaries = URI.create("http://127.0.0.1:" + port + "/summaries?keep=no")
                    .toURL();
            thread.setDaemon(true);
            thread.start();
        }

        private void pull() {
            try {
                while (!stopping && account.seen() < expected.get()) {
                    long shown = probes() - before;
                    account.visible(shown, System.nanoTime());
                    TimeUnit.MICROSECONDS.sleep(pauseMicros);
                }
            } catch (IOException | InterruptedException e) {
                failure = "a pull failed: " + e.getMessage();
            }
        }

        /** Returns the number of probes that a pull shows. */
        private long probes() throws IOException {
            try (InputStream in = summaries.openStream()) {
                Matcher probes = PROBES.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8));
                if (!probes.find()) {
                    throw new IOException("the list of summaries has no " + Probe.SUMMARY);
                }
                return Long.parseLong(probes.group(1));
            }
        }

        /** Waits until a pull has shown all probes. */
        void finish(long probes) throws IOException, InterruptedException {
            expected.set(probes);
            thread.join(TimeUnit.NANOSECONDS.toMillis(QUIET_NANOS));
            if (!failure.isEmpty()) {
                throw new IOException(failure);
            }
            if (thread.isAlive() || account.seen() != probes) {
                throw new IOException("sent " + probes + " probes and a pull shows " + account.seen());
            }
        }

        @Override
        public void close() {
            stopping = true;
            try {
                thread.join(TimeUnit.NANOSECONDS.toMillis(QUIET_NANOS));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
