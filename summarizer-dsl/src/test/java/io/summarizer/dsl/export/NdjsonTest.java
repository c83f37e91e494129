package io.summarizer.dsl.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.summarizer.core.Seeds;
import io.summarizer.core.export.CsvProfile;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.ExportFormat;
import io.summarizer.core.export.Rfc4180;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.ModelSummary;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.Names;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** NDJSON has the values of the CSV of the same query, as a JSON parser that is not ours reads them. */
class NdjsonTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static List<JsonNode> objects(SummaryView view, List<String> path, CsvQuery query) {
        String text = CsvQueryCompilerTest.csv(
                view, path, query.withFormat(ExportFormat.NDJSON), CsvQueryCompiler.of(List.of()));
        assertThat(text).matches(all -> all.isEmpty() || all.endsWith("\n"));
        List<JsonNode> objects = new ArrayList<>();
        try {
            for (String line : text.lines().toList()) {
                objects.add(JSON.readTree(line));
            }
        } catch (IOException e) {
            throw new AssertionError(query.toString(), e);
        }
        return objects;
    }

    @Test
    void theRowsOfRandomSummariesAreThoseOfTheirCsv() {
        long first = Seeds.first();
        Set<Column.Type> seen = EnumSet.noneOf(Column.Type.class);
        for (long seed = first; seed < first + Seeds.count(12); seed++) {
            Random random = new Random(seed);
            SummaryLayout layout = ModelSummary.randomLayout("s", 2, random);
            ModelSummary model = new ModelSummary(layout, 40, random);
            SummaryStore[] stores = model.stores(300, random);
            compare(CsvQueryCompilerTest.view(stores), layout, List.of(), List.of(), random, seed, seen);
        }
        if (System.getProperty("summarizer.seed") == null) {
            assertThat(seen).as(Seeds.replay(first)).containsExactly(Column.Type.values());
        }
    }

    private static void compare(
            SummaryView view,
            SummaryLayout at,
            List<String> path,
            List<Integer> positions,
            Random random,
            long seed,
            Set<Column.Type> seen) {
        Columns columns = Columns.of(view.layout(), positions);
        for (int i = 0; i < 3; i++) {
            CsvQuery query = CsvQueryCompilerTest.random(columns, random)
                    .withFormat(ExportFormat.CSV)
                    .withProfile(CsvProfile.RFC4180);
            String about = Seeds.replay(seed) + ", " + query + ", " + view.layout();
            List<List<@Nullable String>> csv =
                    Rfc4180.parse(CsvQueryCompilerTest.csv(view, path, query, CsvQueryCompiler.of(List.of())));
            List<JsonNode> objects = objects(view, path, query);
            assertThat(objects).as(about).hasSize(csv.size() - 1);
            List<Column> written = written(view.layout(), positions, query);
            for (int row = 0; row < objects.size(); row++) {
                JsonNode object = objects.get(row);
                assertThat(object.fieldNames()).toIterable().as(about).isEqualTo(csv.get(0));
                for (int column = 0; column < written.size(); column++) {
                    Column.Type type = written.get(column).type();
                    String field = csv.get(row + 1).get(column);
                    Object value = value(object.get(written.get(column).name()));
                    if (written.size() > 1 || value != null || !"".equals(field)) { // a lone null is "" in a CSV
                        assertThat(value).as(about).isEqualTo(value(type, field));
                    }
                    if (field != null) {
                        seen.add(type);
                    }
                }
            }
        }
        for (int i = 0; i < at.nested().size(); i++) {
            List<String> innerPath = new ArrayList<>(path);
            innerPath.add(at.nested().get(i).name());
            List<Integer> innerPositions = new ArrayList<>(positions);
            innerPositions.add(i);
            compare(view, at.nested().get(i), innerPath, innerPositions, random, seed, seen);
        }
    }

    private static List<Column> written(SummaryLayout layout, List<Integer> positions, CsvQuery query) {
        return checked(layout, positions, query).written();
    }

    private static CheckedQuery checked(SummaryLayout layout, List<Integer> positions, CsvQuery query) {
        try {
            return CheckedQuery.of(Columns.of(layout, positions), query);
        } catch (CsvQueryException e) {
            throw new AssertionError(query.toString(), e);
        }
    }

    /** A field of a CSV as a null, text, bool, BigInteger or BigDecimal. */
    private static @Nullable Object value(Column.Type type, @Nullable String field) {
        return field == null
                ? null
                : switch (type) {
                    case TEXT, TIMESTAMP, SET -> field;
                    case BOOL -> Boolean.valueOf(field);
                    case DOUBLE, CURRENCY -> new BigDecimal(field);
                    case INT32, UINT32, INT64, SUM, UINT64, CARDINALITY -> new BigInteger(field);
                };
    }

    /** The value of a JSON member in the same way. */
    private static @Nullable Object value(JsonNode member) {
        return switch (member.getNodeType()) {
            case NULL -> null;
            case STRING -> member.textValue();
            case BOOLEAN -> member.booleanValue();
            case NUMBER -> member.isIntegralNumber() ? member.bigIntegerValue() : member.decimalValue();
            default -> throw new AssertionError(member);
        };
    }

    @Test
    void namesAreEscapedHoweverLongTheyAre() {
        List<String> names =
                new ArrayList<>(List.of("a\"b", "back\\slash", "\u2028", "\ud83d\ude00", "\0\t", "漢", "*/", "\\u0022"));
        IntStream.range(0, 60).forEach(i -> names.add("\u0001".repeat(197) + (100 + i)));
        List<KeyColumn> keys = new ArrayList<>();
        List<ValueColumn> values = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (i < 8) {
                keys.add(new KeyColumn(names.get(i), i + 1, i % 2 == 0 ? KeyType.INT64 : KeyType.STRING));
            } else {
                AggregateType type = i % 3 == 0 ? AggregateType.LASTSTRING : AggregateType.MININT64;
                values.add(new ValueColumn(names.get(i), i + 1, type, 0, 0));
            }
        }
        SummaryLayout layout = new SummaryLayout("s", 0, keys, values, List.of());
        SummaryStore store = Rows.store(layout);
        for (long i = 0; i < 50; i++) {
            Rows.apply(
                    store,
                    Rows.key(layout, i, null, null, null, null, null, null, "x"),
                    1,
                    ops -> Rows.addText(ops, 1, "y"));
        }
        List<JsonNode> objects = objects(CsvQueryCompilerTest.view(store), List.of(), CsvQuery.ALL);
        assertThat(objects).hasSize(50);
        for (JsonNode object : objects) {
            assertThat(object.fieldNames()).toIterable().isEqualTo(names);
            assertThat(object.get("\\u0022").textValue()).isEqualTo("x");
            assertThat(object.get(names.get(9)).textValue()).isEqualTo("y");
        }
    }

    @Test
    void namesAreConstantsOfTheWriter() {
        SummaryLayout layout = new SummaryLayout(
                "Pages",
                0,
                List.of(new KeyColumn("host", 1, KeyType.STRING)),
                List.of(new ValueColumn("a\"b", 1, AggregateType.MAXTIMESTAMP, 0, 0)),
                List.of());
        CheckedQuery query = checked(layout, List.of(), CsvQuery.ALL.withFormat(ExportFormat.NDJSON));
        GeneratedSource writer = QueryClasses.of(query, new Names()).sources().get(0);
        assertThat(writer.text()).endsWith("""
                public final class PagesNdjson extends CsvRowWriter {
                    private static final byte[] HOST_NAME = "{\\"host\\":".getBytes(StandardCharsets.UTF_8);
                    private static final int NULLS0_AT = 0;
                    private static final int HOST_NULL = 1;
                    private static final byte[] A_B_NAME = ",\\"a\\\\\\"b\\":".getBytes(StandardCharsets.UTF_8);
                    private static final int FLAGS_AT = 5;
                    private static final int A_B_FLAG = 1;
                    private static final int A_B_AT = 6;

                    public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
                        RowCursor row0 = rows[0];
                        byte[] cells0 = row0.bytes();
                        byte[] to = out.bytes();
                        int at = out.reserve(16);
                        // host
                        at = CsvFields.putBytes(to, at, HOST_NAME);
                        if (!((cells0[NULLS0_AT] & HOST_NULL) != 0)) {
                            out.advance(at);
                            row0.readKeyText(0);
                            out.putJsonText(row0.text(), row0.textOffset(), row0.textLength());
                            at = out.reserve(64);
                        } else {
                            at = CsvFields.putNull(to, at);
                            out.advance(at);
                            at = out.reserve(64);
                        }
                        // a"b
                        at = CsvFields.putBytes(to, at, A_B_NAME);
                        if (!((cells0[FLAGS_AT] & A_B_FLAG) == 0)) {
                            to[at++] = '"';
                            at = out.putTimestamp(at, Bytes.getLong(cells0, A_B_AT));
                            to[at++] = '"';
                        } else {
                            at = CsvFields.putNull(to, at);
                        }
                        to[at++] = '}';
                        to[at++] = '\\n';
                        out.advance(at);
                    }
                }
                """);
    }
}
