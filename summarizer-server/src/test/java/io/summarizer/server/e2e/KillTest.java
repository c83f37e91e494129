package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.server.http.LedgerJson;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real process, killed in the middle of RELP traffic: what it acknowledged is there, and nothing is there twice. */
class KillTest {
    @TempDir
    Path folder;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    /** Each message has a number of its own, which is the key of its row: what came twice would count twice. */
    @BeforeEach
    void define() throws IOException {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("hit.proto"), "syntax = \"proto3\"; message Hit { int64 n = 1; }");
        Files.writeString(definitions.resolve("hit.summ"), """
                import "hit.proto";
                event Hit on "hit" as csv;
                summary Seen { key { int64 n = 1; } value { sumint32 times = 1; } }
                map Hit into Seen { key { n; } times += 1; }
                """);
    }

    @Test
    void whatWasAcknowledgedSurvivesBeingKilled() throws Exception {
        killRepeatedly(2);
    }

    @Test
    @Tag("long")
    void whatWasAcknowledgedSurvivesBeingKilledManyTimes() throws Exception {
        killRepeatedly(100);
    }

    private void killRepeatedly(int kills) throws Exception {
        BitSet acknowledged = new BitSet();
        int sent = 0;
        for (int kill = 0; kill < kills; kill++) {
            try (ServeProcess serve = start("run-" + kill)) {
                check(serve, acknowledged, sent);
                Sender sender = new Sender(serve.relp(), sent);
                sender.start();
                TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(1_500));
                serve.kill();
                sender.join();
                acknowledged.or(sender.acknowledged);
                sent = sender.next;
            }
        }
        try (ServeProcess serve = start("orderly")) {
            check(serve, acknowledged, sent);
            serve.stop();
        }
        try (ServeProcess serve = start("last")) {
            check(serve, acknowledged, sent);
            assertThat(serve.log())
                    .as("an orderly stop leaves nothing to replay")
                    .doesNotContain("recovered:");
        }
        assertThat(acknowledged.cardinality()).isPositive();
    }

    private ServeProcess start(String name) throws IOException {
        return ServeProcess.start(
                folder.resolve(name),
                List.of(
                        "definitions=" + folder.resolve("definitions"),
                        "data=" + folder.resolve("data"),
                        "journal.segment-size=1MiB",
                        "checkpoint.interval=1s"));
    }

    private void check(ServeProcess serve, BitSet acknowledged, int sent) throws Exception {
        assertThat(serve.get("/readyz")).isEqualTo("ready\n");
        BitSet found = new BitSet();
        List<String> rows = serve.get("/summaries/Seen.csv").lines().skip(1).toList();
        for (String row : rows) {
            String[] cells = row.split(",");
            assertThat(cells[1])
                    .as("times that %s was counted, seed %d, %s", cells[0], seed, serve.log())
                    .isEqualTo("1");
            found.set(Integer.parseInt(cells[0]));
        }
        LedgerAssert.assertBalances(
                LedgerJson.read(new ByteArrayInputStream(serve.get("/ledger").getBytes(StandardCharsets.UTF_8))));
        BitSet lost = (BitSet) acknowledged.clone();
        lost.andNot(found);
        assertThat(lost.cardinality())
                .as("acknowledged and lost: %s, seed %d, %s", lost, seed, serve.log())
                .isZero();
        assertThat(found.length()).isLessThanOrEqualTo(sent);
    }

    /** Sends numbered messages over RELP, each once, until the connection breaks; knows which were answered. */
    private static final class Sender extends Thread {
        private static final int WINDOW = 1_000;

        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private final int first;

        /** The next number; what is below may have been sent. Read when this has ended. */
        int next;

        /** Numbers that were answered. Read when this has ended. */
        final BitSet acknowledged = new BitSet();

        Sender(InetSocketAddress address, int first) throws IOException {
            super("relp-sender");
            this.first = first;
            next = first;
            socket = new Socket(address.getAddress(), address.getPort());
            in = new BufferedInputStream(socket.getInputStream());
            out = new BufferedOutputStream(socket.getOutputStream(), 1 << 16);
        }

        @Override
        public void run() {
            int answered = 0;
            try (socket) {
                frame(1, "open", "relp_version=0\nrelp_software=test\ncommands=syslog");
                out.flush();
                answer();
                while (true) {
                    while (next - first - answered < WINDOW) {
                        frame(next - first + 2, "syslog", "<134>1 - h a - hit - " + next);
                        next++;
                    }
                    out.flush();
                    do {
                        int transaction = answer();
                        acknowledged.set(first + transaction - 2);
                        answered++;
                    } while (in.available() > 0);
                }
            } catch (IOException e) {
                // killed
            }
        }

        private void frame(int transaction, String command, String data) throws IOException {
            out.write((transaction + " " + command + " " + data.length() + " " + data + "\n")
                    .getBytes(StandardCharsets.US_ASCII));
        }

        /** Reads {@code T rsp LENGTH 200 OK...}; returns T. */
        private int answer() throws IOException {
            int transaction = Integer.parseInt(word());
            if (!word().equals("rsp")) {
                throw new IOException("no answer");
            }
            String data = new String(in.readNBytes(Integer.parseInt(word())), StandardCharsets.US_ASCII);
            if (!data.startsWith("200") || in.read() != '\n') {
                throw new IOException("answered " + data);
            }
            return transaction;
        }

        private String word() throws IOException {
            StringBuilder word = new StringBuilder();
            int b;
            while ((b = in.read()) != ' ') {
                if (b < 0) {
                    throw new IOException("the connection has ended");
                }
                word.append((char) b);
            }
            return word.toString();
        }
    }
}
