package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.Commands.Outcome;
import io.summarizer.server.postgres.PostgresCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code export --to} a PostgreSQL server: the table has the rows that COPY makes of the CSV of the same cut. */
@Timeout(300)
class PostgresExportTest {
    private static final String PROTO = """
            syntax = "proto3";
            message Visit {
                int32 small = 1; int64 number = 2; uint32 natural = 3; uint64 large = 4; bool flag = 5; string text = 6;
                int64 ms = 7; double real = 8;
            }
            """;

    /** Keys and values of all types. */
    private static final String DEFINITIONS = """
            import "t.proto";
            event Visit on "visit" as json;
            summary Visits {
                key {
                    int32 small = 1; int64 number = 2; uint32 natural = 3; uint64 large = 4; bool flag = 5;
                    string text = 6; timestamp time = 7;
                }
                value {
                    count visits = 1; sumint32 sum32 = 2; sumint64 sum64 = 3; sumdouble sumReal = 4;
                    sumcurrency amount = 5; minint64 least = 6; maxint64 most = 7; mindouble least_real = 8;
                    maxdouble most_real = 9; mintimestamp earliest = 10; maxtimestamp latest = 11;
                    firststring first_text = 12; laststring last_text = 13; firstint64 first_number = 14;
                    lastint64 `last, "n"` = 15; multiset64 users = 16;
                    multiset64(log2m = 14, regwidth = 4) order = 17;
                    summary Part { key { string part = 1; } value { sumint64 parts = 1; multiset64 users = 2; } }
                    repeated Part parts = 18;
                }
            }
            map Visit into Visits {
                key { small; number; natural; large; flag; text; time = timestamp(ms); }
                visits += 1;
                sum32 += small;
                sum64 += number;
                sumReal += real;
                amount += real;
                least += number;
                most += number;
                least_real += real;
                most_real += real;
                earliest += timestamp(ms);
                latest += timestamp(ms);
                first_text += text;
                last_text += text;
                first_number += number;
                `last, "n"` += number;
                users += number;
                order += text;
                parts[part = text] { parts += number; users += ms; }
            }
            summary Hours {
                window hour every 1h close after 365000d;
                key { timestamp hour = 1; string text = 2; }
                value { count visits = 1; multiset64 users = 2; }
            }
            map Visit into Hours { key { hour = timestamp(ms); text; } visits += 1; users += number; }
            """;

    private static final List<String> TEXTS = List.of(
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
            "é😀",
            "a\0b",
            "=1+1");

    private static PostgresCluster postgres;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    @TempDir
    private Path folder;

    private RunningService service;
    private long sent;

    @BeforeAll
    static void startPostgres() throws IOException, InterruptedException {
        postgres = PostgresCluster.start();
    }

    @AfterAll
    static void stopPostgres() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
    }

    @BeforeEach
    void startService() throws Exception {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.proto"), PROTO);
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS);
        service = RunningService.start(definitions, folder.resolve("data"));
        postgres.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE EXTENSION hll;");
    }

    @AfterEach
    void stopService() {
        service.close();
    }

    private void send(List<String> visits) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (String visit : visits) {
            lines.append("<134>1 2026-11-20T00:00:00Z h a - visit - ")
                    .append(visit)
                    .append('\n');
        }
        service.send(lines.toString().getBytes(UTF_8));
        sent += visits.size();
        service.awaitReceived(sent);
    }

    /** An event in which each field may be missing, so that each column has nulls. */
    private String visit() throws IOException {
        List<String> fields = new ArrayList<>();
        field(fields, "small", random.nextInt(5) - 2);
        field(fields, "number", random.nextBoolean() ? Long.MAX_VALUE - random.nextInt(2) : random.nextInt(3));
        field(fields, "natural", 0xffff_ffffL - random.nextInt(2));
        field(fields, "large", Long.toUnsignedString(-1L - random.nextInt(2)));
        field(fields, "flag", random.nextBoolean());
        field(fields, "text", TEXTS.get(random.nextInt(TEXTS.size())));
        field(
                fields,
                "ms",
                List.of(0L, -1L, 1_795_132_800_123L, -99_999_999_999_999L, 400_000_000_000_000L)
                        .get(random.nextInt(5)));
        field(fields, "real", random.nextBoolean() ? random.nextInt(1_000) / 8.0 : random.nextDouble() * 1e300);
        return "{" + String.join(",", fields) + "}";
    }

    private void field(List<String> fields, String name, Object value) throws IOException {
        if (random.nextInt(8) > 0) {
            fields.add('"' + name + "\":" + new ObjectMapper().writeValueAsString(value));
        }
    }

    private List<String> visits(int count) throws IOException {
        List<String> visits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            visits.add(visit());
        }
        return visits;
    }

    private Outcome export(String... arguments) {
        List<String> all = new ArrayList<>(List.of("export", "--server", service.url(), "--to", postgres.url()));
        all.addAll(List.of(arguments));
        return Commands.run(all.toArray(new String[0]));
    }

    /** Exports as JSON; the command has to succeed. */
    private JsonNode exported(String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        Outcome outcome = export(all.toArray(new String[0]));
        assertThat(outcome.exit()).as("seed=%d %s", seed, outcome.err()).isZero();
        return new ObjectMapper().readTree(outcome.out());
    }

    /**
     * Compares a table with the CSV of a cut, which COPY loads into a table of its own.
     *
     * @param columns names and types of that table
     * @param compared the columns to compare, with sets as texts, because sets have no order
     */
    private void assertIsCsv(String table, String csv, JsonNode answer, String columns, String compared)
            throws IOException, InterruptedException {
        String cut = answer.path("cut").asText();
        Path file = folder.resolve("fresh.csv");
        String query = csv + (csv.contains("?") ? "&" : "?") + "profile=pg&distinct=hll&cut=" + cut;
        Files.writeString(file, service.get("/summaries/" + query).body());
        List<String> difference = postgres.query("""
                SET client_min_messages = warning;
                DROP TABLE IF EXISTS fresh;
                CREATE TABLE fresh (%1$s);
                \\copy fresh FROM '%2$s' WITH (FORMAT csv, HEADER)
                SELECT 'table', * FROM (SELECT %3$s FROM %4$s EXCEPT ALL SELECT %3$s FROM fresh) a;
                SELECT 'csv', * FROM (SELECT %3$s FROM fresh EXCEPT ALL SELECT %3$s FROM %4$s) b;
                """.formatted(columns, file, compared, table));
        assertThat(difference)
                .as("seed=%d, table without CSV, and CSV without table", seed)
                .isEmpty();
        assertThat(postgres.query("SELECT count(*) FROM " + table).get(0))
                .isEqualTo(postgres.query("SELECT count(*) FROM fresh").get(0))
                .isNotEqualTo("0");
    }

    private static final String COLUMNS = """
            small bigint, number bigint, "natural" bigint, large numeric, flag boolean, text text, time timestamptz,
            visits bigint, sum32 numeric, sum64 numeric, "sumReal" double precision, amount numeric, least bigint,
            most bigint, least_real double precision, most_real double precision, earliest timestamptz,
            latest timestamptz, first_text text, last_text text, first_number bigint, "last, ""n""\" bigint,
            users hll, "order" hll""";

    private static final String COMPARED = """
            small, number, "natural", large, flag, text, time, visits, sum32, sum64, "sumReal", amount, least, most,
            least_real, most_real, earliest, latest, first_text, last_text, first_number, "last, ""n""\", users::text,
            "order"::text""";

    @Test
    void theTableIsTheCsvAndRepetitionsChangeNothing() throws Exception {
        send(visits(3_000));
        JsonNode first = exported("Visits");
        assertThat(first.path("table").asText()).isEqualTo("public.visits");
        assertThat(first.path("created").asBoolean()).isTrue();
        assertThat(first.path("changed").asLong())
                .isEqualTo(first.path("rows").asLong())
                .isPositive();
        assertIsCsv("visits", "Visits.csv", first, COLUMNS, COMPARED);
        assertThat(postgres.query("""
                SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
                WHERE attrelid = 'visits'::regclass AND attnum > 0 ORDER BY attnum;
                SELECT indexdef FROM pg_indexes WHERE tablename = 'visits';
                SELECT DISTINCT scale(amount) FROM visits;
                """))
                .containsExactly(
                        "small|bigint",
                        "number|bigint",
                        "natural|bigint",
                        "large|numeric(20,0)",
                        "flag|boolean",
                        "text|text",
                        "time|timestamp with time zone",
                        "visits|bigint",
                        "sum32|numeric(39,0)",
                        "sum64|numeric(39,0)",
                        "sumReal|double precision",
                        "amount|numeric(39,6)",
                        "least|bigint",
                        "most|bigint",
                        "least_real|double precision",
                        "most_real|double precision",
                        "earliest|timestamp with time zone",
                        "latest|timestamp with time zone",
                        "first_text|text",
                        "last_text|text",
                        "first_number|bigint",
                        "last, \"n\"|bigint",
                        "users|hll(11,5,-1,1)",
                        "order|hll(14,4,-1,1)",
                        "CREATE UNIQUE INDEX visits_small_number_natural_large_flag_text_time_idx ON public.visits USING btree"
                                + " (small, number, \"natural\", large, flag, text, \"time\") NULLS NOT DISTINCT",
                        "6");

        JsonNode second = exported("Visits");
        assertThat(second.path("rows")).isEqualTo(first.path("rows"));
        assertThat(second.path("changed").asLong()).isZero();
        assertThat(second.path("created").asBoolean()).isFalse();

        send(visits(500));
        JsonNode third = exported("Visits");
        assertThat(third.path("changed").asLong()).isBetween(1L, 500L);
        assertIsCsv("visits", "Visits.csv", third, COLUMNS, COMPARED);
    }

    @Test
    void nestedTablesGroupsAndConditionsLoadToo() throws Exception {
        send(visits(1_000));
        JsonNode nested = exported("Visits/parts");
        assertThat(nested.path("table").asText()).isEqualTo("public.visits_parts");
        String keys = "small bigint, number bigint, \"natural\" bigint, large numeric, flag boolean, text text,"
                + " time timestamptz, part text";
        assertIsCsv(
                "visits_parts",
                "Visits/parts.csv",
                nested,
                keys + ", parts numeric, users hll",
                "small, number, \"natural\", large, flag, text, time, part, parts, users::text");

        String query = "by=flag,text&where=visits%3E0&columns=text,flag,sum64,users";
        String[] options = {
            "Visits",
            "--by",
            "flag,text",
            "--where",
            "visits>0",
            "--columns",
            "text,flag,sum64,users",
            "--table",
            "\"By\""
        };
        JsonNode groups = exported(options);
        assertIsCsv(
                "\"By\"",
                "Visits.csv?" + query,
                groups,
                "text text, flag boolean, sum64 numeric, users hll",
                "text, flag, sum64, users::text");
        assertThat(exported(options).path("changed").asLong()).isZero();

        String[] single = {"Visits", "--by=", "--columns", "visits", "--table", "public.single"};
        exported(single);
        send(visits(10));
        assertThat(exported(single).path("changed").asLong()).isEqualTo(1);
        assertThat(postgres.query("SELECT visits FROM single")).containsExactly("1010");
    }

    /** The windows of the options go into the table, and those of earlier loads stay there. */
    @Test
    void closedAndOpenWindowsLoadByThemselves() throws Exception {
        send(visits(1_000));
        service.post("/summaries/Hours/windows/close?before=1970-01-01T00:00:00Z");
        for (int i = 0;
                i < 600 && service.get("/summaries/Hours/windows").body().contains("closing");
                i++) {
            Thread.sleep(50);
        }
        String types = "hour timestamptz, text text, visits bigint, users hll";
        String compared = "hour, text, visits, users::text";
        JsonNode closed = exported("Hours", "--closed", "only");
        assertIsCsv("hours", "Hours.csv?closed=only", closed, types, compared);
        assertThat(postgres.query("SELECT count(DISTINCT hour), max(hour) < to_timestamp(0) FROM hours"))
                .containsExactly("2|t");
        String[] hour = {"Hours", "--from", "1970-01-01T00:00:00Z", "--until", "1970-01-01T01:00:00Z"};
        exported(hour);
        assertThat(postgres.query("SELECT DISTINCT hour FROM hours WHERE hour >= to_timestamp(0)"))
                .hasSize(1);
        assertThat(exported(hour).path("changed").asLong()).isZero();
        JsonNode open = exported("Hours", "--closed", "no");
        assertIsCsv("hours", "Hours.csv", open, types, compared);

        send(visits(200)); // those of closed windows are late
        JsonNode more = exported("Hours", "--from", "1970-01-01T00:00:00Z");
        assertThat(more.path("changed").asLong()).isPositive();
        assertIsCsv("hours", "Hours.csv", more, types, compared);
    }

    @Test
    void estimatesLoadWithoutTheExtension() throws Exception {
        send(visits(10));
        postgres.query("DROP EXTENSION hll");
        Outcome refused = export("Visits");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).startsWith("CREATE EXTENSION hll;\n").contains("--distinct estimate");
        JsonNode answer = exported("Visits", "--distinct", "estimate", "--table", "estimates");
        assertThat(answer.path("changed").asLong()).isPositive();
        postgres.query("CREATE SCHEMA other; CREATE EXTENSION hll SCHEMA other");
        assertThat(exported("Visits", "--distinct", "both").path("changed").asLong())
                .isPositive();
        assertThat(exported("Visits", "--distinct", "both").path("changed").asLong())
                .isZero();
        assertThat(postgres.query("SELECT format_type(atttypid, atttypmod) FROM pg_attribute"
                        + " WHERE attrelid = 'visits'::regclass AND attname IN ('users', 'users_hll') ORDER BY attnum"))
                .containsExactly("bigint", "other.hll(11,5,-1,1)");
        postgres.query("DROP SCHEMA other CASCADE");
    }

    @Test
    void aTableThatDoesNotFitIsRefusedWithStatementsThatHelp() throws Exception {
        send(visits(1_000));
        postgres.query("""
                CREATE TABLE visits (note text DEFAULT 'kept', small int, number int, "natural" bigint, large bigint,
                    flag boolean, text varchar(10), time timestamp, visits smallint, sum32 numeric(39,6), sum64 numeric,
                    amount numeric(12,2), least double precision, most bigint, least_real real, most_real text,
                    earliest timestamptz(3), latest timestamptz, first_text text, last_text varchar,
                    first_number bigint, users bigint, "order" hll(11,5));
                CREATE UNIQUE INDEX ON visits (small, number, "natural", large, flag, text, time);
                """);
        Outcome refused = export("Visits");
        assertThat(refused.exit()).isEqualTo(1);
        String statements = refused.err().substring(0, refused.err().indexOf("\n\n"));
        assertThat(statements.lines())
                .containsExactly(
                        "ALTER TABLE \"public\".\"visits\" ALTER COLUMN \"number\" TYPE bigint USING \"number\"::bigint;",
                        "ALTER TABLE \"public\".\"visits\" ALTER COLUMN \"text\" TYPE text USING \"text\"::text;",
                        "ALTER TABLE \"public\".\"visits\" ALTER COLUMN \"time\" TYPE timestamptz USING \"time\"::timestamp AT TIME ZONE 'UTC';",
                        "ALTER TABLE \"public\".\"visits\" ALTER COLUMN \"visits\" TYPE bigint USING \"visits\"::bigint;",
                        "ALTER TABLE \"public\".\"visits\" ADD COLUMN \"sumReal\" double precision;",
                        "ALTER TABLE \"public\".\"visits\" ALTER COLUMN \"amount\" TYPE numeric(39,6) USING \"amount\"::numeric(39,6);",
                        "ALTER TABLE \"public\".\"visits\" ALTER COLUMN \"least\" TYPE bigint USING \"least\"::bigint;",
                        "ALTER TABLE \"public\".\"visits\" ALTER COLUMN \"least_real\" TYPE double precision USING \"least_real\"::double precision;",
                        "ALTER TABLE \"public\".\"visits\" ALTER COLUMN \"most_real\" TYPE double precision USING \"most_real\"::double precision;",
                        "ALTER TABLE \"public\".\"visits\" ALTER COLUMN \"earliest\" TYPE timestamptz USING \"earliest\"::timestamptz;",
                        "ALTER TABLE \"public\".\"visits\" ADD COLUMN \"last, \"\"n\"\"\" bigint;",
                        "ALTER TABLE \"public\".\"visits\" RENAME COLUMN \"users\" TO \"users_before\";",
                        "ALTER TABLE \"public\".\"visits\" ADD COLUMN \"users\" \"public\".hll(11,5,-1,1);",
                        "ALTER TABLE \"public\".\"visits\" RENAME COLUMN \"order\" TO \"order_before\";",
                        "ALTER TABLE \"public\".\"visits\" ADD COLUMN \"order\" \"public\".hll(14,4,-1,1);",
                        "CREATE UNIQUE INDEX ON \"public\".\"visits\" (\"small\", \"number\", \"natural\", \"large\", \"flag\", \"text\", \"time\") NULLS NOT DISTINCT;");
        assertThat(refused.err())
                .contains("the table public.visits cannot take these rows, so nothing was loaded")
                .contains("it has no column sumReal")
                .contains("its column amount is numeric(12,2), not numeric(39,6)");
        assertThat(postgres.query("SELECT count(*) FROM visits")).containsExactly("0");

        postgres.query(statements);
        Outcome tooLarge = export("Visits");
        assertThat(tooLarge.exit()).isEqualTo(3);
        assertThat(tooLarge.err())
                .contains(" is out of range for type bigint; COPY summarizer_rows, line ")
                .contains(", column large: ")
                .contains("a column of the type numeric holds it");
        assertThat(postgres.query("SELECT count(*) FROM visits")).containsExactly("0");
        postgres.query("ALTER TABLE visits ALTER large TYPE numeric");
        JsonNode answer = exported("Visits");
        assertIsCsv("visits", "Visits.csv", answer, COLUMNS, COMPARED);
        assertThat(postgres.query("SELECT DISTINCT note FROM visits")).containsExactly("kept");
    }
}
