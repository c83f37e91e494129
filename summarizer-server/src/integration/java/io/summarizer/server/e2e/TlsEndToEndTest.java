package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.summarizer.server.Await;
import io.summarizer.server.access.Role;
import io.summarizer.server.access.Token;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.tls.TestPki;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A service whose listeners all use TLS, and its clients: rsyslogd, the project's senders and commands, curl. */
class TlsEndToEndTest {
    private static final int EVENTS = 5_000;

    private final TestPki pki = new TestPki("test");
    private final Token reader = Token.random();
    private final Token admin = Token.random();

    @TempDir
    Path folder;

    private Path ca = Path.of("");
    private TestPki.Pair server = new TestPki.Pair(ca, ca);
    private TestPki.Pair client = new TestPki.Pair(ca, ca);

    @BeforeEach
    void makeCertificates() throws IOException {
        ca = pki.write(folder);
        server = pki.server().write(folder, "server");
        client = pki.client("rsyslog", "web1.example.com").write(folder, "client");
    }

    private List<String> tls(String listener) {
        return List.of(listener + ".tls.certificate=" + server.certificate(), listener + ".tls.key=" + server.key());
    }

    /** Starts listeners that request a client's certificate. */
    private RunningService streams() throws Exception {
        List<String> settings = new ArrayList<>();
        for (String listener : List.of("listen.syslog-tcp", "listen.relp")) {
            settings.addAll(tls(listener));
            settings.add(listener + ".tls.client-ca=" + ca);
            settings.add(listener + ".tls.allowed-names=*.example.com");
        }
        settings.add("unmatched=keep");
        return RunningService.withAds(folder.resolve("data"), settings.toArray(String[]::new));
    }

    @Test
    void aServiceThatOthersCouldReachInTheClearDoesNotStart() {
        Path data = folder.resolve("data");
        assertThatThrownBy(() -> RunningService.withAds(data, "listen.relp.bind=0.0.0.0:0", "http.bind=0.0.0.0:0"))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("listen.relp.bind", "listen.relp.allow-plaintext", "http.tokens");
        assertThat(data).doesNotExist();
    }

    @Test
    void aServiceWithACertificateThatCannotBeUsedDoesNotStart() {
        Path data = folder.resolve("data");
        assertThatThrownBy(() -> RunningService.withAds(
                        data, "listen.relp.tls.certificate=" + ca, "listen.relp.tls.key=" + server.key()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the key is not that of the certificate");
        assertThat(data).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tls", "relps"})
    void ourSendersAreLetInWithTheirCertificatesAndNotWithout(String scheme) throws Exception {
        try (RunningService service = streams()) {
            int port = (scheme.equals("tls") ? service.syslog() : service.relp()).getPort();
            String to = scheme + "://localhost:" + port;
            Path file = folder.resolve("events");
            assertThat(Commands.run("generate", "ads-v1", "--events", "" + EVENTS, "--out", file.toString())
                            .exit())
                    .isZero();
            String[] known = {
                "--to",
                to,
                "--ca",
                ca.toString(),
                "--cert",
                client.certificate().toString(),
                "--key",
                client.key().toString()
            };
            Commands.Outcome replayed = Commands.run(with(known, "replay", file.toString()));
            assertThat(replayed.exit()).as(replayed.err()).isZero();
            Commands.Outcome generated =
                    Commands.run(with(known, "generate", "ads-v1", "--seed", "2", "--events", "" + EVENTS));
            assertThat(generated.exit()).as(generated.err()).isZero();
            service.awaitReceived(2 * EVENTS);
            assertThat(service.metric("summarizer_updates_total{summary=\"CampaignDetails\"}"))
                    .isEqualTo(2 * EVENTS);

            Path otherCa = new TestPki("other").write(folder);
            Commands.Outcome disbelieving =
                    Commands.run("replay", file.toString(), "--to", to, "--ca", otherCa.toString());
            assertThat(disbelieving.exit()).isEqualTo(3);
            assertThat(disbelieving.err()).contains("no TLS with localhost:" + port);
            Commands.Outcome nameless = Commands.run("replay", file.toString(), "--to", to, "--ca", ca.toString());
            assertThat(nameless.exit()).as(nameless.err()).isEqualTo(3);
            String plain = (scheme.equals("tls") ? "tcp" : "relp") + "://localhost:" + port;
            assertThat(Commands.run("replay", file.toString(), "--to", plain, "--ca", ca.toString())
                            .exit())
                    .as("a CA without TLS")
                    .isEqualTo(2);
            assertThat(service.received()).isEqualTo(2 * EVENTS);
        }
    }

    private static String[] with(String[] last, String... first) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(last));
        return all.toArray(String[]::new);
    }

    @ParameterizedTest
    @CsvSource({"gtls", "ossl"})
    void rsyslogForwardsWithinTls(String driver) throws Exception {
        Rsyslog.assumeModule("lmnsd_" + driver);
        try (RunningService service = streams()) {
            String forwarding = """
                    global(defaultNetstreamDriverCAFile="%s" defaultNetstreamDriverCertFile="%s"
                           defaultNetstreamDriverKeyFile="%s")
                    action(type="omfwd" protocol="tcp" target="127.0.0.1" port="%d" tcp_framing="octet-counted"
                           StreamDriver="%s" StreamDriverMode="1" StreamDriverAuthMode="x509/name"
                           StreamDriverPermittedPeers="localhost"
                           template="RSYSLOG_SyslogProtocol23Format" action.resumeRetryCount="-1")
                    """.formatted(
                    ca, client.certificate(), client.key(), service.syslog().getPort(), driver);
            try (Rsyslog rsyslog = Rsyslog.start(folder.resolve("rsyslog"), forwarding)) {
                send(rsyslog, 0, EVENTS);
                Await.until(
                        () -> "received " + service.received() + "; rsyslogd said: " + rsyslog.said(),
                        () -> service.received() >= EVENTS);
            }
            Await.until(() -> numbers().size() + " kept", () -> numbers().size() == EVENTS);
            assertThat(service.rejected()).isEmpty();
            assertThat(service.metric("summarizer_tls_handshakes_total{listener=\"syslog-tcp\"}"))
                    .isPositive();
        }
    }

    /** Breaks sessions repeatedly, and replaces a certificate meanwhile. */
    @Test
    void theShippedConfigurationForRelpWithinTlsLosesNothingOverANewCertificate() throws Exception {
        Rsyslog.assumeRelp();
        String shipped = Rsyslog.shippedWithoutMarks("omrelp-tls");
        try (RunningService service = streams();
                CuttingRelay relay = new CuttingRelay(service.relp(), 2, 300_000, 1)) {
            String here = shipped.replace("port=\"2514\"", "port=\"" + relay.port() + "\"")
                    .replace("target=\"summarizer.example.com\"", "target=\"127.0.0.1\"")
                    .replace("[\"summarizer.example.com\"]", "[\"localhost\"]")
                    .replace("/etc/rsyslog.d/tls", folder.toString())
                    .replace(folder + "/ca.pem", ca.toString());
            try (Rsyslog rsyslog = Rsyslog.start(folder.resolve("rsyslog"), here)) {
                send(rsyslog, 0, EVENTS);
                Await.until(
                        () -> "received " + service.received() + "; rsyslogd said: " + rsyslog.said(),
                        () -> service.received() >= EVENTS / 2);
                pki.rsaServer().replace(server);
                awaitMetric(service, "summarizer_tls_reloads_total{listener=\"relp\"}");
                send(rsyslog, EVENTS, 3 * EVENTS);
                Await.until(
                        () -> numbers().size() + " of " + 3 * EVENTS + "; rsyslogd said: " + rsyslog.said(),
                        () -> numbers().size() == 3 * EVENTS);
            }
            assertThat(relay.cutsLeft()).isZero();
            assertThat(service.metric("summarizer_connections_failed_total{listener=\"relp\"}"))
                    .isZero();
            assertThat(service.metric("summarizer_tls_faults_total{listener=\"relp\",reason=\"untrusted\"}"))
                    .isZero();
        }
    }

    private static void awaitMetric(RunningService service, String series) {
        Await.until(() -> series + " is 0", () -> {
            try {
                return service.metric(series) > 0;
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    private static void send(Rsyslog rsyslog, int from, int to) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i < to; i++) {
            lines.append("<134>1 2026-11-20T00:00:00Z h a - number - ")
                    .append(i)
                    .append('\n');
        }
        try (TcpTarget target = TcpTarget.connect(rsyslog.address())) {
            target.send(ByteBuffer.wrap(lines.toString().getBytes(US_ASCII)));
            target.finish();
        }
    }

    /** Returns the numbers that arrived; their topic is unknown, so that all are kept. */
    private Set<String> numbers() {
        try {
            Set<String> numbers = new HashSet<>();
            for (String frame : RejectFiles.frames(folder.resolve("data/rejects"), "unmatched")) {
                String stripped = frame.strip();
                numbers.add(stripped.substring(stripped.lastIndexOf(' ') + 1));
            }
            return numbers;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts HTTP over TLS, for clients with a token. */
    private RunningService http() throws Exception {
        List<String> settings = new ArrayList<>(tls("http"));
        settings.add("http.tokens="
                + Files.write(
                        folder.resolve("tokens"),
                        List.of(reader.line(Role.READ, "reader"), admin.line(Role.ADMIN, "admin"))));
        return RunningService.withAds(folder.resolve("data"), settings.toArray(String[]::new));
    }

    @Test
    void commandsAskWithATokenFromAFileOrTheEnvironment() throws Exception {
        Path readerFile = Files.writeString(folder.resolve("reader"), reader.secret() + "\n");
        Path adminFile = Files.writeString(folder.resolve("admin"), admin.secret());
        try (RunningService service = http()) {
            String url = service.url().replace("http://127.0.0.1", "https://localhost");
            String[] secured = {"--server", url, "--ca", ca.toString()};
            String schemas = ProjectHome.path().resolve("schemas").toString();
            List<Commands.Outcome> outcomes = new ArrayList<>();
            for (String[] reading :
                    List.of(new String[] {"export", "CampaignDetails"}, new String[] {"ledger"}, new String[] {
                        "plan", "--definitions", schemas
                    })) {
                String[] command = with(secured, reading);
                Commands.Outcome byFile =
                        Commands.run(with(new String[] {"--token-file", readerFile.toString()}, command));
                assertThat(byFile.exit()).as(byFile.err()).isZero();
                Commands.Outcome byVariable = Commands.run(Map.of("SUMMARIZER_TOKEN", reader.secret()), command);
                assertThat(byVariable.exit()).as(byVariable.err()).isZero();
                Commands.Outcome without = Commands.run(command);
                assertThat(without.exit()).isEqualTo(3);
                assertThat(without.err()).containsAnyOf("401", "this takes a token");
                outcomes.addAll(List.of(byFile, byVariable, without));
            }
            for (String[] changing : List.of(new String[] {"reload"}, new String[] {"reset", "CampaignDetails"})) {
                String[] command = with(secured, changing);
                Commands.Outcome byReader =
                        Commands.run(with(new String[] {"--token-file", readerFile.toString()}, command));
                assertThat(byReader.exit()).isEqualTo(3);
                assertThat(byReader.err()).contains("role admin");
                Commands.Outcome byAdmin =
                        Commands.run(with(new String[] {"--token-file", adminFile.toString()}, command));
                assertThat(byAdmin.exit()).as(byAdmin.err()).isZero();
                outcomes.addAll(List.of(byReader, byAdmin));
            }
            Commands.Outcome disbelieving = Commands.run("ledger", "--server", url);
            assertThat(disbelieving.exit()).isEqualTo(3);
            assertThat(disbelieving.err()).contains("no TLS with", "--ca FILE");
            Commands.Outcome inTheClear = Commands.run("ledger", "--server", url.substring("https://".length()));
            assertThat(inTheClear.exit()).isEqualTo(3);
            assertThat(inTheClear.err()).contains("does it use TLS? Then ask " + url);
            Path broken = Files.writeString(folder.resolve("broken"), "\n");
            assertThat(Commands.run(with(secured, "ledger", "--token-file", broken.toString()))
                            .err())
                    .contains("has no token");
            for (Commands.Outcome outcome : outcomes) {
                assertThat(outcome.out() + outcome.err()).doesNotContain(reader.secret(), admin.secret());
            }
        }
    }

    @Test
    void aTokenThatTheCommandMakesIsGood() throws Exception {
        Path secret = folder.resolve("secret");
        Commands.Outcome made = Commands.run("token", "admin", "ops", "--out", secret.toString());
        assertThat(made.exit()).as(made.err()).isZero();
        assertThat(made.out())
                .startsWith("admin ops ")
                .doesNotContain(Files.readString(secret).strip());
        assertThat(Files.getPosixFilePermissions(secret)).hasSize(2);
        assertThat(Commands.run("token", "admin", "ops", "--out", secret.toString())
                        .exit())
                .isEqualTo(2);
        Commands.Outcome both = Commands.run("token", "read", "grafana");
        assertThat(both.out().lines()).hasSize(2);
        assertThat(Commands.run("token", "write", "x").exit()).isEqualTo(2);
        assertThat(Commands.run("token", "read", "a b").exit()).isEqualTo(2);
        Path tokens = Files.writeString(
                folder.resolve("made"), made.out() + both.out().lines().toList().get(1) + "\n");
        try (RunningService service = RunningService.withAds(folder.resolve("data"), "http.tokens=" + tokens)) {
            assertThat(service.get("/ledger").statusCode()).isEqualTo(401);
            assertThat(Commands.run("reload", "--server", service.url(), "--token-file", secret.toString())
                            .exit())
                    .isZero();
            Map<String, String> grafana =
                    Map.of("SUMMARIZER_TOKEN", both.out().lines().findFirst().orElseThrow());
            assertThat(Commands.run(grafana, "ledger", "--server", service.url())
                            .exit())
                    .isZero();
        }
    }

    @Test
    void curlPullsWithATokenThatIsNotOnItsCommandLine() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed");
        Path header = Files.writeString(folder.resolve("header"), "Authorization: Bearer " + reader.secret() + "\n");
        try (RunningService service = http()) {
            String url = service.url().replace("http://127.0.0.1", "https://localhost");
            Path out = folder.resolve("out");
            Process curl = new ProcessBuilder(
                            "/usr/bin/curl",
                            "-sS",
                            "-f",
                            "--cacert",
                            ca.toString(),
                            "-H",
                            "@" + header,
                            "-o",
                            out.toString(),
                            url + "/summaries/CampaignDetails.csv")
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("curl.log").toFile())
                    .start();
            assertThat(curl.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(curl.exitValue())
                    .as(Files.readString(folder.resolve("curl.log")))
                    .isZero();
            assertThat(Files.readString(out)).startsWith("campaign_id,");
        }
    }
}
