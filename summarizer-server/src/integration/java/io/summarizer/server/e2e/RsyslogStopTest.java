package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.Await;
import io.summarizer.server.demo.FreePort;
import io.summarizer.server.replay.TcpTarget;
import io.summarizer.server.tls.TestPki;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real rsyslogd that is stopped while the Summarizer is down, with each of the shipped configurations. */
class RsyslogStopTest {
    private static final int BEFORE = 100;
    private static final int EVENTS = 20_000;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"omfwd", "omrelp", "omrelp-tls"})
    void savesItsQueue(String name) throws Exception {
        boolean relp = name.startsWith("omrelp");
        if (relp) {
            Rsyslog.assumeRelp();
        }
        int port = FreePort.next();
        List<String> settings = new ArrayList<>(
                List.of("unmatched=keep", "listen." + (relp ? "relp" : "syslog-tcp") + ".bind=127.0.0.1:" + port));
        String forwarding = Rsyslog.shipped(name)
                .replaceAll("port=\"(5514|2514)\"", "port=\"" + port + "\"")
                .replace("summarizer.example.com", "localhost")
                .replace("/etc/rsyslog.d/tls", folder.toString());
        if (name.endsWith("tls")) {
            TestPki pki = new TestPki("test");
            Path ca = pki.write(folder);
            forwarding = forwarding.replace(folder + "/ca.pem", ca.toString());
            settings.add("listen.relp.tls.client-ca=" + ca);
            TestPki.Pair server = pki.rsaServer().write(folder, "server");
            settings.add("listen.relp.tls.certificate=" + server.certificate());
            settings.add("listen.relp.tls.key=" + server.key());
            var unused = pki.client("rsyslog", "web1.example.com").write(folder, "client");
        }
        String[] all = settings.toArray(String[]::new);
        Path data = folder.resolve("data");
        Path spool = folder.resolve("rsyslog");
        try (Rsyslog rsyslog = Rsyslog.start(spool, forwarding)) {
            try (RunningService service = RunningService.withAds(data, all)) {
                send(rsyslog, 0, BEFORE);
                Await.until(() -> kept() + " kept; " + rsyslog.said(), () -> kept() == BEFORE);
                service.stop();
            }
            Await.until(
                    () -> "rsyslogd did not notice: " + rsyslog.said(),
                    () -> rsyslog.said().contains(relp ? "suspending" : "closed connection"));
            send(rsyslog, BEFORE, EVENTS);
        } // stopped by SIGTERM
        try (Rsyslog rsyslog = Rsyslog.start(spool, forwarding);
                RunningService service = RunningService.withAds(data, all)) {
            Await.until(() -> kept() + " of " + EVENTS + "; " + rsyslog.said(), () -> kept() == EVENTS);
            assertThat(service.rejected()).isEmpty();
        }
    }

    /** Number of distinct numbers in the files of unmatched messages. */
    private int kept() {
        try {
            BitSet numbers = new BitSet();
            for (String frame : RejectFiles.frames(folder.resolve("data/rejects"), "unmatched")) {
                if (frame.contains(" number ")) {
                    numbers.set(Integer.parseInt(
                            frame.substring(frame.lastIndexOf(' ') + 1).strip()));
                }
            }
            return numbers.cardinality();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Sends messages; returns when rsyslogd has read all of them. */
    private static void send(Rsyslog rsyslog, int from, int to) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = from; i < to; i++) {
            lines.append("<134>1 2026-11-20T00:00:00Z h a - number - ")
                    .append(i)
                    .append('\n');
        }
        try (TcpTarget target = TcpTarget.connect(rsyslog.address())) {
            target.send(ByteBuffer.wrap(lines.toString().getBytes(StandardCharsets.US_ASCII)));
            target.finish();
        }
    }
}
