package io.summarizer.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.http.Cuts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServerMetricsTest {
    private final ServerMetrics metrics = new ServerMetrics(Cuts.COUNTS);

    @AfterEach
    void close() {
        metrics.close();
    }

    @Test
    void theCountersHaveTheNamesThatWerePromised() {
        assertThat(metrics.scrape().lines())
                .contains(
                        "summarizer_received_total 1234567.0",
                        "summarizer_unmatched_total 21.0",
                        "summarizer_rejected_total{reason=\"frame\"} 35.0",
                        "summarizer_rejected_total{reason=\"oversize\"} 36.0",
                        "summarizer_rejected_total{reason=\"envelope\"} 37.0",
                        "summarizer_rejected_total{reason=\"payload\"} 38.0",
                        "summarizer_rejected_total{reason=\"untimed\"} 39.0",
                        "summarizer_rejected_total{reason=\"early\"} 40.0",
                        "summarizer_rejected_total{reason=\"late\"} 41.0",
                        "summarizer_rejected_total{reason=\"limit\"} 42.0")
                .noneMatch(line -> line.contains("reason=\"none\""))
                .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"))
                .anyMatch(line -> line.startsWith("process_uptime_seconds"));
    }

    @Test
    void whatThreadsAllocateIsCountedBeyondTheirEnd() throws InterruptedException {
        AllocatedBytes allocated = new AllocatedBytes();
        long before = allocated.total();
        byte[][] kept = new byte[1][];
        Thread thread = new Thread(() -> {
            kept[0] = new byte[8 << 20];
            allocated.total();
        });
        thread.start();
        thread.join();
        assertThat(allocated.total() - before).isBetween(8L << 20, 64L << 20);
        assertThat(kept[0]).hasSize(8 << 20);
    }
}
