package io.summarizer.server.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.Seeds;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.core.time.Windows;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows in UTC against {@code time_bucket} and {@code date_trunc} of DuckDB. */
class WindowsOracleTest {
    private static final long CENTURY = 36_524 * CalendarUnit.DAY.micros();

    @ParameterizedTest
    @CsvSource({
        "1, SECOND, 'date_trunc(''second'', t)'",
        "1, HOUR, 'date_trunc(''hour'', t)'",
        "1, DAY, 'date_trunc(''day'', t)'",
        "1, WEEK, 'date_trunc(''week'', t)'",
        "1, MONTH, 'date_trunc(''month'', t)'",
        "1, YEAR, 'date_trunc(''year'', t)'",
        "90, SECOND, 'time_bucket(INTERVAL ''90 seconds'', t, TIMESTAMP ''1970-01-01'')'",
        "15, MINUTE, 'time_bucket(INTERVAL ''15 minutes'', t, TIMESTAMP ''1970-01-01'')'",
        "10, DAY, 'time_bucket(INTERVAL ''10 days'', t, TIMESTAMP ''1970-01-01'')'",
        "2, WEEK, 'time_bucket(INTERVAL ''14 days'', t, TIMESTAMP ''1970-01-05'')'",
        "5, MONTH, 'time_bucket(INTERVAL ''5 months'', t, TIMESTAMP ''1970-01-01'')'",
        "7, YEAR, 'time_bucket(INTERVAL ''7 years'', t, TIMESTAMP ''1970-01-01'')'"
    })
    void windowsInUtcStartWhereDuckDbTruncates(long count, CalendarUnit unit, String sql) throws SQLException {
        long seed = Seeds.first();
        Random random = new Random(seed);
        Windows windows = new Windows(count, unit, ZoneOffset.UTC);
        try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
                PreparedStatement statement =
                        duckDb.prepareStatement("SELECT epoch_us(" + sql + ") FROM (SELECT make_timestamp(?) AS t)")) {
            for (int i = 0; i < 500; i++) {
                long at = (long) (random.nextGaussian() * CENTURY);
                statement.setLong(1, at);
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    assertThat(windows.start(at))
                            .as("of %d, %s", at, Seeds.replay(seed))
                            .isEqualTo(rows.getLong(1));
                }
            }
        }
    }
}
