package io.summarizer.bench.sweep;

import io.summarizer.bench.e2e.Scrape;
import io.summarizer.bench.e2e.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/**
 * Samples a server's queues ten times a second during a run, on a thread of its own. The parse queues of several
 * pipelines count as one queue.
 */
final class QueueSampler implements AutoCloseable {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final String SIZE = "summarizer_queue_batches";
    private static final String CAPACITY = "summarizer_queue_capacity_batches";
    private static final String RECEIVED = "summarizer_received_total";
    private static final double FULL = 0.9;

    private final ServerProcess server;
    private final long start = System.nanoTime();
    private final List<Fill> fills = new ArrayList<>();
    private final Thread thread = new Thread(this::sample, "queue-sampler");
    private volatile boolean stopping;

    /**
     * One sample. {@code parse} is NaN if there is no parse queue; {@code owners} is empty if there are no owner
     * queues.
     */
    record Fill(long nanos, double parse, List<Double> owners, double received) {
        Fill {
            owners = List.copyOf(owners);
        }
    }

    QueueSampler(ServerProcess server) {
        this.server = server;
        thread.setDaemon(true);
        thread.start();
    }

    private void sample() {
        try {
            for (long due = start; !stopping; due += INTERVAL_NANOS) {
                long wait;
                while ((wait = due - System.nanoTime()) > 0 && !stopping) {
                    LockSupport.parkNanos(this, wait);
                }
                fills.add(fill(server.scrape(SIZE, CAPACITY, RECEIVED), System.nanoTime() - start));
            }
        } catch (IOException | InterruptedException e) {
            // The server has ended, and the measurer detects this, too.
        }
    }

    /** Extracts the fills from a scrape. */
    static Fill fill(Scrape scrape, long nanos) {
        double parse = sum(scrape, SIZE, "parse") / sum(scrape, CAPACITY, "parse");
        List<Double> owners = new ArrayList<>();
        for (Scrape.Sample sample : scrape.samples()) {
            String queue = sample.labels().getOrDefault("queue", "");
            if (sample.name().equals(SIZE) && !queue.equals("parse")) {
                double capacity = scrape.values(
                                CAPACITY, other -> other.labels().equals(sample.labels()))
                        .findFirst()
                        .orElse(Double.NaN);
                owners.add(Math.min(1, sample.value() / capacity));
            }
        }
        return new Fill(nanos, Math.min(1, parse), owners, scrape.sum(RECEIVED));
    }

    private static double sum(Scrape scrape, String name, String queue) {
        return scrape.values(name, sample -> queue.equals(sample.labels().get("queue")))
                .sum();
    }

    @Override
    public void close() {
        stop();
    }

    /** Stops sampling, and waits for the last sample. */
    void stop() {
        stopping = true;
        LockSupport.unpark(thread);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The samples as a series. Call after {@link #stop}. */
    List<SeriesSample> series() {
        List<SeriesSample> series = new ArrayList<>();
        for (int i = 1; i < fills.size(); i++) {
            Fill fill = fills.get(i);
            Fill before = fills.get(i - 1);
            series.add(new SeriesSample(
                    TimeUnit.NANOSECONDS.toMillis(fill.nanos),
                    fill.parse,
                    fill.owners.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN),
                    fill.owners.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN),
                    (fill.received - before.received) * 1e9 / Math.max(1, fill.nanos - before.nanos)));
        }
        return series;
    }

    /** The samples as figures. Call after {@link #stop}. */
    Map<Metric, Double> figures() {
        return figures(fills);
    }

    static Map<Metric, Double> figures(List<Fill> looks) {
        // Skips samples before the first event, when no queue can have an event.
        List<Fill> fills = looks.stream()
                .filter(fill -> fill.received > looks.get(0).received)
                .toList();
        Map<Metric, Double> figures = new EnumMap<>(Metric.class);
        put(figures, Metric.PARSE_FILL, fills, Fill::parse);
        put(figures, Metric.PARSE_FULL_SHARE, fills, fill -> full(fill.parse));
        put(figures, Metric.PARSE_EMPTY_SHARE, fills, fill -> empty(fill.parse));
        put(figures, Metric.OWNER_FILL, fills, fill -> mean(fill.owners, share -> share));
        put(figures, Metric.OWNER_FULL_SHARE, fills, fill -> mean(fill.owners, QueueSampler::full));
        put(figures, Metric.OWNER_EMPTY_SHARE, fills, fill -> mean(fill.owners, QueueSampler::empty));
        return figures;
    }

    private static void put(
            Map<Metric, Double> figures, Metric figure, List<Fill> fills, ToDoubleFunction<Fill> value) {
        fills.stream()
                .mapToDouble(value)
                .filter(share -> !Double.isNaN(share))
                .average()
                .ifPresent(mean -> figures.put(figure, mean));
    }

    private static double mean(List<Double> shares, ToDoubleFunction<Double> value) {
        return shares.stream().mapToDouble(value).average().orElse(Double.NaN);
    }

    private static double full(double share) {
        return Double.isNaN(share) ? share : share >= FULL ? 1 : 0;
    }

    private static double empty(double share) {
        return Double.isNaN(share) ? share : share == 0 ? 1 : 0;
    }
}
