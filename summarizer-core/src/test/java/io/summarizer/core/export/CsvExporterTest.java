package io.summarizer.core.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.ModelSummary;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvExporterTest {
    private static final SummaryLayout DEEPEST =
            Rows.layout("deepest", List.of(KeyType.BOOL), List.of(AggregateType.COUNT));
    private static final SummaryLayout INNER =
            Rows.layout("inner", List.of(KeyType.STRING, KeyType.UINT64), List.of(AggregateType.SUMCURRENCY), DEEPEST);
    private static final SummaryLayout OUTER = Rows.layout(
            "outer",
            List.of(KeyType.INT64, KeyType.STRING, KeyType.TIMESTAMP, KeyType.UINT32),
            List.of(
                    AggregateType.SUMINT32,
                    AggregateType.SUMCURRENCY,
                    AggregateType.SUMDOUBLE,
                    AggregateType.MAXTIMESTAMP,
                    AggregateType.LASTSTRING,
                    AggregateType.MULTISET64,
                    AggregateType.MININT64),
            INNER);

    private static SummaryView view(SummaryStore... partitions) {
        return new SummaryView(
                partitions[0].layout(),
                Arrays.stream(partitions).map(SummaryStore::freeze).toList(),
                0);
    }

    private static CsvExporter exporter(SummaryView view, List<String> path) throws CsvQueryException {
        return CsvExporter.of(view, path, CsvQuery.ALL, new TableCsvCompiler());
    }

    private static String csv(SummaryView view, String... path) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            long bytes = exporter(view, List.of(path)).writeTo(out);
            assertThat(bytes).isEqualTo(out.size());
        } catch (IOException | CsvQueryException e) {
            throw new AssertionError(e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static SummaryStore twoRows() {
        SummaryStore store = Rows.store(OUTER);
        Rows.apply(store, Rows.key(OUTER, -5, "a \"b\"", 1_795_132_800_000_000L, 4_294_967_295L), 1, ops -> {
            ops.addLong(0, 3_000_000_000L);
            ops.addLong(1, 123_456_789);
            ops.addLong(2, Double.doubleToRawLongBits(0.5));
            ops.addLong(3, 0);
            Rows.addText(ops, 4, "");
            ops.addLong(5, 11);
            ops.addLong(5, 12);
            ops.addLong(6, -7);
            KeyBuffer inner = Rows.key(INNER, "x,y", -1L);
            ops.enter(0, inner, inner.hash());
            ops.addLong(0, -1);
            KeyBuffer deepest = Rows.key(DEEPEST, true);
            ops.enter(0, deepest, deepest.hash());
            ops.addLong(0, 1);
            ops.leave();
            ops.leave();
        });
        Rows.apply(store, Rows.key(OUTER, null, null, null, null), 1, ops -> {});
        return store;
    }

    @Test
    void aSummaryIsAHeaderAndItsRows() {
        assertThat(csv(view(twoRows()))).isEqualTo("""
                        outer_k0,outer_k1,outer_k2,outer_k3,outer_v0,outer_v1,outer_v2,outer_v3,outer_v4,outer_v5,outer_v6
                        -5,"a ""b""\",2026-11-20T00:00:00.000000Z,4294967295,3000000000,123.456789,0.5,1970-01-01T00:00:00.000000Z,"",2,-7
                        ,,,,0,0.000000,0.0,,,0,
                        """);
    }

    @Test
    void aNestedSummaryLeadsWithTheKeysOfAllThatEncloseIt() {
        SummaryView view = view(twoRows());
        assertThat(csv(view, "inner")).isEqualTo("""
                        outer_k0,outer_k1,outer_k2,outer_k3,inner_k0,inner_k1,inner_v0
                        -5,"a ""b""\",2026-11-20T00:00:00.000000Z,4294967295,"x,y",18446744073709551615,-0.000001
                        """);
        assertThat(csv(view, "inner", "deepest")).isEqualTo("""
                        outer_k0,outer_k1,outer_k2,outer_k3,inner_k0,inner_k1,deepest_k0,deepest_v0
                        -5,"a ""b""\",2026-11-20T00:00:00.000000Z,4294967295,"x,y",18446744073709551615,true,1
                        """);
    }

    @Test
    void anUnknownNestedSummaryIsNamed() {
        SummaryView view = view(Rows.store(OUTER));
        assertThatThrownBy(() -> exporter(view, List.of("inner", "outer")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("inner has no nested summary outer");
    }

    @Test
    void anEmptySummaryIsItsHeader() {
        assertThat(csv(view(Rows.store(DEEPEST), Rows.store(DEEPEST)))).isEqualTo("deepest_k0,deepest_v0\n");
    }

    @Test
    void aColumnNameThatNeedsQuotesGetsThem() {
        SummaryLayout odd = new SummaryLayout(
                "odd", 0, List.of(new SummaryLayout.KeyColumn("a,\"b\"", 1, KeyType.INT64)), List.of(), List.of());
        assertThat(csv(view(Rows.store(odd)))).isEqualTo("\"a,\"\"b\"\"\"\n");
    }

    @Test
    void randomSummariesReadBackByRfc4180() {
        for (long seed = 1; seed <= 15; seed++) {
            Random random = new Random(seed);
            SummaryLayout layout = ModelSummary.randomLayout("s", 2, random);
            ModelSummary model = new ModelSummary(layout, 50, random);
            SummaryStore[] stores = model.stores(500, random);
            check(view(stores), List.of(layout), List.of(), model, "seed " + seed);
        }
    }

    /** Compares one (nested) summary and those below it; {@code layouts} leads from the top-level one to it. */
    private static void check(
            SummaryView view, List<SummaryLayout> layouts, List<String> path, ModelSummary model, String what) {
        SummaryLayout layout = layouts.get(layouts.size() - 1);
        List<Object> types = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (SummaryLayout level : layouts) {
            level.keys().forEach(key -> types.add(key.type()));
            level.keys().forEach(key -> names.add(key.name()));
        }
        layout.values().forEach(value -> types.add(value.type()));
        layout.values().forEach(value -> names.add(value.name()));
        List<List<@Nullable String>> records = Rfc4180.parse(csv(view, path.toArray(new String[0])));
        assertThat(records.get(0)).isEqualTo(names);
        List<String> lines = new ArrayList<>();
        for (List<@Nullable String> record : records.subList(1, records.size())) {
            assertThat(record).hasSameSizeAs(types);
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < record.size(); i++) {
                line.append(meaning(types.get(i), record.get(i))).append('|');
            }
            lines.add(line.toString());
        }
        assertThat(ModelSummary.sorted(lines)).as("%s, %s", what, layout).isEqualTo(ModelSummary.sorted(model.dump()));
        for (int i = 0; i < layout.nested().size(); i++) {
            List<SummaryLayout> layoutsBelow = new ArrayList<>(layouts);
            layoutsBelow.add(layout.nested().get(i));
            List<String> pathBelow = new ArrayList<>(path);
            pathBelow.add(layout.nested().get(i).name());
            check(view, layoutsBelow, pathBelow, model.nested(i), what);
        }
    }

    /** A field as the model writes it. */
    private static @Nullable Object meaning(Object type, @Nullable String field) {
        if (field == null) {
            return null;
        }
        if (type == KeyType.TIMESTAMP || type == AggregateType.MINTIMESTAMP || type == AggregateType.MAXTIMESTAMP) {
            Instant instant = Instant.parse(field);
            // The product may overflow a long where the sum does not; the second overflow corrects the first.
            return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
        }
        if (type == KeyType.UINT64) {
            return Long.parseUnsignedLong(field);
        }
        if (type == AggregateType.SUMCURRENCY) {
            return new BigDecimal(field).movePointRight(6).toBigIntegerExact();
        }
        if (type == AggregateType.SUMFLOAT || type == AggregateType.SUMDOUBLE) {
            return ModelSummary.rounded(Double.parseDouble(field));
        }
        if (type == AggregateType.MINDOUBLE || type == AggregateType.MAXDOUBLE) {
            return Double.parseDouble(field);
        }
        return field;
    }

    @Test
    void duckDbReadsWhatWasMeant(@TempDir Path folder) throws IOException, SQLException {
        Random random = new Random(8);
        SummaryStore[] stores = {Rows.store(OUTER), Rows.store(OUTER)};
        String[] texts = {"plain", "", "a,b", "a\nb", "\"", "\"\"x", "漢字", " lead", "trail ", "'", "NULL", "\\N"};
        double doubles = 0;
        long currency = 0;
        for (int i = 0; i < 5_000; i++) {
            KeyBuffer key = Rows.key(
                    OUTER,
                    i,
                    i % 13 == 12 ? null : texts[i % 13],
                    random.nextLong() >> 12,
                    random.nextInt() & 0xffff_ffffL);
            long cost = random.nextLong() >> 30;
            double amount = random.nextGaussian() * Math.pow(10, random.nextInt(20) - 10);
            int number = i;
            doubles += amount;
            currency += cost;
            Rows.apply(stores[i % 2], key, i, ops -> {
                ops.addLong(0, number);
                ops.addLong(1, cost);
                ops.addLong(2, Double.doubleToRawLongBits(amount));
                if (number % 3 == 0) {
                    Rows.addText(ops, 4, texts[number % 12]);
                    ops.addLong(6, -number);
                }
            });
        }
        Path file = folder.resolve("outer.csv");
        Files.writeString(file, csv(view(stores)));

        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("set threads = 1");
            statement.execute("create table exported as select * from read_csv('" + file + "', header=true, delim=',',"
                    + " quote='\"', escape='\"', nullstr='', allow_quoted_nulls=false, columns={'k0':'BIGINT','k1':'VARCHAR','k2':'TIMESTAMPTZ','k3':'UINTEGER',"
                    + "'v0':'BIGINT','v1':'DECIMAL(28,6)','v2':'DOUBLE','v3':'TIMESTAMPTZ','v4':'VARCHAR','v5':'BIGINT',"
                    + "'v6':'BIGINT'})");
            try (ResultSet row = statement.executeQuery(
                    "select count(*), sum(v0), sum(v1), sum(v2), sum(v6), count(v3), count(v6), count(k1) from exported")) {
                row.next();
                assertThat(row.getLong(1)).isEqualTo(5_000);
                assertThat(row.getLong(2)).isEqualTo(4_999 * 5_000 / 2);
                assertThat(row.getBigDecimal(3).movePointRight(6).longValueExact())
                        .isEqualTo(currency);
                assertThat(row.getDouble(4)).isCloseTo(doubles, within(Math.abs(doubles) * 1e-9));
                assertThat(row.getLong(5)).isEqualTo(-3L * (1_666 * 1_667 / 2));
                assertThat(row.getLong(6)).isEqualTo(0);
                assertThat(row.getLong(7)).isEqualTo(1_667);
                assertThat(row.getLong(8)).isEqualTo(5_000 - 384);
            }
            for (int i = 0; i < texts.length; i++) {
                try (ResultSet row = statement.executeQuery("select count(*), count(*) filter (k1 = '"
                        + texts[i].replace("'", "''") + "') from exported where k0 % 13 = " + i)) {
                    row.next();
                    assertThat(row.getLong(2)).as("text %s", texts[i]).isEqualTo(row.getLong(1));
                }
            }
        }
    }
}
