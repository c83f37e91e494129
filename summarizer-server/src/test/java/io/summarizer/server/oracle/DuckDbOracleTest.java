package io.summarizer.server.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.summarizer.core.sketch.MultisetArena;
import io.summarizer.server.workload.AdEvent;
import io.summarizer.server.workload.AdsWorkload;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DuckDbOracleTest {
    private static final long EVENTS = 25_000;

    private @TempDir Path folder;
    private DuckDbOracle oracle;
    private List<String> details;

    @BeforeAll
    void loadEventsAndMakeTheCsvTheyGive() throws SQLException {
        oracle = new DuckDbOracle();
        oracle.loadEvents(DuckDbOracleTest::bothVersions);
        details = campaignDetails();
    }

    @AfterAll
    void close() throws SQLException {
        oracle.close();
    }

    private static void bothVersions(Consumer<AdEvent> sink) {
        AdsWorkload.v1(11).forEach(EVENTS, sink);
        AdsWorkload.v2(12).forEach(EVENTS, sink);
    }

    @Test
    void linesTakenApartByDuckDbSayWhatTypedEventsSay() throws SQLException, IOException {
        Path lines = folder.resolve("lines");
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(lines))) {
            AdsWorkload.v1(11).writeTo(out, EVENTS);
            AdsWorkload.v2(12).writeTo(out, EVENTS);
        }
        try (DuckDbOracle other = new DuckDbOracle()) {
            other.loadLines(lines);
            for (OracleTable table :
                    List.of(DuckDbOracle.CAMPAIGN_DETAILS, DuckDbOracle.INTERACTIONS, DuckDbOracle.CONVERSIONS)) {
                assertThat(fingerprint(other, table)).as(table.name()).isEqualTo(fingerprint(oracle, table));
                assertThat(rows(other, table)).isGreaterThan(1_000);
            }
        }
    }

    private static long fingerprint(DuckDbOracle oracle, OracleTable table) throws SQLException {
        // Shifted so that the sum of hashes fits into a long.
        return oracle.number("SELECT sum(hash(t::VARCHAR) >> 24) FROM (" + table.sql() + ") t");
    }

    private static long rows(DuckDbOracle oracle, OracleTable table) throws SQLException {
        return oracle.number("SELECT count(*) FROM (" + table.sql() + ")");
    }

    @Test
    void ourOwnSumsAndSketchesAgree() throws SQLException, IOException {
        CsvComparison comparison = compare(details);
        assertThatCode(comparison::assertAgrees).doesNotThrowAnyException();
        assertThat(comparison.rows()).isEqualTo(details.size() - 1).isGreaterThan(5_000);
    }

    @Test
    void aMissingRowIsFound() throws SQLException, IOException {
        assertProblem(details.subList(0, details.size() - 1), "row is missing: rows=1");
    }

    @Test
    void anExtraRowIsFound() throws SQLException, IOException {
        assertProblem(with(details, "999,1,1,1,0,0,0,0"), "row should not be there: rows=1");
    }

    @Test
    void aRowThatIsThereTwiceIsFound() throws SQLException, IOException {
        assertProblem(with(details, details.get(5)), "row there more than once: rows=1");
    }

    @Test
    void anotherHeaderIsFound() throws SQLException, IOException {
        List<String> changed = new ArrayList<>(details);
        changed.set(0, changed.get(0).replace("media_cost", "media"));
        assertProblem(changed, "header is <campaign_id,");
    }

    @Test
    void aSumThatIsOffByOneMillionthIsFound() throws SQLException, IOException {
        assertProblem(
                change(
                        6,
                        cost -> new BigDecimal(cost)
                                .add(BigDecimal.valueOf(1, 6))
                                .toPlainString()),
                "media_cost differs: rows=1");
        assertProblem(change(7, cost -> ""), "data_cost differs: rows=1");
        assertProblem(change(4, count -> count + "0"), "impression_count differs: rows=1");
    }

    @Test
    void anEstimateThatIsTooFarOffIsFound() throws SQLException, IOException {
        assertProblem(change(5, uu -> Long.toString(Math.round(Long.parseLong(uu) * 1.3))), "standard errors: rows=1");
        assertProblem(change(5, uu -> "many"), "impression_uu is no integer: rows=1");
        List<String> changed = new ArrayList<>(details);
        for (int i = 1; i < changed.size(); i++) {
            String[] fields = changed.get(i).split(",");
            if (fields[5].equals("7")) {
                fields[5] = "6";
                changed.set(i, String.join(",", fields));
            }
        }
        assertProblem(changed, "impression_uu is one too few in ");
    }

    @Test
    void nothingToCompareIsAFailure() throws SQLException, IOException {
        try (DuckDbOracle empty = new DuckDbOracle()) {
            Path file = Files.write(folder.resolve("empty.csv"), List.of(details.get(0)));
            CsvComparison comparison = CsvComparison.compare(empty, DuckDbOracle.CAMPAIGN_DETAILS, file);
            assertThatThrownBy(comparison::assertAgrees).hasMessageContaining("nothing was compared");
        }
    }

    private void assertProblem(List<String> csv, String problem) throws SQLException, IOException {
        CsvComparison comparison = compare(csv);
        assertThat(comparison.problems()).singleElement().asString().contains(problem);
        assertThatThrownBy(comparison::assertAgrees).isInstanceOf(AssertionError.class);
    }

    private CsvComparison compare(List<String> csv) throws SQLException, IOException {
        Path file = Files.write(folder.resolve("actual.csv"), csv);
        return CsvComparison.compare(oracle, DuckDbOracle.CAMPAIGN_DETAILS, file);
    }

    private static List<String> with(List<String> lines, String line) {
        List<String> more = new ArrayList<>(lines);
        more.add(line);
        return more;
    }

    /** The CSV with one field of the row with the most impressions changed. */
    private List<String> change(int field, UnaryOperator<String> change) {
        int row = 1;
        for (int i = 1; i < details.size(); i++) {
            if (impressions(details.get(i)) > impressions(details.get(row))) {
                row = i;
            }
        }
        String[] fields = details.get(row).split(",");
        fields[field] = change.apply(fields[field]);
        List<String> changed = new ArrayList<>(details);
        changed.set(row, String.join(",", fields));
        return changed;
    }

    private static long impressions(String line) {
        return Long.parseLong(line.split(",")[4]);
    }

    /** The expected {@code CampaignDetails.csv}, computed with a HashMap. */
    private static List<String> campaignDetails() {
        Hasher64 hasher = Hashing.murmur3_128(0);
        MultisetArena arena = new MultisetArena(11, 5);
        Map<String, long[]> rows = new HashMap<>();
        bothVersions(event -> {
            String key = event.campaignId + "," + event.inventoryId + "," + event.creativeId + "," + event.audienceId;
            long[] row = rows.computeIfAbsent(key, k -> new long[4]);
            if (DuckDbOracle.isImpression(event)) {
                row[0]++;
                row[1] = arena.add((int) row[1], hasher.hashLongToLong(event.userId));
                row[2] += event.mediaCostMicros;
                row[3] += event.dataCostMicros;
            }
        });
        MultisetArena.View view = arena.freeze();
        List<String> lines = new ArrayList<>();
        lines.add("campaign_id,inventory_id,creative_id,audience_attribute_id,"
                + "impression_count,impression_uu,media_cost,data_cost");
        rows.forEach((key, row) -> lines.add(key + "," + row[0] + "," + view.cardinality((int) row[1]) + ","
                + BigDecimal.valueOf(row[2], 6) + "," + BigDecimal.valueOf(row[3], 6)));
        return lines;
    }
}
