package io.summarizer.flink.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.flink.result.Results;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.demo.KafkaBroker;
import io.summarizer.server.demo.Rsyslogd;
import io.summarizer.server.workload.AdsWorkload;
import io.summarizer.server.workload.Workload;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A job on a cluster of processes that are killed while it reads Kafka, and that is rescaled and gets other definitions
 * in between. Half of the events come through a real rsyslogd and its omkafka, each half to a topic of its own. The
 * job's tables are those of {@code run} over the same events, DuckDB agrees, and the ledger has each event once.
 */
@Tag("long")
class FlinkChaosClusterTest {
    private static final long EVENTS = Long.getLong("summarizer.events", 5_000_000);
    /** Events a second, which make each part of the job last longer than what happens in it. */
    private static final long RATE = Long.getLong("summarizer.rate", 10_000);

    private static final long SEED = Long.getLong("summarizer.seed", 7);
    /** Whole seconds between the times of the first and the last event. */
    private static final long SECONDS = EVENTS / 2 / AdsWorkload.EVENTS_PER_MILLI / 1_000;

    /** Topic of the nested events, which a producer of this test sends. */
    private static final String NESTED = "nested";
    /** Topic of the flat events, which omkafka sends as its shipped configuration says. */
    private static final String FLAT = "events";

    private static final int PARTITIONS = 4;
    private static final int CHUNK = 100;
    /** On a busy machine, processes that are alive are silent for seconds. */
    private static final Map<String, String> PATIENCE = Map.of(
            "heartbeat.timeout", "60000",
            "high-availability.zookeeper.client.session-timeout", "30000",
            "high-availability.zookeeper.client.connection-timeout", "30000",
            "pekko.ask.timeout", "60s");

    private static final int AWAY_MS_MAX = 2_000;
    /** Kills of TaskManagers, at each parallelism. */
    private static final int[] KILLS = {3, 4, 3};

    private static final int[] PARALLELISM = {1, 3, 2};

    /** Parts into which kills and savepoints divide the events: two kills of the JobManager, and two savepoints. */
    private static final int PARTS = Arrays.stream(KILLS).sum() + 2 + 2 + 1;

    private static final String WINDOWS = """

            summary Seconds {
                window second every 1s close after 1s;
                key { timestamp second = 1; int64 campaign_id = 2; }
                value { count events = 1; multiset64 users = 2; sumcurrency cost = 3; }
            }
            map Impression into Seconds {
                key { second = timestamp(ts); campaign_id; }
                events += 1; users += user_id; cost += media_cost;
            }
            map Auction into Seconds {
                key { second = timestamp(ts); campaign_id = placement.campaign_id; }
                events += 1; users += user.id; cost += cost.media;
            }
            """;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private final Random random = new Random(SEED);
    private Path exports = Path.of("");
    private volatile long allowed;
    private volatile long sent;
    private int part;

    @Test
    void tablesAreThoseOfRunAfterKillsRescalingAndOtherDefinitions() throws Exception {
        System.out.println("summarizer.seed=" + SEED);
        exports = folder.resolve("exports");
        String ads = Files.readString(ProjectHome.path().resolve("schemas/ads.summ")) + WINDOWS;
        String added = ads.replace(
                        "repeated Interaction interactions = 5;",
                        "repeated Interaction interactions = 5; count later_events = 7;")
                .replace("    impression_count += 1;\n", "    impression_count += 1;\n    later_events += 1;\n");
        String renamed = added.replace("sumcurrency media_cost = 3;", "sumcurrency media_spend = 3;")
                .replace("    media_cost += ", "    media_spend += ");
        assertThat(List.of(ads, added, renamed)).doesNotHaveDuplicates();
        List<Path> definitions =
                List.of(definitions("first", ads), definitions("added", added), definitions("renamed", renamed));
        try (KafkaBroker broker = KafkaBroker.start(folder.resolve("broker"));
                FlinkCluster cluster = FlinkCluster.start(folder.resolve("cluster"), 2, 2, PATIENCE)) {
            broker.createTopic(NESTED, PARTITIONS, Map.of());
            // omkafka sends the time of the syslog header as the time of the record; this header has the same time
            // always.
            broker.createTopic(FLAT, PARTITIONS, Map.of("message.timestamp.type", "LogAppendTime"));
            Path own = folder.resolve("rsyslog");
            String shipped = Files.readString(ProjectHome.path().resolve("config/rsyslog/summarizer-omkafka.conf"));
            Path program = Rsyslogd.find().orElseThrow(() -> new IOException("rsyslogd is not installed"));
            try (Rsyslogd rsyslogd = Rsyslogd.start(program, own, Rsyslogd.toKafka(shipped, broker.brokers(), own))) {
                Thread feeder = new Thread(() -> feed(broker, rsyslogd));
                feeder.setDaemon(true);
                feeder.start();
                runJobs(cluster, broker, definitions);
            }
        }
        LedgerCounts ledger = Results.newest(exports).ledger();
        assertThat(ledger.total().received()).isEqualTo(EVENTS);
        assertThat(ledger.total().decided()).isEqualTo(EVENTS);
        assertThat(ledger.total().rejected()).isZero();
        assertThat(ledger.mappings()).allMatch(mapping -> mapping.account().rejected() == 0);
        assertThat(Results.newest(exports).summaries())
                .filteredOn(summary -> summary.name().equals("Seconds"))
                .allMatch(summary -> summary.windows().size() >= SECONDS - 2);
        Path v1 = write(AdsWorkload.v1(SEED), folder.resolve("v1.log"));
        Path v2 = write(AdsWorkload.v2(SEED), folder.resolve("v2.log"));
        Path run = run(definitions.get(0), v1, v2);
        assertSame(
                run.resolve("CampaignDetails.csv"),
                "CampaignDetails",
                "campaign_id,inventory_id,creative_id,audience_attribute_id,impression_count,impression_uu,media_spend,data_cost");
        assertSame(run.resolve("CampaignDetails.interactions.csv"), "CampaignDetails/interactions", null);
        assertSame(run.resolve("CampaignDetails.conversions.csv"), "CampaignDetails/conversions", null);
        assertSame(run.resolve("Seconds.csv"), "Seconds", null);
        assertDuckDbAgrees(v1, v2, run);
        long impressions = sum("CampaignDetails", "impression_count");
        assertThat(sum("CampaignDetails", "later_events")).isPositive().isLessThan(impressions);
    }

    /** Runs the job at each parallelism, each time from a savepoint of the time before, until it has all events. */
    private void runJobs(FlinkCluster cluster, KafkaBroker broker, List<Path> definitions) throws Exception {
        String savepoint = null;
        String job = "";
        for (int phase = 0; phase < PARALLELISM.length; phase++) {
            allow();
            job = submit(cluster, broker, definitions.get(phase), PARALLELISM[phase], savepoint);
            cluster.awaitStatus(job, "RUNNING");
            for (int kill = 0; kill < KILLS[phase]; kill++) {
                awaitTraffic(cluster);
                killTaskManager(cluster, part % 2);
                part++;
            }
            if (phase < PARALLELISM.length - 1) {
                awaitTraffic(cluster);
                killJobManager(cluster);
                part++;
                awaitTraffic(cluster);
                savepoint = cluster.stop(job);
                cluster.awaitStatus(job, "FINISHED");
                say("stopped with a savepoint at parallelism " + PARALLELISM[phase]);
                part++;
            }
        }
        allow();
        awaitReceived(cluster, EVENTS);
        say("all received");
        cluster.cancel(job);
    }

    private Path definitions(String name, String summ) throws IOException {
        Path definitions = Files.createDirectory(folder.resolve(name));
        Files.copy(ProjectHome.path().resolve("schemas/ads.proto"), definitions.resolve("ads.proto"));
        Files.writeString(definitions.resolve("ads.summ"), summ);
        return definitions;
    }

    private String submit(
            FlinkCluster cluster, KafkaBroker broker, Path definitions, int parallelism, @Nullable String savepoint)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(
                definitions.toString(),
                "--brokers",
                broker.brokers(),
                "--topics",
                NESTED + "," + FLAT,
                "--exports",
                exports.toString(),
                "--checkpoint",
                "3s",
                "--parallelism",
                Integer.toString(parallelism)));
        if (savepoint != null) {
            arguments.addAll(List.of("--from-savepoint", savepoint));
        }
        String job = cluster.run(FlinkCluster.jobJar(), List.of(), arguments);
        say("submitted at parallelism " + parallelism);
        return job;
    }

    private void killTaskManager(FlinkCluster cluster, int index) throws IOException, InterruptedException {
        cluster.killTaskManager(index);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(AWAY_MS_MAX));
        cluster.restartTaskManager(index);
        say("killed TaskManager " + index);
    }

    private void killJobManager(FlinkCluster cluster) throws IOException, InterruptedException {
        cluster.killJobManager();
        TimeUnit.MILLISECONDS.sleep(random.nextInt(AWAY_MS_MAX));
        cluster.restartJobManager();
        say("killed the JobManager");
    }

    private void say(String what) {
        System.out.printf(Locale.ROOT, "%tT  %,d sent: %s%n", System.currentTimeMillis(), sent, what);
    }

    /** Lets the events of the present part be sent. */
    private void allow() {
        allowed = EVENTS * (part + 1) / PARTS;
    }

    /** Lets the events of the present part be sent, and waits until some of them are in a result. */
    private void awaitTraffic(FlinkCluster cluster) throws Exception {
        allow();
        awaitReceived(cluster, EVENTS * part / PARTS + 1 + random.nextLong(EVENTS / PARTS / 2));
    }

    /** Waits for a result with so many events. A job that makes none fails the test by the time limit of the build. */
    private void awaitReceived(FlinkCluster cluster, long events) throws Exception {
        while (Results.newest(exports).ledger().total().received() < events) {
            // One that starts on a busy machine gives up after a while.
            cluster.restartEndedTaskManagers();
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** Sends the events in the order of their times, the flat ones over TCP to the rsyslogd. */
    private void feed(KafkaBroker broker, Rsyslogd rsyslogd) {
        Workload flat = AdsWorkload.v1(SEED);
        Workload nested = AdsWorkload.v2(SEED);
        try (Socket syslog = new Socket(
                        rsyslogd.address().getAddress(), rsyslogd.address().getPort());
                Producer<byte[], byte[]> producer =
                        broker.producer(Map.of("acks", "all", "linger.ms", 5, "compression.type", "lz4"))) {
            for (long from = 0; from < EVENTS / 2; from += CHUNK) {
                long to = Math.min(EVENTS / 2, from + CHUNK);
                while (allowed < 2 * to) {
                    TimeUnit.MILLISECONDS.sleep(5);
                }
                flat.writeTo(syslog.getOutputStream(), from, to);
                List<String> lines = lines(nested, from, to);
                for (int i = 0; i < lines.size(); i++) {
                    var unused = producer.send(new ProducerRecord<>(
                            NESTED, i % PARTITIONS, null, lines.get(i).getBytes(StandardCharsets.US_ASCII)));
                }
                sent = 2 * to;
                TimeUnit.MILLISECONDS.sleep(TimeUnit.SECONDS.toMillis(2 * (to - from)) / RATE);
            }
            syslog.shutdownOutput();
            var unused = syslog.getInputStream().read(); // until the rsyslogd has read all
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> lines(Workload workload, long from, long to) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        workload.writeTo(out, from, to);
        return out.toString(StandardCharsets.US_ASCII).lines().toList();
    }

    private Path run(Path definitions, Path v1, Path v2) {
        Path out = folder.resolve("run");
        Commands.Outcome outcome = Commands.run(
                "run", "--definitions", definitions.toString(), "--out", out.toString(), v1.toString(), v2.toString());
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return out;
    }

    /** Checks counts and amounts of all rows of {@code run}, which are those of the job, against DuckDB. */
    private void assertDuckDbAgrees(Path v1, Path v2, Path run) throws SQLException {
        String key = "campaign_id, inventory_id, creative_id, audience_attribute_id";
        String lines = "read_csv('%s', columns = {'line': 'VARCHAR'}, header = false, auto_detect = false,"
                + " delim = '\\x01', quote = '', escape = '')";
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = database.createStatement()) {
            statement.execute("CREATE TABLE flat AS SELECT split_part(line, ' ', 6) AS topic,"
                    + " string_split(split_part(line, ' ', 8), ',') AS f FROM " + lines.formatted(v1));
            statement.execute("CREATE TABLE nested AS SELECT json(substring(line, instr(line, ' - ') + 3)) AS j FROM "
                    + lines.formatted(v2));
            String flatKey = "f[2]::BIGINT AS campaign_id, f[3]::BIGINT AS inventory_id, f[4]::BIGINT AS creative_id,"
                    + " f[5]::BIGINT AS audience_attribute_id";
            String nestedKey = "(j->>'$.placement.campaign_id')::BIGINT, (j->>'$.placement.inventory_id')::BIGINT,"
                    + " (j->>'$.placement.creative_id')::BIGINT, (j->>'$.audience_attribute_id')::BIGINT";
            assertNoDifference(
                    statement,
                    run.resolve("CampaignDetails.csv"),
                    key + ", impression_count, media_cost, data_cost",
                    "SELECT " + key + ", count(media), coalesce(sum(media), 0), coalesce(sum(data), 0) FROM (SELECT "
                            + flatKey + ", CASE WHEN topic = 'ad.impression' THEN f[7]::DECIMAL(18, 6) END AS media,"
                            + " CASE WHEN topic = 'ad.impression' THEN f[8]::DECIMAL(18, 6) END AS data FROM flat"
                            + " UNION ALL SELECT " + nestedKey + ", (j->>'$.cost.media')::DECIMAL(18, 6),"
                            + " (j->>'$.cost.data')::DECIMAL(18, 6) FROM nested) GROUP BY ALL");
            assertNoDifference(
                    statement,
                    run.resolve("CampaignDetails.interactions.csv"),
                    key + ", action_id, count, revenue",
                    "SELECT " + key + ", action_id, count(*), sum(revenue) FROM (SELECT " + flatKey
                            + ", f[7]::BIGINT AS action_id, f[8]::DECIMAL(18, 6) AS revenue FROM flat"
                            + " WHERE topic = 'ad.click' UNION ALL SELECT * EXCLUDE (i), (i->>'action_id')::BIGINT,"
                            + " (i->>'revenue')::DECIMAL(18, 6) FROM (SELECT " + nestedKey
                            + ", unnest((j->'$.interactions')::JSON[]) AS i FROM nested)) GROUP BY ALL");
        }
    }

    /** Checks that a CSV file has the rows of a query, and no others. */
    private static void assertNoDifference(Statement statement, Path csv, String columns, String query)
            throws SQLException {
        String ours = "(SELECT " + columns + " FROM read_csv('" + csv + "', header = true, all_varchar = true))";
        String theirs = "(" + query + ")";
        String cast = "SELECT COLUMNS(*)::DECIMAL(38, 6) FROM ";
        for (String difference :
                List.of(cast + ours + " EXCEPT ALL " + cast + theirs, cast + theirs + " EXCEPT ALL " + cast + ours)) {
            try (ResultSet count = statement.executeQuery("SELECT count(*) FROM (" + difference + ")")) {
                assertThat(count.next()).isTrue();
                assertThat(count.getLong(1)).as(csv + ", DuckDB").isZero();
            }
        }
    }

    private static Path write(Workload workload, Path file) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            workload.writeTo(out, EVENTS / 2);
        }
        return file;
    }

    private void assertSame(Path csv, String table, @Nullable String columns) throws IOException {
        List<String> found = rows(table, columns);
        List<String> expected;
        try (Stream<String> lines = Files.lines(csv)) {
            expected = lines.skip(1).sorted().toList();
        }
        System.out.printf(Locale.ROOT, "%s: %,d rows%n", table, expected.size());
        assertThat(found).as(table).hasSameSizeAs(expected);
        // Not the lists themselves: a message with all of their rows would not fit into memory.
        assertThat(IntStream.range(0, found.size())
                        .filter(i -> !found.get(i).equals(expected.get(i)))
                        .limit(5)
                        .mapToObj(i -> found.get(i) + " instead of " + expected.get(i)))
                .as(table)
                .isEmpty();
    }

    private List<String> rows(String table, @Nullable String columns) {
        List<String> command = new ArrayList<>(List.of("state", exports.toString(), table));
        if (columns != null) {
            command.addAll(List.of("--columns", columns));
        }
        Commands.Outcome outcome = Commands.run(command.toArray(String[]::new));
        assertThat(outcome.exit()).as(outcome.err()).isZero();
        return outcome.out().lines().skip(1).sorted().toList();
    }

    private long sum(String table, String column) {
        return rows(table, column).stream().mapToLong(Long::parseLong).sum();
    }
}
