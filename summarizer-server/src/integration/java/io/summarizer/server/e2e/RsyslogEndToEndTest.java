package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.demo.KafkaBroker;
import io.summarizer.server.demo.Rsyslogd;
import io.summarizer.server.oracle.CsvComparison;
import io.summarizer.server.oracle.DuckDbOracle;
import io.summarizer.server.oracle.OracleTable;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.workload.AdsWorkload;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ad traffic through a real rsyslogd: in each framing and form that rsyslog can send, every event counts exactly once.
 */
class RsyslogEndToEndTest {
    private static final long SEED = 20_261_120;
    private static final int EVENTS_OF_EACH = 30_000;
    private static final int EVENTS = 2 * EVENTS_OF_EACH;
    private static final List<OracleTable> TABLES =
            List.of(DuckDbOracle.CAMPAIGN_DETAILS, DuckDbOracle.INTERACTIONS, DuckDbOracle.CONVERSIONS);

    private static String lines = "";
    private static DuckDbOracle oracle;

    @TempDir
    Path folder;

    @BeforeAll
    static void makeEvents() throws Exception {
        Rsyslog.program();
        ByteArrayOutputStream traffic = new ByteArrayOutputStream();
        AdsWorkload flat = AdsWorkload.v1(SEED);
        AdsWorkload nested = AdsWorkload.v2(SEED);
        int run = 100; // of one kind, then as many of the other
        for (int i = 0; i < EVENTS_OF_EACH; i += run) {
            flat.writeTo(traffic, i, i + run);
            nested.writeTo(traffic, i, i + run);
        }
        lines = traffic.toString(StandardCharsets.US_ASCII);
        oracle = new DuckDbOracle();
        oracle.loadEvents(sink -> flat.forEach(EVENTS_OF_EACH, sink));
        oracle.loadEvents(sink -> nested.forEach(EVENTS_OF_EACH, sink));
    }

    @AfterAll
    static void closeOracle() throws Exception {
        if (oracle != null) {
            oracle.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"octet-counted", "traditional"})
    void syslogProtocolInEitherFraming(String framing) throws Exception {
        forwarded(lines, """
                template="RSYSLOG_SyslogProtocol23Format" tcp_framing="%s"
                """.formatted(framing));
    }

    /** RFC 3164 has no MSGID: the TAG carries the topic. */
    @ParameterizedTest
    @ValueSource(strings = {"RSYSLOG_TraditionalForwardFormat", "RSYSLOG_ForwardFormat"})
    void olderFormatsWithTheTopicAsTag(String template) throws Exception {
        forwarded(tagged(lines), """
                template="%s"
                """.formatted(template));
    }

    @Test
    void compressedMessages() throws Exception {
        long bytes = forwarded(lines, """
                template="RSYSLOG_SyslogProtocol23Format" tcp_framing="octet-counted"
                compression.mode="single" ziplevel="6"
                """);
        assertThat(bytes).as("else nothing was compressed").isLessThan((long) (0.9 * lines.length()));
    }

    @Test
    void theShippedConfiguration() throws Exception {
        String shipped = Rsyslog.shippedWithoutMarks("omfwd");
        try (RunningService service = RunningService.withAds(folder.resolve("data"))) {
            String here = shipped.replace(
                    "port=\"5514\"", "port=\"" + service.syslog().getPort() + "\"");
            assertThat(here).isNotEqualTo(shipped);
            through(service, lines, here);
        }
    }

    @Test
    void theShippedConfigurationForRelp() throws Exception {
        Rsyslog.assumeRelp();
        String shipped = Rsyslog.shippedWithoutMarks("omrelp");
        try (RunningService service = RunningService.withAds(folder.resolve("data"))) {
            String here =
                    shipped.replace("port=\"2514\"", "port=\"" + service.relp().getPort() + "\"");
            assertThat(here).isNotEqualTo(shipped);
            through(service, lines, here);
            assertThat(service.metric("summarizer_listener_answered_total{listener=\"relp\"}"))
                    .isEqualTo(EVENTS);
        }
    }

    @Test
    void theShippedConfigurationForKafka() throws Exception {
        Rsyslog.assumeModule("omkafka");
        String shipped = Rsyslog.shipped("omkafka");
        try (KafkaBroker broker = KafkaBroker.start(folder.resolve("broker"));
                RunningService service = RunningService.withAds(
                        folder.resolve("data"),
                        "listen.kafka.brokers=" + broker.brokers(),
                        "listen.kafka.topics=events")) {
            broker.createTopic("events", 4, Map.of());
            String here = Rsyslogd.toKafka(shipped, broker.brokers(), folder.resolve("rsyslog"));
            assertThat(here).isNotEqualTo(shipped);
            through(service, lines, here);
            assertThat(service.metric("summarizer_listener_messages_total{listener=\"kafka\"}"))
                    .isEqualTo(EVENTS);
        }
    }

    /** Sends traffic through an rsyslogd that forwards with these options; returns the bytes that the service read. */
    private long forwarded(String traffic, String options) throws Exception {
        try (RunningService service = RunningService.withAds(folder.resolve("data"))) {
            through(service, traffic, """
                    action(type="omfwd" protocol="tcp" target="127.0.0.1" port="%d" action.resumeRetryCount="-1" %s)
                    """.formatted(service.syslog().getPort(), options));
            return service.metric("summarizer_listener_read_bytes_total{listener=\"syslog-tcp\"}");
        }
    }

    private void through(RunningService service, String traffic, String forwarding) throws Exception {
        try (Rsyslog rsyslog = Rsyslog.start(folder.resolve("rsyslog"), forwarding)) {
            try (TcpTarget target = TcpTarget.connect(rsyslog.address())) {
                target.send(ByteBuffer.wrap(traffic.getBytes(StandardCharsets.US_ASCII)));
                target.finish();
            }
            service.awaitReceived(EVENTS);
        }
        assertThat(service.rejected()).isEmpty();
        assertThat(service.metric("summarizer_unmatched_total")).isZero();
        assertThat(service.metric("summarizer_received_total")).isEqualTo(EVENTS);
        assertThat(service.metric("summarizer_updates_total{summary=\"CampaignDetails\"}"))
                .isEqualTo(EVENTS);
        Path pulled = service.pullAll(
                folder.resolve("pulled"),
                "CampaignDetails",
                "CampaignDetails/interactions",
                "CampaignDetails/conversions");
        for (OracleTable table : TABLES) {
            CsvComparison.compare(oracle, table, pulled.resolve(table.name() + ".csv"))
                    .assertAgrees();
        }
    }

    /** The same events as RFC 3164 messages: {@code <PRI>TIME HOST TOPIC: PAYLOAD}. */
    private static String tagged(String rfc5424) {
        return rfc5424.lines()
                .map(line -> line.split(" ", 8))
                .map(words -> "<134>Nov 20 00:00:00 " + words[2] + " " + words[5] + ": " + words[7] + "\n")
                .collect(Collectors.joining());
    }
}
