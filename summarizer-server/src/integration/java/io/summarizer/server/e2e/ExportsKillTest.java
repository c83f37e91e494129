package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.server.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real process, killed while windows close and are exported. A consumer takes each complete file away. In the end
 * each closed window has been delivered, with its rows, and each delivery of it had the same bytes.
 */
class ExportsKillTest {
    private static final Instant FIRST = Instant.parse("2025-11-20T12:00:00Z");
    /**
     * Messages of a window, which has a second. So many that a fast sender cannot fill 256 windows, the default limit
     * of open ones, between two closes.
     */
    private static final int EACH = 10_000;

    @TempDir
    Path folder;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private Path out;

    /** The rows of the files that the consumer took, by window. */
    private final Map<String, String> taken = new TreeMap<>();

    private int repeated;

    @BeforeEach
    void define() throws IOException {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        out = Files.createDirectory(folder.resolve("out"));
        Files.writeString(definitions.resolve("hit.proto"), """
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                message Hit { google.protobuf.Timestamp time = 1; int64 n = 2; }
                """);
        Files.writeString(definitions.resolve("hit.summ"), """
                import "hit.proto";
                event Hit on "hit" as csv;
                summary Seen {
                    window second every 1s close after 1s;
                    key { timestamp second = 1; int64 n = 2; }
                    value { sumint32 times = 1; }
                }
                map Hit into Seen { key { second = time; n; } times += 1; }
                """);
    }

    private static String message(int n) {
        return "<134>1 - h a - hit - " + FIRST.plus(n * (1_000_000L / EACH), ChronoUnit.MICROS) + "," + n;
    }

    @Test
    void eachWindowIsDeliveredAlthoughTheProcessIsKilled() throws Exception {
        killRepeatedly(3);
    }

    @Test
    @Tag("long")
    void eachWindowIsDeliveredAlthoughTheProcessIsKilledManyTimes() throws Exception {
        killRepeatedly(60);
    }

    private void killRepeatedly(int kills) throws Exception {
        BitSet acknowledged = new BitSet();
        int sent = 0;
        for (int kill = 0; kill < kills; kill++) {
            try (ServeProcess serve = start("run-" + kill)) {
                NumberedSender sender =
                        new NumberedSender(serve.relp(), sent, Integer.MAX_VALUE, ExportsKillTest::message);
                sender.start();
                for (int look = 0; look < 3; look++) {
                    TimeUnit.MILLISECONDS.sleep(100 + random.nextInt(400));
                    take();
                }
                serve.kill();
                sender.awaitEnd();
                acknowledged.set(sent, sender.answeredTo());
                sent = sender.sentTo();
            }
            take();
        }
        try (ServeProcess serve = start("last")) {
            NumberedSender sender = new NumberedSender(serve.relp(), sent, sent + 5 * EACH, ExportsKillTest::message);
            sender.start();
            sender.awaitEnd();
            acknowledged.set(sent, sender.answeredTo());
            Await.until(serve::log, () -> take() && closed(serve).equals(List.copyOf(taken.keySet())));
            assertThat(taken).hasSizeGreaterThan(kills);
            // Sorted, because AssertJ compares large collections in any order too slowly.
            String rows = taken.values().stream()
                    .flatMap(csv -> csv.lines().skip(1))
                    .sorted()
                    .collect(Collectors.joining("\n"));
            assertThat(rows.equals(serve.get("/summaries/Seen.csv?closed=only")
                            .lines()
                            .skip(1)
                            .sorted()
                            .collect(Collectors.joining("\n"))))
                    .as("files have the rows of a pull, seed %d", seed)
                    .isTrue();
            assertThat(serve.get("/ledger"))
                    .as("rows beyond a limit are in no window, seed %d", seed)
                    .doesNotContainPattern("\"(limit|late|early|untimed)\" : [1-9]");
            serve.stop();
        }
        assertThat(repeated).as("seed %d", seed).isLessThanOrEqualTo(kills);
        BitSet found = new BitSet();
        taken.values()
                .forEach(rows -> rows.lines().skip(1).forEach(row -> {
                    if (!row.endsWith(",1")) {
                        throw new AssertionError(row + " was counted more than once, seed " + seed);
                    }
                    found.set(Integer.parseInt(row.split(",")[1]));
                }));
        BitSet lost = acknowledged.get(0, found.length());
        lost.andNot(found);
        assertThat(lost.cardinality())
                .as("acknowledged and in no file, seed %d", seed)
                .isZero();
    }

    private ServeProcess start(String name) throws IOException {
        return ServeProcess.start(
                folder.resolve(name),
                List.of(
                        "definitions=" + folder.resolve("definitions"),
                        "data=" + folder.resolve("data"),
                        "listen.syslog-tcp.bind=off",
                        "journal.segment-size=1MiB",
                        "checkpoint.interval=1s",
                        "exports.1.summary=Seen",
                        "exports.1.on=close",
                        "exports.1.to=" + out + "/{window}.csv"));
    }

    private static List<String> closed(ServeProcess serve) {
        try {
            List<String> starts = new ArrayList<>();
            for (JsonNode window : new ObjectMapper().readTree(serve.get("/summaries/Seen/windows"))) {
                if (!window.path("state").asText().equals("open")) {
                    starts.add(Instant.parse(window.path("start").asText()).toString());
                }
            }
            return starts;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Takes all files that have a manifest, and deletes them. */
    private boolean take() {
        try (Stream<Path> files = Files.list(out)) {
            for (Path manifest : files.filter(file -> file.toString().endsWith(".csv.manifest.json"))
                    .toList()) {
                JsonNode described = new ObjectMapper().readTree(manifest.toFile());
                Path file = out.resolve(manifest.getFileName().toString().replace(".manifest.json", ""));
                byte[] bytes = Files.readAllBytes(file);
                String hash = HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
                assertThat(described.path("sha256").asText())
                        .as("seed %d", seed)
                        .isEqualTo(hash);
                String rows = new String(bytes, StandardCharsets.US_ASCII);
                String before = taken.put(
                        Instant.parse(described.path("window").path("start").asText())
                                .toString(),
                        rows);
                assertThat(before == null || before.equals(rows))
                        .as("a repetition with other bytes, seed %d", seed)
                        .isTrue();
                repeated += before == null ? 0 : 1;
                Files.delete(manifest);
                Files.delete(file);
            }
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
        return true;
    }
}
