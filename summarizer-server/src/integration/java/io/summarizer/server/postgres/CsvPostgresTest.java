package io.summarizer.server.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.Commands;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** COPY reads the CSV of {@code profile=pg}: each value, and NULL distinct from the empty text. */
class CsvPostgresTest {
    private static final @Nullable String[] TEXTS = {
        null,
        "",
        "plain",
        " padded ",
        "a,b",
        "say \"hi\"",
        "\"",
        "two\nlines",
        "\r\n",
        "\\.",
        "\\N",
        "NULL",
        "null",
        "é😀",
        "tab\there",
        "=1+1",
        "#"
    };

    /** The largest time of PostgreSQL is later, the smallest is in 4714 BC. */
    private static final @Nullable Long[] TIMES_MS = {
        null,
        0L,
        -1L,
        1_795_132_800_123L,
        startOf(-4712),
        startOf(-43),
        startOf(0) - 1,
        startOf(0),
        startOf(1) - 1,
        startOf(1),
        startOf(10_000) - 1,
        startOf(10_000),
        startOf(123_456),
        Long.MAX_VALUE / 1000
    };

    private static final String[] AMOUNTS = {
        "0", "0.000001", "-0.000001", "1.5", "-12.25", "9223372036854.775807", "-9223372036854.775807", "1234567.891"
    };

    private static PostgresCluster postgres;

    private @TempDir Path folder;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        postgres = PostgresCluster.start();
    }

    @AfterAll
    static void stop() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    /** An event that is sent several times. */
    private record Visit(
            @Nullable String page,
            @Nullable Long timeMs,
            @Nullable String name,
            String amount,
            int times) {
        String json() {
            List<String> fields = new ArrayList<>();
            fields.add("\"amount\":\"" + amount + '"');
            if (page != null) {
                fields.add("\"page\":" + quoted(page));
            }
            if (timeMs != null) {
                fields.add("\"ms\":" + timeMs);
            }
            if (name != null) {
                fields.add("\"name\":" + quoted(name));
            }
            return "{" + String.join(",", fields) + "}";
        }

        private static String quoted(String text) {
            return '"'
                    + text.replace("\\", "\\\\")
                            .replace("\"", "\\\"")
                            .replace("\n", "\\n")
                            .replace("\r", "\\r")
                            .replace("\t", "\\t")
                    + '"';
        }
    }

    @Test
    void everyValueLoadsAsItselfAndNullApartFromTheEmptyText() throws IOException, InterruptedException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Visit> visits = new ArrayList<>();
        for (String page : TEXTS) {
            for (Long timeMs : TIMES_MS) {
                visits.add(new Visit(
                        page,
                        timeMs,
                        TEXTS[random.nextInt(TEXTS.length)],
                        AMOUNTS[random.nextInt(AMOUNTS.length)],
                        1 + random.nextInt(3)));
            }
        }
        Path out = run("""
                summary Pages {
                    key { string page = 1; timestamp at = 2; }
                    value {
                        count visits = 1;
                        sumcurrency amount = 2;
                        laststring name = 3;
                        maxtimestamp latest = 4;
                        summary Name { key { string name = 1; } value { count visits_by_name = 1; } }
                        repeated Name names = 5;
                    }
                }
                map Visit into Pages {
                    key { page; at = timestamp(ms); }
                    visits += 1;
                    amount += amount where first;
                    name += name;
                    latest += timestamp(ms);
                    names[name = name] { visits_by_name += 1; }
                }
                """, visits);

        List<String> rows = postgres.query("""
                SET TimeZone = 'UTC';
                CREATE TABLE pages
                    (page text, at timestamptz, visits bigint, amount numeric, name text, latest timestamptz);
                CREATE TABLE names (page text, at timestamptz, name text, visits bigint);
                \\copy pages FROM '%s' WITH (FORMAT csv, HEADER)
                \\copy names FROM '%s' WITH (FORMAT csv, HEADER)
                CREATE FUNCTION hex(text) RETURNS text LANGUAGE sql
                    AS $$ SELECT coalesce('x' || encode(convert_to($1, 'UTF8'), 'hex'), 'null') $$;
                CREATE FUNCTION ms(timestamptz) RETURNS text LANGUAGE sql
                    AS $$ SELECT coalesce(trim_scale(extract(epoch FROM $1) * 1000)::text, 'null') $$;
                SELECT hex(p.page), ms(p.at), p.visits, trim_scale(p.amount), hex(p.name), ms(p.latest),
                    hex(n.name), n.visits
                FROM pages p JOIN names n
                    ON p.page IS NOT DISTINCT FROM n.page AND p.at IS NOT DISTINCT FROM n.at;
                """.formatted(out.resolve("Pages.csv"), out.resolve("Pages.names.csv")));
        assertThat(rows)
                .as("seed=%d", seed)
                .containsExactlyInAnyOrderElementsOf(visits.stream()
                        .map(visit -> String.join(
                                "|",
                                hex(visit.page),
                                String.valueOf(visit.timeMs),
                                Integer.toString(visit.times),
                                new BigDecimal(visit.amount)
                                        .stripTrailingZeros()
                                        .toPlainString(),
                                hex(visit.name),
                                String.valueOf(visit.timeMs),
                                hex(visit.name),
                                Integer.toString(visit.times)))
                        .toList());
    }

    @Test
    void aLineOfOneColumnIsARowWhateverItHolds() throws IOException, InterruptedException {
        Path out = run(
                """
                summary Pages {
                    key { string page = 1; }
                    value {
                        summary Name { key { string name = 1; } value { count visits = 1; } }
                        repeated Name names = 1;
                    }
                }
                map Visit into Pages { key { page; } names[name = name] { visits += 1; } }
                """,
                Stream.of(TEXTS)
                        .map(page -> new Visit(page, null, page, "1", 2))
                        .toList());
        assertThat(Files.readString(out.resolve("Pages.csv"))).startsWith("page\n");

        List<String> rows = postgres.query("""
                CREATE TABLE alone (page text);
                \\copy alone FROM '%s' WITH (FORMAT csv, HEADER)
                SELECT coalesce('x' || encode(convert_to(page, 'UTF8'), 'hex'), 'null') FROM alone;
                """.formatted(out.resolve("Pages.csv")));
        assertThat(rows)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(TEXTS).map(CsvPostgresTest::hex).toList());
    }

    /** Runs visits through a mapping; returns the folder of the CSV. */
    private Path run(String mapping, List<Visit> visits) throws IOException {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.proto"), """
                syntax = "proto3";
                message Visit { string page = 1; int64 ms = 2; string name = 3; double amount = 4; bool first = 5; }
                """);
        Files.writeString(
                definitions.resolve("t.summ"), "import \"t.proto\";\nevent Visit on \"visit\" as json;\n" + mapping);
        StringBuilder messages = new StringBuilder();
        for (Visit visit : visits) {
            for (int i = 0; i < visit.times; i++) {
                messages.append("<134>1 2026-11-20T00:00:00Z h a - visit - {\"first\":")
                        .append(i == 0)
                        .append(',')
                        .append(visit.json().substring(1))
                        .append('\n');
            }
        }
        Path log = Files.writeString(folder.resolve("visits.log"), messages);
        Path out = folder.resolve("out");
        Commands.Outcome outcome = Commands.run(
                "run",
                "--definitions",
                definitions.toString(),
                "--out",
                out.toString(),
                "--profile",
                "pg",
                log.toString());
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return out;
    }

    private static String hex(@Nullable String text) {
        return text == null ? "null" : "x" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Start of a year of the proleptic Gregorian calendar; year 0 is 1 BC. */
    private static long startOf(int year) {
        return LocalDate.of(year, 1, 1).atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }
}
