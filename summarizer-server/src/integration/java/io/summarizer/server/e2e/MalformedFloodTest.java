package io.summarizer.server.e2e;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.RejectReason;
import io.summarizer.server.oracle.CsvComparison;
import io.summarizer.server.oracle.DuckDbOracle;
import io.summarizer.server.oracle.OracleTable;
import io.summarizer.server.replay.LineSender;
import io.summarizer.server.replay.RelpTarget;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.workload.AdsWorkload;
import io.summarizer.server.workload.MalformedWorkload;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flood of malformed messages, over one connection after the other: senders of good messages do not notice. */
class MalformedFloodTest {
    private static final long SEED = 78;
    private static final int MESSAGE_BYTES_MAX = 4096;
    private static final int CONNECTION_MESSAGES = 5_000;
    private static final long REJECTS_BYTES_MAX = 8 << 20;
    private static final long GROWTH_BYTES_MAX = 48 << 20;

    private final MalformedWorkload workload = new MalformedWorkload(SEED, MESSAGE_BYTES_MAX);
    private final AdsWorkload flat = AdsWorkload.v1(SEED);
    private final AdsWorkload nested = AdsWorkload.v2(SEED);
    private final Map<RejectReason, Long> sent = new EnumMap<>(RejectReason.class);

    @TempDir
    Path folder;

    @Test
    void neighboursAreExactBesideTwentyThousandBrokenMessages() throws Exception {
        try (RunningService service = service()) {
            flood(service, 0, 20_000, 10_000);
            assertExact(service, 10_000, 1);
        }
    }

    /** The messages have some hundred bytes each, every tenth four thousand: if kept, they would take 700 MB. */
    @Test
    @Tag("long")
    void memoryStaysAsItWasWhileAMillionComes() throws Exception {
        try (RunningService service = service()) {
            flood(service, 0, 100_000, 200_000);
            long before = usedBytes();
            flood(service, 100_000, 1_000_000, 200_000); // the same rows again
            assertThat(usedBytes() - before).isLessThan(GROWTH_BYTES_MAX);
            assertExact(service, 200_000, 2);
        }
    }

    private RunningService service() throws Exception {
        return RunningService.withAds(
                folder.resolve("data"),
                "listen.syslog-tcp.max-message-size=" + MESSAGE_BYTES_MAX + "B",
                "listen.relp.max-message-size=" + MESSAGE_BYTES_MAX + "B",
                "rejects.max-size=" + REJECTS_BYTES_MAX + "B");
    }

    /** Sends malformed messages beside {@code good} flat ones over TCP and as many nested ones over RELP. */
    private void flood(RunningService service, long from, long to, long good) throws Exception {
        long before = service.received();
        ExecutorService neighbours = Executors.newFixedThreadPool(2);
        try {
            Future<?> plain = neighbours.submit(() -> {
                try (TcpTarget target = TcpTarget.connect(service.syslog());
                        OutputStream out = new BufferedOutputStream(target.stream())) {
                    flat.writeTo(out, good);
                    out.flush();
                    target.finish();
                }
                return null;
            });
            Future<?> answered = neighbours.submit(() -> {
                try (RelpTarget target = RelpTarget.connect(service.relp())) {
                    LineSender lines = new LineSender(target);
                    nested.writeTo(lines, good);
                    lines.finish();
                }
                return null;
            });
            sendBroken(service, from, to);
            plain.get(5, MINUTES);
            answered.get(5, MINUTES);
        } finally {
            neighbours.shutdownNow();
        }
        service.awaitReceived(before + (to - from) + 2 * good);
    }

    /** Sends them over TCP and RELP alternately. */
    private void sendBroken(RunningService service, long from, long to) throws IOException {
        boolean answered = false;
        for (long first = from; first < to; first += CONNECTION_MESSAGES) {
            long end = Math.min(to, first + CONNECTION_MESSAGES);
            if (answered) {
                try (RelpTarget target = RelpTarget.connect(service.relp())) {
                    LineSender lines = new LineSender(target);
                    writeBroken(lines, first, end);
                    lines.finish();
                }
            } else {
                try (TcpTarget target = TcpTarget.connect(service.syslog());
                        OutputStream out = new BufferedOutputStream(target.stream(), 64 * 1024)) {
                    writeBroken(out, first, end);
                    out.flush();
                    target.finish();
                }
            }
            answered = !answered;
        }
    }

    private void writeBroken(OutputStream out, long from, long to) {
        workload.forEachBroken(from, to, (line, defect) -> {
            try {
                out.write(line);
                out.write('\n');
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            sent.merge(defect.reason(), 1L, Long::sum);
        });
    }

    private void assertExact(RunningService service, long good, int times) throws Exception {
        assertThat(service.rejected()).isEqualTo(sent);
        LedgerCounts ledger = service.ledger();
        LedgerAssert.assertSettled(ledger);
        assertThat(ledger.listeners().stream()
                        .mapToLong(one -> one.count(Fate.APPLIED))
                        .sum())
                .isEqualTo(2 * good * times);
        assertThat(ledger.listeners()).extracting(Account::name).contains("syslog-tcp", "relp");
        Path pulled = service.pullAll(
                folder.resolve("pulled"),
                "CampaignDetails",
                "CampaignDetails/interactions",
                "CampaignDetails/conversions");
        try (DuckDbOracle oracle = new DuckDbOracle()) {
            oracle.loadEvents(sink -> {
                for (int i = 0; i < times; i++) {
                    flat.forEach(good, sink);
                    nested.forEach(good, sink);
                }
            });
            for (OracleTable table :
                    List.of(DuckDbOracle.CAMPAIGN_DETAILS, DuckDbOracle.INTERACTIONS, DuckDbOracle.CONVERSIONS)) {
                CsvComparison.compare(oracle, table, pulled.resolve(table.name() + ".csv"))
                        .assertAgrees();
            }
        }
        try (Stream<Path> kept = Files.list(service.rejects())) {
            assertThat(kept.mapToLong(file -> file.toFile().length()).sum())
                    .isPositive()
                    .isLessThanOrEqualTo(REJECTS_BYTES_MAX);
        }
    }

    /** Returns the memory in use, on the heap after garbage collection and outside of it. */
    private static long usedBytes() {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return heap
                + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum();
    }
}
