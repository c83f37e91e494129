package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.LedgerAssert;
import io.summarizer.core.ledger.LedgerJson;
import io.summarizer.server.cli.Commands;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The events of a day, over RELP, to a service that is killed and stopped repeatedly, against {@code run} over the same
 * events in one go: the CSVs are the same, sums of doubles to 1e-9. Unacknowledged messages are sent again, as by
 * rsyslog, so that some events come twice; their ids identify them.
 */
@Timeout(900)
class DayInPiecesTest {
    private static final long MIDNIGHT = Instant.parse("2026-11-20T00:00:00Z").toEpochMilli();
    private static final long MILLIS = TimeUnit.DAYS.toMillis(1);

    /** Largest relative difference of two sums of the same doubles in another order. */
    private static final double ROUNDING = 1e-9;

    @TempDir
    Path folder;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private int kills;

    @Test
    void aDayInPiecesIsTheSameAsInOneGo() throws Exception {
        compare(60_000, 3);
    }

    @Test
    @Tag("long")
    void aDayInManyPiecesIsTheSameAsInOneGo() throws Exception {
        compare(2_000_000, 24);
    }

    private void compare(int events, int pieces) throws Exception {
        define();
        Path day = folder.resolve("day.log");
        try (BufferedWriter out = Files.newBufferedWriter(day)) {
            for (int number = 0; number < events; number++) {
                out.write(message(number, events));
                out.write('\n');
            }
        }
        Path inOneGo = Files.createDirectory(folder.resolve("in-one-go"));
        Commands.Outcome run = Commands.run(
                "run",
                "--definitions",
                folder.resolve("definitions").toString(),
                "--out",
                inOneGo.toString(),
                day.toString());
        assertThat(run.exit()).as(run.err()).isZero();

        assertThat(Files.readAllLines(inOneGo.resolve("Shops.csv")).stream()
                        .skip(1)
                        .mapToLong(row -> Long.parseLong(row.split(",")[1]))
                        .sum())
                .as("sales")
                .isEqualTo(events);

        int sent = 0;
        for (int piece = 1; sent < events; piece++) {
            // The rest of a piece that was cut short comes in the end.
            int end = piece >= pieces ? events : Math.min(events, (int) ((long) events * piece / pieces));
            sent = piece(sent, end, events, piece);
        }
        try (ServeProcess serve = start("last")) {
            for (String summary : List.of("Hours", "Hours.channels", "Shops")) {
                assertSameRows(
                        summary,
                        Files.readAllLines(inOneGo.resolve(summary + ".csv")),
                        serve.get("/summaries/" + summary.replace('.', '/') + ".csv")
                                .lines()
                                .toList());
            }
            LedgerAssert.assertBalances(LedgerJson.read(
                    new ByteArrayInputStream(serve.get("/ledger").getBytes(StandardCharsets.UTF_8))));
            serve.stop();
        }
        assertThat(kills).as("kills in the middle of it").isPositive();
    }

    /**
     * Sends events up to {@code end} to a process that ends on the way, or then. Returns the number up to which it
     * acknowledged.
     */
    private int piece(int from, int end, int events, int number) throws Exception {
        try (ServeProcess serve = start("piece-" + number)) {
            NumberedSender sender = new NumberedSender(serve.relp(), from, end, n -> message(n, events));
            sender.start();
            boolean orderly = number % 3 == 0;
            if (orderly) {
                sender.awaitEnd();
                assertThat(sender.answeredTo()).as("answered, seed %d", seed).isEqualTo(end);
                serve.stop();
            } else {
                int killedAt = from + random.nextInt((end - from) * 2 / 3);
                while (sender.isAlive() && sender.answeredTo() < killedAt) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
                serve.kill();
                sender.awaitEnd();
                kills += sender.answeredTo() < end ? 1 : 0;
            }
            return sender.answeredTo();
        }
    }

    private ServeProcess start(String name) throws IOException {
        return ServeProcess.start(
                folder.resolve(name),
                List.of(
                        "definitions=" + folder.resolve("definitions"),
                        "data=" + folder.resolve("data"),
                        "journal.segment-size=1MiB",
                        "checkpoint.interval=1s",
                        "limits.dedup-ids=100000")); // many more than are sent again
    }

    private void define() throws IOException {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("sale.proto"), """
                syntax = "proto3";
                message Sale {
                  int64 at = 1; string shop = 2; int64 customer = 3; string channel = 4;
                  double price = 5; double weight = 6; string note = 7;
                }
                """);
        Files.writeString(definitions.resolve("sale.summ"), """
                import "sale.proto";
                event Sale on "sale.#" as csv dedup by syslog.sd["ev@32473"].id within 1h;
                summary Hours {
                    key { timestamp hour = 1; string shop = 2; }
                    value {
                        sumint32 sales = 1;
                        multiset64 customers = 2;
                        sumcurrency turnover = 3;
                        sumdouble weight = 4;
                        mindouble lightest = 5;
                        maxtimestamp latest = 6;
                        laststring note = 7;
                        summary Channel {
                            key { string channel = 1; }
                            value { count sales = 1; firststring first_note = 2; maxint64 customer = 3; }
                        }
                        repeated Channel channels = 8;
                    }
                }
                summary Shops {
                    key { string shop = 1; }
                    value { sumint64 sales = 1; multiset64 customers = 2; firststring first_note = 3; sumdouble weight = 4; }
                }
                map Sale into Hours {
                    key { hour = bucket(timestamp(at), 1h); shop; }
                    sales += 1; customers += customer; turnover += price; weight += weight;
                    lightest += weight; latest += timestamp(at); note += note;
                    channels[channel = channel] { sales += 1; first_note += note; customer += customer; }
                }
                map Sale into Shops {
                    key { shop; }
                    sales += 1; customers += customer; first_note += note; weight += weight;
                }
                """);
    }

    /** Returns event {@code number} of a day: always the same. */
    private String message(int number, int events) {
        SplittableRandom random = new SplittableRandom(seed + number);
        long at = MIDNIGHT + (long) number * MILLIS / events;
        return "<134>1 " + Instant.ofEpochMilli(at) + " host app - sale." + random.nextInt(3)
                + " [ev@32473 id=\"" + number + "\"] " + at + ",shop" + random.nextInt(40) + ","
                + random.nextInt(100_000) + ",channel" + random.nextInt(4) + "," + random.nextInt(10_000) / 100.0 + ","
                + random.nextDouble() + ",note " + number;
    }

    private void assertSameRows(String summary, List<String> expected, List<String> found) {
        assertThat(found.get(0)).as("header of %s", summary).isEqualTo(expected.get(0));
        assertThat(expected.size()).as("rows of %s", summary).isGreaterThan(1);
        List<String[]> wanted = rows(expected);
        List<String[]> there = rows(found);
        assertThat(there).as("rows of %s, seed %d", summary, seed).hasSameSizeAs(wanted);
        for (int row = 0; row < wanted.size(); row++) {
            for (int cell = 0; cell < wanted.get(row).length; cell++) {
                assertSame(
                        summary + " " + String.join(",", wanted.get(row)) + ", seed " + seed,
                        wanted.get(row)[cell],
                        there.get(row)[cell]);
            }
        }
    }

    private static List<String[]> rows(List<String> lines) {
        return lines.stream().skip(1).sorted().map(line -> line.split(",", -1)).toList();
    }

    private static void assertSame(String what, String expected, String found) {
        if (!found.equals(expected)) {
            double wanted = Double.parseDouble(expected);
            assertThat(Math.abs(Double.parseDouble(found) - wanted))
                    .as("%s: %s instead of %s", what, found, expected)
                    .isLessThanOrEqualTo(Math.abs(wanted) * ROUNDING);
        }
    }
}
