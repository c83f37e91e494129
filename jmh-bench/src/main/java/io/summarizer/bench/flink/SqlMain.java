package io.summarizer.bench.flink;

import io.summarizer.bench.report.Figures;
import java.util.concurrent.TimeUnit;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;

/**
 * The main program of a JVM that groups impressions with Flink SQL, on Flink's distribution. The program reads the same
 * CSV file, which has no syslog headers, several times. It reports the rate of the last reading, which does not include
 * the start of the cluster.
 */
public final class SqlMain {
    /** Number of times that the file is read. */
    private static final int READINGS = 2;

    private SqlMain() {}

    /** Arguments: file, number of events, whether to count distinct users. */
    public static void main(String[] arguments) throws Exception {
        String file = arguments[0];
        long events = Long.parseLong(arguments[1]);
        boolean distinct = Boolean.parseBoolean(arguments[2]);
        Configuration settings = new Configuration();
        settings.setString("parallelism.default", "1");
        settings.setString("execution.checkpointing.interval", "10s");
        settings.setString("execution.checkpointing.storage", "filesystem");
        settings.setString("execution.checkpointing.dir", "file://" + file + "-checkpoints");
        settings.setString("rest.bind-port", "0");
        settings.setString("rest.address", "127.0.0.1");
        settings.setString("pipeline.object-reuse", "true");
        // The settings that Flink's guide to tuning names.
        settings.setString("table.exec.mini-batch.enabled", "true");
        settings.setString("table.exec.mini-batch.allow-latency", "1 s");
        settings.setString("table.exec.mini-batch.size", "5000");
        settings.setString("table.optimizer.agg-phase-strategy", "TWO_PHASE");
        settings.setString("table.optimizer.distinct-agg.split.enabled", "false");
        TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.newInstance()
                .inStreamingMode()
                .withConfiguration(settings)
                .build());
        run(
                tables,
                "CREATE TABLE events (topic STRING, ts BIGINT, campaign_id BIGINT, inventory_id BIGINT,"
                        + " creative_id BIGINT, audience_attribute_id BIGINT, user_id BIGINT, a DOUBLE, b DOUBLE, c DOUBLE)"
                        + " WITH ('connector' = 'filesystem', 'path' = 'file://" + file + "', 'format' = 'csv')");
        run(
                tables,
                "CREATE TABLE totals (campaign_id BIGINT, inventory_id BIGINT, creative_id BIGINT,"
                        + " audience_attribute_id BIGINT, impressions BIGINT, " + (distinct ? "users BIGINT, " : "")
                        + "media DOUBLE, data DOUBLE) WITH ('connector' = 'blackhole')");
        String query = "INSERT INTO totals SELECT campaign_id, inventory_id, creative_id, audience_attribute_id,"
                + " COUNT(*) FILTER (WHERE topic = 'ad.impression'), "
                + (distinct ? "COUNT(DISTINCT user_id) FILTER (WHERE topic = 'ad.impression'), " : "")
                + "SUM(a) FILTER (WHERE topic = 'ad.impression'), SUM(b) FILTER (WHERE topic = 'ad.impression')"
                + " FROM events GROUP BY campaign_id, inventory_id, creative_id, audience_attribute_id";
        for (int left = READINGS; left > 0; left--) {
            TableResult result = tables.executeSql(query);
            long millis = result.getJobClient()
                    .orElseThrow()
                    .getJobExecutionResult()
                    .get()
                    .getNetRuntime(TimeUnit.MILLISECONDS);
            double rate = events * 1e3 / (double) millis;
            if (left == 1) {
                Figures.report("rate", rate, "events/s");
            } else {
                System.out.printf("  warm-up %,.0f events/s%n", rate);
            }
        }
        System.exit(0); // Flink leaves threads
    }

    private static void run(TableEnvironment tables, String statement) {
        var unused = tables.executeSql(statement);
    }
}
