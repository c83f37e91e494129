package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.Await;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.Commands.Outcome;
import io.summarizer.server.cli.Main;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.e2e.StallingRelay.Place;
import io.summarizer.server.postgres.PostgresCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code export --to} a PostgreSQL server when one of both is killed: the table is as before the load or as after it,
 * and a repetition makes it the table of the service. A relay stops the load at the place of the kill.
 */
@Timeout(300)
class PostgresKillTest {
    private static final String DEFINITIONS = """
            import "t.proto";
            event Hit on "hit" as csv;
            summary Traffic {
                window hour every 1h close after 1h;
                key { timestamp hour = 1; string page = 2; }
                value { count hits = 1; sumint64 bytes = 2; multiset64 users = 3; }
            }
            map Hit into Traffic { key { hour = time; page; } hits += 1; bytes += bytes; users += user; }
            """;
    private static final Instant MIDNIGHT = Instant.parse("2025-11-20T00:00:00Z");
    private static final int PAGES = 3_000;
    private static final int KEYS = 8 * PAGES;
    private static final String COLUMNS = "hour, page, hits, bytes, users::text";

    private static PostgresCluster postgres;

    private final long seed = Long.getLong("summarizer.seed", System.nanoTime());
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

    /** The table has the rows of four closed and four open windows; later events change some of the open ones. */
    @BeforeEach
    void startService() throws Exception {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.summ"), DEFINITIONS);
        Files.writeString(definitions.resolve("t.proto"), """
                syntax = "proto3";
                import "google/protobuf/timestamp.proto";
                message Hit { google.protobuf.Timestamp time = 1; string page = 2; int64 bytes = 3; int64 user = 4; }
                """);
        service = RunningService.start(definitions, folder.resolve("data"), "pipeline.parse.workers=1");
        postgres.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE EXTENSION hll;");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < KEYS; i++) {
            lines.append(line(i / PAGES, i % PAGES));
        }
        send(lines, KEYS);
        service.post("/summaries/Traffic/windows/close?before=" + MIDNIGHT.plusSeconds(4 * 3_600));
        assertThat(exportOf(postgres.url()).exit()).isZero();
        assertThat(differsFromService()).isEmpty();
        assertThat(postgres.query("SELECT count(*) FROM traffic")).containsExactly(Integer.toString(KEYS));
    }

    @AfterEach
    void stopService() {
        service.close();
    }

    private String line(int hour, int page) {
        return "<134>1 2025-11-20T00:00:00Z h a - hit - " + MIDNIGHT.plusSeconds(hour * 3_600L) + ",/"
                + Integer.toString(page, 36) + "," + random.nextInt(1_000_000) + "," + random.nextInt() + "\n";
    }

    private void send(CharSequence lines, int count) throws IOException {
        service.send(lines.toString().getBytes(UTF_8));
        sent += count;
        service.awaitReceived(sent);
    }

    /** The places of the load, and whether the table has the load when the connection ends there. */
    private Map<Place, Boolean> places() {
        long half = 200_000L + random.nextInt(200_000);
        Map<Place, Boolean> places = new LinkedHashMap<>();
        places.put((bytes, piece) -> piece.contains("COPY "), false);
        places.put((bytes, piece) -> bytes > half, false);
        places.put((bytes, piece) -> piece.contains("INSERT INTO"), false);
        places.put((bytes, piece) -> piece.contains("COMMIT"), false);
        places.put((bytes, piece) -> piece.startsWith("X\0\0\0\4"), true); // the end of the session
        return places;
    }

    /** Lets the service have other rows than the table. */
    private void change() throws Exception {
        postgres.query("DROP TABLE IF EXISTS before; CREATE TABLE before AS SELECT * FROM traffic");
        StringBuilder lines = new StringBuilder();
        int events = 1_000;
        for (int i = 0; i < events; i++) {
            lines.append(line(4 + random.nextInt(5), random.nextInt(2 * PAGES)));
        }
        send(lines, events);
        assertThat(differsFromService()).isNotEmpty();
    }

    @Test
    void aKilledCommandLeavesTheTableBeforeOrAfterTheLoad() throws Exception {
        long stalls = 0;
        for (Map.Entry<Place, Boolean> place : places().entrySet()) {
            change();
            try (StallingRelay relay = new StallingRelay(postgres.address(), place.getKey())) {
                Process command = command(PostgresCluster.url(relay.port()));
                relay.awaitStall();
                stalls += copying();
                command.destroyForcibly();
                assertThat(command.waitFor(1, TimeUnit.MINUTES)).isTrue();
            }
            Await.until(() -> "the session has not ended", () -> sessions() == 0);
            assertTable(place.getValue());
        }
        assertThat(stalls).as("kills during COPY").isPositive();
    }

    @Test
    @Tag("long")
    void aDatabaseThatIsShutDownAtOnceHasTheTableBeforeOrAfterTheLoad() throws Exception {
        long stalls = 0;
        for (Map.Entry<Place, Boolean> place : places().entrySet()) {
            change();
            try (StallingRelay relay = new StallingRelay(postgres.address(), place.getKey())) {
                CompletableFuture<Outcome> command =
                        CompletableFuture.supplyAsync(() -> exportOf(PostgresCluster.url(relay.port())));
                relay.awaitStall();
                stalls += copying();
                postgres.crash();
                relay.end();
                Outcome outcome = command.get(1, TimeUnit.MINUTES);
                assertThat(outcome.exit()).as(outcome.err()).isEqualTo(place.getValue() ? 0 : 3);
            }
            assertTable(place.getValue());
        }
        assertThat(stalls).as("crashes during COPY").isPositive();
    }

    /** Checks that the table has none or all of the load, then repeats the load. */
    private void assertTable(boolean loaded) throws Exception {
        if (loaded) {
            assertThat(differsFromService()).as("seed %d", seed).isEmpty();
        } else {
            assertThat(differences("before")).as("seed %d", seed).isEmpty();
        }
        Outcome repeated = exportOf(postgres.url());
        assertThat(repeated.exit()).as(repeated.err()).isZero();
        assertThat(differsFromService()).as("seed %d", seed).isEmpty();
    }

    private static long copying() throws IOException, InterruptedException {
        return Long.parseLong(
                postgres.query("SELECT count(*) FROM pg_stat_progress_copy").get(0));
    }

    private static long sessions() {
        try {
            return Long.parseLong(postgres.query("SELECT count(*) FROM pg_stat_activity"
                            + " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()")
                    .get(0));
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<String> differsFromService() throws IOException, InterruptedException {
        Path file = Files.writeString(
                folder.resolve("fresh.csv"),
                service.get("/summaries/Traffic.csv?profile=pg&distinct=hll").body());
        postgres.query("""
                SET client_min_messages = warning;
                DROP TABLE IF EXISTS fresh;
                CREATE TABLE fresh (hour timestamptz, page text, hits bigint, bytes numeric, users hll);
                \\copy fresh FROM '%s' WITH (FORMAT csv, HEADER)
                """.formatted(file));
        return differences("fresh");
    }

    private static List<String> differences(String other) throws IOException, InterruptedException {
        return postgres.query("""
                SELECT 'table', * FROM (SELECT %1$s FROM traffic EXCEPT ALL SELECT %1$s FROM %2$s) a;
                SELECT 'other', * FROM (SELECT %1$s FROM %2$s EXCEPT ALL SELECT %1$s FROM traffic) b;
                """.formatted(COLUMNS, other));
    }

    private List<String> arguments(String to) {
        return List.of("export", "Traffic", "--server", service.url(), "--to", to);
    }

    private Outcome exportOf(String to) {
        return Commands.run(arguments(to).toArray(String[]::new));
    }

    /** The command in a process of its own. */
    private Process command(String to) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "-Dsummarizer.home=" + ProjectHome.path(),
                Main.class.getName()));
        command.addAll(arguments(to));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
