package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.replay.RelpTarget;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys with more bytes than the heap, acknowledged over RELP: the service survives, is killed, and starts again from
 * its journal alone, with the same heap of 256 MiB.
 */
@Timeout(180)
class LongKeysEndToEndTest {
    private static final int MESSAGES = 1_500;
    private static final int KEY_BYTES = 250_000;
    private static final int GOOD = 1_000;

    @TempDir
    Path folder;

    private Path definitions;

    @BeforeEach
    void writeDefinitions() throws Exception {
        definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(
                definitions.resolve("hit.proto"),
                "syntax = \"proto3\"; message Hit { string name = 1; int64 amount = 2; }");
        Files.writeString(definitions.resolve("hits.summ"), """
                import "hit.proto";
                event Hit on "hit" as csv;
                summary Hits { key { string name = 1; } value { count n = 1; sumint64 amount = 2; } }
                map Hit into Hits { key { name; } n += 1; amount += amount; }
                """);
    }

    private ServeProcess serve(String log, String... more) throws Exception {
        List<String> settings = new ArrayList<>(List.of(
                "definitions=" + definitions,
                "data=" + folder.resolve("data"),
                "checkpoint.interval=0s",
                "rejects.max-size=64MiB"));
        settings.addAll(List.of(more));
        return ServeProcess.start(folder.resolve(log), settings);
    }

    /** Sends good messages of 10 keys before and after those with long keys; all are acknowledged. */
    private static void send(ServeProcess service) throws Exception {
        byte[] head = "<14>1 2026-11-20T00:00:00Z h a - hit - ".getBytes(UTF_8);
        byte[] message = Arrays.copyOf(head, head.length + KEY_BYTES + 2);
        Arrays.fill(message, head.length, head.length + KEY_BYTES, (byte) 'k');
        message[message.length - 2] = ',';
        message[message.length - 1] = '1';
        try (RelpTarget target = RelpTarget.connect(service.relp())) {
            sendGood(target);
            for (int i = 0; i < MESSAGES; i++) {
                byte[] number = Integer.toString(1_000_000 + i).getBytes(UTF_8);
                System.arraycopy(number, 0, message, head.length, number.length);
                target.send(message, 0, message.length);
            }
            sendGood(target);
            target.finish();
        }
        while (metric(service, "summarizer_received_total") < MESSAGES + GOOD) {
            Thread.onSpinWait(); // the test's own deadline bounds it
        }
    }

    private static void sendGood(RelpTarget target) throws Exception {
        for (int i = 0; i < GOOD / 2; i++) {
            byte[] good = ("<14>1 2026-11-20T00:00:00Z h a - hit - good" + i % 10 + ",7").getBytes(UTF_8);
            target.send(good, 0, good.length);
        }
    }

    private static void checkGood(ServeProcess service) throws Exception {
        assertThat(service.get("/readyz")).startsWith("ready");
        List<String> rows = service.get("/summaries/Hits.csv?limit=100&where=amount%3E1")
                .lines()
                .skip(1)
                .sorted()
                .toList();
        assertThat(rows).hasSize(10);
        for (int i = 0; i < 10; i++) {
            assertThat(rows.get(i)).isEqualTo("good" + i + "," + GOOD / 10 + "," + 7 * GOOD / 10);
        }
    }

    private static double metric(ServeProcess service, String name) throws Exception {
        return service.get("/metrics")
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name));
    }

    @Test
    @Tag("long")
    void keysThatAreTooLongAreRefusedAndTheServiceStartsAgain() throws Exception {
        try (ServeProcess service = serve("first")) {
            send(service);
            checkGood(service);
            assertThat(metric(service, "summarizer_rejected_total{reason=\"limit\"}"))
                    .isEqualTo(MESSAGES);
            assertThat(Files.size(folder.resolve("data/rejects/limit.log"))).isPositive();
            service.kill();
        }
        try (ServeProcess service = serve("second")) {
            checkGood(service);
            assertThat(metric(service, "summarizer_rejected_total{reason=\"limit\"}"))
                    .isEqualTo(MESSAGES);
            assertThat(service.get("/summaries/Hits.csv").lines()).hasSize(11);
            service.stop();
        }
    }

    @Test
    void keysThatMayBeThatLongFillTheStateAndNotTheHeap() throws Exception {
        String[] settings = {
            "limits.key-bytes=1MiB", "cuts.memory=16MiB", "pipeline.parse.capacity=16", "pipeline.summarize.capacity=16"
        };
        try (ServeProcess service = serve("first", settings)) {
            send(service);
            checkGood(service);
            checkState(service);
            service.kill();
        }
        try (ServeProcess service = serve("second", settings)) {
            checkGood(service);
            checkState(service);
            service.stop();
        }
        try (ServeProcess service = serve("third", settings)) {
            checkGood(service);
            checkState(service);
        }
    }

    private static void checkState(ServeProcess service) throws Exception {
        double max = metric(service, "summarizer_state_max_bytes");
        assertThat(metric(service, "summarizer_state_used_bytes")).isBetween(max / 2, max + (4 << 20));
        assertThat(metric(service, "summarizer_rejected_total{reason=\"limit\"}"))
                .isLessThan(MESSAGES);
    }
}
