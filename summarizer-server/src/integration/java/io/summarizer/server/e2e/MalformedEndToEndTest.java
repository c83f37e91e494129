package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.message.RejectReason;
import io.summarizer.server.oracle.CsvComparison;
import io.summarizer.server.oracle.DuckDbOracle;
import io.summarizer.server.oracle.OracleTable;
import io.summarizer.server.replay.Replay;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.workload.AdEvent;
import io.summarizer.server.workload.MalformedWorkload;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events with a defect in every hundredth: the good ones count and the bad ones are kept, byte for byte. */
class MalformedEndToEndTest {
    private static final long SEED = 77;
    private static final int MESSAGE_BYTES_MAX = 4096;
    private static final String MESSAGE_SIZE = "listen.syslog-tcp.max-message-size=" + MESSAGE_BYTES_MAX + "B";

    private final MalformedWorkload workload = new MalformedWorkload(SEED, MESSAGE_BYTES_MAX);

    @TempDir
    Path folder;

    @Test
    void goodEventsCountAndBadOnesAreKept() throws Exception {
        sendBrokenEvents(100_000);
    }

    @Test
    @Tag("long")
    void goodEventsCountAndBadOnesAreKeptAmongAMillion() throws Exception {
        sendBrokenEvents(1_000_000);
    }

    private void sendBrokenEvents(long lines) throws Exception {
        Path file = folder.resolve("lines");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            workload.writeTo(out, lines);
        }
        Map<RejectReason, List<String>> broken = broken(lines);
        try (RunningService service = RunningService.withAds(folder.resolve("data"), MESSAGE_SIZE)) {
            replay(file, service);
            service.awaitReceived(lines);
            assertThat(service.metric("summarizer_received_total")).isEqualTo(lines);
            assertThat(service.rejected()).isEqualTo(workload.rejected(lines));
            assertThat(service.metric("summarizer_unmatched_total")).isZero();
            Path pulled = service.pullAll(
                    folder.resolve("pulled"),
                    "CampaignDetails",
                    "CampaignDetails/interactions",
                    "CampaignDetails/conversions");
            compareGood(lines, pulled);
            assertBalances(lines, service);
        }
        assertKept(folder.resolve("data/rejects"), broken);

        // Rejected messages are rejected again when they are sent again.
        try (RunningService again = RunningService.withAds(folder.resolve("again"), MESSAGE_SIZE)) {
            for (RejectReason reason : broken.keySet()) {
                for (Path frames : RejectFiles.of(folder.resolve("data/rejects"), reason.label())) {
                    replay(frames, again);
                }
            }
            again.awaitReceived(lines / MalformedWorkload.PERIOD);
            assertThat(again.rejected()).isEqualTo(workload.rejected(lines));
            assertThat(again.updates("CampaignDetails", null)).isZero();
        }
        assertKept(folder.resolve("again/rejects"), broken);
    }

    private void assertBalances(long lines, RunningService service) throws Exception {
        LedgerCounts ledger = service.ledger();
        LedgerAssert.assertSettled(ledger);
        Account syslog = ledger.listeners().get(0);
        assertThat(syslog.name()).isEqualTo("syslog-tcp");
        assertThat(syslog.received()).isEqualTo(lines);
        long good = lines
                - workload.rejected(lines).values().stream()
                        .mapToLong(Long::longValue)
                        .sum();
        for (Map.Entry<RejectReason, Long> rejected : workload.rejected(lines).entrySet()) {
            assertThat(syslog.count(Fate.of(rejected.getKey())))
                    .as(rejected.getKey().label())
                    .isEqualTo(rejected.getValue());
        }
        assertThat(syslog.count(Fate.APPLIED)).isEqualTo(good);
        assertThat(ledger.intoSummary("CampaignDetails").count(Fate.APPLIED))
                .isEqualTo(service.updates("CampaignDetails", null));
        assertThat(service.metric("summarizer_ledger_listener{listener=\"syslog-tcp\",fate=\"applied\"}"))
                .isEqualTo(good);
        assertThat(service.metric("summarizer_ledger_event{event=\"Click\",fate=\"received\"}"))
                .isEqualTo(ledger.events().stream()
                        .filter(event -> event.name().equals("Click"))
                        .mapToLong(Account::received)
                        .sum());
        assertThat(service.get("/summaries/CampaignDetails.csv?limit=1")
                        .headers()
                        .firstValue("X-Summarizer-Ledger"))
                .hasValueSatisfying(header -> assertThat(header)
                        .startsWith("received=")
                        .contains(", applied=" + good + ", ")
                        .endsWith(", in-flight=0"));
    }

    private void compareGood(long lines, Path pulled) throws Exception {
        try (DuckDbOracle oracle = new DuckDbOracle()) {
            oracle.loadEvents(sink -> workload.forEachGood(lines, (AdEvent event) -> sink.accept(event)));
            for (OracleTable table :
                    List.of(DuckDbOracle.CAMPAIGN_DETAILS, DuckDbOracle.INTERACTIONS, DuckDbOracle.CONVERSIONS)) {
                CsvComparison.compare(oracle, table, pulled.resolve(table.name() + ".csv"))
                        .assertAgrees();
            }
        }
    }

    private Map<RejectReason, List<String>> broken(long lines) {
        Map<RejectReason, List<String>> broken = new EnumMap<>(RejectReason.class);
        workload.forEachBroken(
                lines,
                (line, defect) -> broken.computeIfAbsent(defect.reason(), reason -> new ArrayList<>())
                        .add(new String(line, StandardCharsets.ISO_8859_1)));
        broken.values().forEach(Collections::sort);
        return broken;
    }

    private static void assertKept(Path rejects, Map<RejectReason, List<String>> broken) throws IOException {
        for (Map.Entry<RejectReason, List<String>> expected : broken.entrySet()) {
            String reason = expected.getKey().label();
            assertThat(RejectFiles.frames(rejects, reason).equals(expected.getValue()))
                    .as("frames kept for " + reason + " are those sent")
                    .isTrue();
        }
        for (RejectReason reason : RejectReason.values()) {
            if (!broken.containsKey(reason)) {
                assertThat(RejectFiles.frames(rejects, reason.label())).isEmpty();
            }
        }
    }

    private static void replay(Path file, RunningService service) throws IOException {
        try (TcpTarget target = TcpTarget.connect(service.syslog())) {
            new Replay(file, null, null, 0, bytes -> {}).to(target);
        }
    }
}
