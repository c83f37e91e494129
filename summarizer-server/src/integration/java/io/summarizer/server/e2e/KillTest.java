package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real process, killed during RELP traffic: every acknowledged message is there, and none twice. */
class KillTest {
    @TempDir
    Path folder;

    /** Bound on the events between two kills. The rows of a hundred times as many events fit into the heap. */
    private static final int EVENTS_MAX = 50_000;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    /** Each message has a number of its own, which is the key of its row, so that a second copy would count twice. */
    @BeforeEach
    void define() throws IOException {
        Path unused = Hits.define(folder);
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
                NumberedSender sender =
                        new NumberedSender(serve.relp(), sent, sent + EVENTS_MAX, n -> "<134>1 - h a - hit - " + n);
                sender.start();
                TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(1_500));
                serve.kill();
                sender.awaitEnd();
                acknowledged.set(sent, sender.answeredTo());
                sent = sender.sentTo();
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
            if (!cells[1].equals("1")) {
                throw new AssertionError(
                        cells[0] + " was counted " + cells[1] + " times, seed " + seed + ", " + serve.log());
            }
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
}
