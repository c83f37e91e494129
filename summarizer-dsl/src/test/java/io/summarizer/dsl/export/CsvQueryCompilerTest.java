package io.summarizer.dsl.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.export.CsvCompiler;
import io.summarizer.core.export.CsvExport;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvProfile;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQuery.Order;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.export.Distinct;
import io.summarizer.core.export.ExportFormat;
import io.summarizer.core.export.ExportMemory;
import io.summarizer.core.export.TableCsvCompiler;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.ModelSummary;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.Names;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvQueryCompilerTest {
    private static final CsvCompiler TABLES = new TableCsvCompiler();

    static String csv(SummaryView view, List<String> path, CsvQuery query, CsvCompiler compiler) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            long bytes = CsvExporter.of(view, path, query, compiler).writeTo(out);
            assertThat(bytes).isEqualTo(out.size());
        } catch (IOException | CsvQueryException e) {
            throw new AssertionError(query.toString(), e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    static SummaryView view(SummaryStore... partitions) {
        List<SummaryStore> all = List.of(partitions);
        return new SummaryView(
                all.get(0).layout(), all.stream().map(SummaryStore::freeze).toList(), 0);
    }

    @Test
    void generatedWritersWriteWhatTablesSayForAnySummaryAndQuery() {
        for (long seed = 1; seed <= 10; seed++) {
            Random random = new Random(seed);
            SummaryLayout layout = ModelSummary.randomLayout("s", 2, random);
            ModelSummary model = new ModelSummary(layout, 40, random);
            SummaryStore[] stores = model.stores(300, random);
            CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of(layout));
            compare(view(stores), layout, List.of(), List.of(), compiler, random, seed);
        }
    }

    private static void compare(
            SummaryView view,
            SummaryLayout at,
            List<String> path,
            List<Integer> positions,
            CsvQueryCompiler compiler,
            Random random,
            long seed) {
        List<CsvQuery> queries = new ArrayList<>();
        queries.add(CsvQuery.ALL);
        for (int i = 0; i < 3; i++) {
            queries.add(random(Columns.of(view.layout(), positions), random));
        }
        for (CsvQuery query : queries) {
            assertThat(csv(view, path, query, compiler))
                    .as("seed %d, %s, %s", seed, query, view.layout())
                    .isEqualTo(csv(view, path, query, TABLES));
        }
        for (int i = 0; i < at.nested().size(); i++) {
            List<String> innerPath = new ArrayList<>(path);
            innerPath.add(at.nested().get(i).name());
            List<Integer> innerPositions = new ArrayList<>(positions);
            innerPositions.add(i);
            compare(view, at.nested().get(i), innerPath, innerPositions, compiler, random, seed);
        }
    }

    static CsvQuery random(Columns columns, Random random) {
        List<String> names = new ArrayList<>(columns.names());
        Collections.shuffle(names, random);
        List<String> written = random.nextInt(3) == 0 ? List.of() : names.subList(0, 1 + random.nextInt(names.size()));
        List<Order> order = new ArrayList<>();
        Collections.shuffle(names, random);
        if (random.nextBoolean()) {
            for (String name : names.subList(0, Math.min(names.size(), 1 + random.nextInt(3)))) {
                order.add(new Order(name, random.nextBoolean()));
            }
        }
        boolean json = random.nextInt(3) == 0;
        return new CsvQuery(
                written,
                "",
                order,
                random.nextBoolean() ? Long.MAX_VALUE : random.nextInt(40),
                json ? CsvProfile.RFC4180 : CsvProfile.values()[random.nextInt(3)],
                Distinct.values()[random.nextInt(3)],
                null,
                json ? ExportFormat.NDJSON : ExportFormat.CSV);
    }

    @ParameterizedTest
    @ValueSource(strings = {"((a*)*)*b", "a*a*a*a*a*b"})
    void aRegexThatTakesTooManyStepsWithARowEndsTheQuery(String regex) throws Exception {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.STRING), List.of());
        SummaryStore store = Rows.store(layout);
        for (int i = 0; i < 30_000; i++) {
            Rows.apply(store, Rows.key(layout, "a".repeat(40) + i), 1, ops -> {});
        }
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of());
        CsvQuery query = where("extract(s_k0, \"" + regex + "\", 0) == 'zz'");
        CsvExporter exporter = CsvExporter.of(view(store), List.of(), query, compiler);
        assertThatThrownBy(() -> exporter.writeTo(OutputStream.nullOutputStream()))
                .isInstanceOf(CsvQueryException.class)
                .hasMessageContaining("takes too many steps with the text of a row");
        assertThat(csv(view(store), List.of(), where("extract(s_k0, \"a(1+)$\", 1) == '1111'"), compiler))
                .isEqualTo("s_k0\n" + "a".repeat(40) + "1111\n");
    }

    /** Each match is within its own bound; a row with many of them is not. */
    @Test
    void allMatchesOfARowHaveABoundTogether() throws Exception {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.STRING), List.of());
        SummaryStore store = Rows.store(layout);
        for (int i = 0; i < 50; i++) {
            Rows.apply(store, Rows.key(layout, "a".repeat(140) + i), 1, ops -> {});
        }
        String extract = "extract(s_k0, \"(a*)b\", 1) == 'zz'"; // about 20,000 steps
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of());
        String few = String.join(" or ", Collections.nCopies(5, extract));
        assertThat(csv(view(store), List.of(), where(few), compiler)).isEqualTo("s_k0\n");
        String many = String.join(" or ", Collections.nCopies(60, extract));
        CsvExporter exporter = CsvExporter.of(view(store), List.of(), where(many), compiler);
        assertThatThrownBy(() -> exporter.writeTo(OutputStream.nullOutputStream()))
                .isInstanceOf(CsvQueryException.class)
                .hasMessageContaining("takes too many steps with the text of a row");
    }

    @Test
    void sortsInStepsInMemoryThatItGivesBack() throws Exception {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.INT64), List.of());
        SummaryStore store = Rows.store(layout);
        for (int i = 0; i < 100; i++) {
            Rows.apply(store, Rows.key(layout, (long) i), 1, ops -> {});
        }
        CsvQuery query = CsvQuery.parse(Map.of("order_by", "s_k0"));
        ExportMemory memory = ExportMemory.forSorting();
        CsvExporter exporter = CsvExporter.of(
                view(store), List.of(), query, CsvQueryCompiler.of(List.of()), memory, ExportMemory.forGroups());
        try (CsvExport export = exporter.start((bytes, offset, length) -> {})) {
            int steps = 1;
            long most = 0;
            long last = 0;
            while (!export.step(() -> true)) {
                last = memory.taken();
                assertThat(last).isPositive();
                most = Math.max(most, last);
                steps++;
            }
            assertThat(steps).as("pauses whenever it may").isGreaterThan(5);
            assertThat(last).as("places without keys").isEqualTo(most / 3);
        }
        assertThat(memory.taken()).isZero();
    }

    @Test
    void offersToPauseAfterEachRowWhoseConditionMayTakeLong() throws Exception {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.STRING), List.of());
        SummaryStore store = Rows.store(layout);
        for (int i = 0; i < 100; i++) {
            Rows.apply(store, Rows.key(layout, "k" + i), 1, ops -> {});
        }
        assertThat(stepsOf(store, "lower(s_k0) == 'k7'")).isLessThan(20);
        assertThat(stepsOf(store, "extract(s_k0, \"k(.*)\", 1) == '7'")).isGreaterThan(100);
    }

    private static int stepsOf(SummaryStore store, String condition) throws Exception {
        CsvExporter exporter = CsvExporter.of(view(store), List.of(), where(condition), CsvQueryCompiler.of(List.of()));
        int steps = 1;
        try (CsvExport export = exporter.start((bytes, offset, length) -> {})) {
            while (!export.step(() -> true)) {
                steps++;
            }
        }
        return steps;
    }

    @Test
    void aLoneNullIsALineThatIsRead() {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.INT64), List.of());
        SummaryStore store = Rows.store(layout);
        Rows.apply(store, Rows.key(layout, (Object) null), 1, ops -> {});
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of(layout));
        CsvQuery all = CsvQuery.ALL;
        assertThat(csv(view(store), List.of(), all, compiler)).isEqualTo("s_k0\n\"\"\n");
        assertThat(csv(view(store), List.of(), all.withProfile(CsvProfile.EXCEL), compiler))
                .isEqualTo("\uFEFFs_k0\r\n\"\"\r\n");
        assertThat(csv(view(store), List.of(), all.withProfile(CsvProfile.PG), compiler))
                .isEqualTo("s_k0\n\n");
    }

    @Test
    void aThousandColumnsAreWrittenByMethodsThatHotSpotCompiles() {
        List<AggregateType> values = new ArrayList<>();
        Random random = new Random(5);
        for (int i = 0; i < 1_000; i++) {
            values.add(AggregateType.values()[random.nextInt(AggregateType.values().length)]);
        }
        SummaryLayout layout = Rows.layout("wide", List.of(KeyType.STRING), values);
        SummaryStore store = Rows.store(layout);
        Rows.apply(store, Rows.key(layout, "k"), 1, ops -> {});
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of(layout));
        CsvQuery both = CsvQuery.ALL.withDistinct(Distinct.BOTH);
        assertThat(csv(view(store), List.of(), CsvQuery.ALL, compiler))
                .isEqualTo(csv(view(store), List.of(), CsvQuery.ALL, TABLES));
        assertThat(csv(view(store), List.of(), both, compiler)).isEqualTo(csv(view(store), List.of(), both, TABLES));
    }

    @Test
    void theSameSummariesMakeTheSameSources() {
        SummaryLayout inner = Rows.layout("inner", List.of(KeyType.STRING), List.of(AggregateType.SUMCURRENCY));
        SummaryLayout layout = Rows.layout("class", List.of(KeyType.INT64), List.of(AggregateType.SUMINT32), inner);
        List<GeneratedSource> first = CsvQueryCompiler.sources(List.of(layout), new Names());
        assertThat(first).isEqualTo(CsvQueryCompiler.sources(List.of(layout), new Names()));
        assertThat(first.stream().map(GeneratedSource::simpleName)).containsExactly("ClassCsv", "ClassInnerCsv");
        assertThat(first.get(0).text())
                .contains("private static final int CLASS_V0_AT = 9;")
                .contains("at = CsvFields.putSum(to, at, row0.sumInt32(CLASS_V0_AT), row0.high());");
    }

    @Test
    void unknownColumnsAreRefusedWithWhatMayHaveBeenMeant() {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.INT64), List.of(AggregateType.SUMINT32));
        refused(layout, query(List.of("s_k1"), List.of()), "columns: `s` has no column `s_k1`", "did you mean `s_k0`?");
        refused(layout, query(List.of("s_k0", "s_k0"), List.of()), "columns: `s_k0` is named twice");
        refused(
                layout,
                query(List.of(), List.of(new Order("x".repeat(5_000), true))),
                "order_by: `s` has no column `xxx",
                "help: it has `s_k0` and `s_v0`");
        SummaryLayout sets = new SummaryLayout(
                "s",
                0,
                List.of(new SummaryLayout.KeyColumn("a_hll", 1, KeyType.INT64)),
                List.of(new SummaryLayout.ValueColumn("a", 1, AggregateType.MULTISET64, 11, 5)),
                List.of());
        refused(sets, CsvQuery.ALL.withDistinct(Distinct.BOTH), "would be a second column `a_hll`");
    }

    @Test
    void aSetIsAColumnThatCanBeNamed() throws CsvQueryException {
        SummaryLayout layout = new SummaryLayout(
                "s",
                0,
                List.of(new SummaryLayout.KeyColumn("k", 1, KeyType.INT64)),
                List.of(
                        new SummaryLayout.ValueColumn("users", 1, AggregateType.MULTISET64, 11, 5),
                        new SummaryLayout.ValueColumn("sum", 2, AggregateType.SUMINT64, 0, 0)),
                List.of());
        for (Distinct distinct : Distinct.values()) {
            assertThat(columns(layout, distinct, "users_hll", "k")).containsExactly("users_hll", "k");
            assertThat(columns(layout, distinct, "users_hll", "k", "users")).containsExactly("users_hll", "k", "users");
        }
        assertThat(columns(layout, Distinct.BOTH, "users", "k")).containsExactly("users", "users_hll", "k");
        assertThat(columns(layout, Distinct.HLL, "users")).containsExactly("users");
        SummaryStore store = Rows.store(layout);
        Rows.apply(store, Rows.key(layout, 7), 1, ops -> ops.addLong(0, 42));
        assertThat(csv(
                        view(store),
                        List.of(),
                        query(List.of("users", "users_hll"), List.of()),
                        CsvQueryCompiler.of(List.of())))
                .matches("users,users_hll\n1,\\\\x[0-9a-f]+\n");
        refused(layout, query(List.of("sum_hll"), List.of()), "columns: `s` has no column `sum_hll`");
        refused(layout, query(List.of(), List.of(new Order("users_hll", true))), "order_by: `s` has no column");
    }

    private static List<String> columns(SummaryLayout layout, Distinct distinct, String... names)
            throws CsvQueryException {
        return CsvQueryCompiler.of(List.of())
                .compile(layout, List.of(), query(List.of(names), List.of()).withDistinct(distinct))
                .columns();
    }

    /** A query that is interrupted while waiting for its turn is refused, too. */
    @Test
    void aQueryThatCannotWaitForItsTurnIsRefusedAsBusyAndWorksLater() throws CsvQueryException {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.INT64), List.of(AggregateType.SUMINT32));
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of(layout));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> compiler.compile(layout, List.of(), where("s_v0 > 3")))
                .isInstanceOfSatisfying(
                        CsvQueryException.class, e -> assertThat(e.reason()).isEqualTo(CsvQueryException.Reason.BUSY));
        // A query that needs no compilation needs no turn.
        assertThat(compiler.compile(layout, List.of(), CsvQuery.ALL).columns()).hasSize(2);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(compiler.compile(layout, List.of(), where("s_v0 > 3")).columns())
                .hasSize(2);
    }

    @Test
    void aWrongConditionIsSpokenOfAsOne() {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.INT64), List.of(AggregateType.SUMINT32));
        refused(
                layout,
                where("s_v0=3"),
                "where:1:5: error: expected an operator or the end of the condition, found `=`",
                "help: `==` is equality");
        refused(layout, where("s_v0 >"), "expected an expression, found the end of the condition");
        refused(layout, where("s_v0 == 1 s_k0"), "expected an operator or the end of the condition, found `s_k0`");
        refused(layout, where("(s_v0 == 1"), "expected an operator or `)`, found the end of the condition");
    }

    private static CsvQuery query(List<String> columns, List<Order> order) {
        return new CsvQuery(
                columns, "", order, Long.MAX_VALUE, CsvProfile.RFC4180, Distinct.ESTIMATE, null, ExportFormat.CSV);
    }

    static void refused(SummaryLayout layout, CsvQuery query, String... why) {
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of());
        assertThatThrownBy(() -> compiler.compile(layout, List.of(), query))
                .isInstanceOfSatisfying(CsvQueryException.class, e -> {
                    assertThat(e.reason()).isEqualTo(CsvQueryException.Reason.INVALID);
                    assertThat(e.getMessage()).contains(why).hasSizeLessThan(1_000);
                });
    }

    @Test
    void aProgramIsCompiledOnceAndForgottenWhenManyOthersWereAskedForSince() throws CsvQueryException {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.INT64), List.of(AggregateType.SUMINT32));
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of(layout));
        CsvQuery some = query(List.of("s_v0"), List.of());
        var first = compiler.compile(layout, List.of(), some);
        CsvQuery limited = new CsvQuery(
                some.columns(), "", List.of(), 5, CsvProfile.RFC4180, Distinct.ESTIMATE, null, ExportFormat.CSV);
        assertThat(compiler.compile(layout, List.of(), limited)).isSameAs(first);
        var whole = compiler.compile(layout, List.of(), CsvQuery.ALL);
        for (int i = 0; i <= CsvQueryCompiler.PROGRAMS_MAX; i++) {
            List<Order> order = Collections.nCopies(1 + i % 16, new Order("s_k0", i / 16 % 2 == 0));
            List<String> columns = i / 32 % 2 == 0 ? List.of("s_k0") : List.of("s_k0", "s_v0");
            CsvProfile profile = CsvProfile.values()[i / 64];
            var unused = compiler.compile(
                    layout,
                    List.of(),
                    new CsvQuery(
                            columns, "", order, Long.MAX_VALUE, profile, Distinct.ESTIMATE, null, ExportFormat.CSV));
        }
        assertThat(compiler.compile(layout, List.of(), some)).isNotSameAs(first);
        assertThat(compiler.compile(layout, List.of(), CsvQuery.ALL)).isSameAs(whole);
    }

    @Test
    void hostileConditionsAreCompiledOrRefusedButNeverBreakAnything() throws CsvQueryException {
        SummaryLayout layout =
                Rows.layout("s", List.of(KeyType.STRING), List.of(AggregateType.SUMINT32, AggregateType.SUMCURRENCY));
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of());
        SummaryStore store = Rows.store(layout);
        Rows.apply(store, Rows.key(layout, "a"), 1, ops -> ops.addLong(0, 1));
        String all = csv(view(store), List.of(), CsvQuery.ALL, compiler);
        for (String where : List.of(
                "s_v0 > 0 or ".repeat(300) + "s_v0 > 1",
                "lower(s_k0) == 'a' and ".repeat(100) + "s_v1 < 0.5",
                "(".repeat(60) + "s_v0 * 2 - 1 == 1" + ")".repeat(60),
                "s_k0 in ('" + "x', '".repeat(300) + "a')")) {
            assertThat(csv(view(store), List.of(), where(where), compiler)).isEqualTo(all);
        }
        // The operand is long, and written once for each sum, not for each element.
        String sums = "(" + "s_v0 + ".repeat(60) + "0) in (s_v0, " + "s_v0, 1, ".repeat(200) + "60)";
        assertThat(csv(view(store), List.of(), where(sums), compiler)).isEqualTo(all);
        assertThat(csv(view(store), List.of(), where("not (" + sums + ")"), compiler))
                .isEqualTo(all.lines().findFirst().orElseThrow() + "\n");
        // Each level would be written once for each sum of its list.
        String levels = "s_v0";
        for (int level = 0; level < 25; level++) {
            levels = "if(" + levels + " in (s_v0, s_v1), 1, 2)";
        }
        refused(layout, where(levels + " == 1"), "the condition is too long to be compiled");
        refused(layout, where("(".repeat(1_000)), "too many brackets within brackets");
        refused(layout, where("s_v0 + " + "-".repeat(3_000) + "1 > 0"), "where:1:");
        refused(layout, where("s_v0"), "a condition is a bool");
        refused(layout, where("s_v0 > 1 }"), "where:1:");
        refused(layout, where("s_v0 > 1; s_v0 > 2"), "where:1:");
        refused(layout, where("syslog.host == 'x'"), "`s` has no column `syslog`");
        refused(layout, where("s_v0 == null"), "a comparison with null never holds", "`not has(s_v0)`");
    }

    /** A signed literal beside an unsigned column gets a warning in definitions; a query is answered. */
    @Test
    void aQueryTakesSignedBesideUnsignedIntegers() throws CsvQueryException {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.UINT64), List.of(AggregateType.COUNT));
        SummaryStore store = Rows.store(layout);
        for (Object key : new Object[] {7L, -1L, null}) { // -1 stands for 2^64 - 1
            Rows.apply(store, Rows.key(layout, key), 1, ops -> ops.addLong(0, 1));
        }
        String key = layout.keys().get(0).name();
        CsvCompiler compiler = CsvQueryCompiler.of(List.of(layout));
        assertThat(csv(view(store), List.of(), where("coalesce(" + key + ", -1) == -1"), compiler)
                        .lines())
                .as("the header, null, and 2^64 - 1, which is null beside a signed integer")
                .hasSize(3);
    }

    /** Columns may have the names of generated variables and fields. */
    @Test
    void columnsMayHaveAnyNameInAnyFunction() throws CsvQueryException {
        for (String name : GeneratedNames.ALL) {
            SummaryLayout layout = new SummaryLayout(
                    "s",
                    0,
                    List.of(
                            new SummaryLayout.KeyColumn(name, 1, KeyType.STRING),
                            new SummaryLayout.KeyColumn(name + "2", 2, KeyType.INT64)),
                    List.of(new SummaryLayout.ValueColumn(name + "3", 1, AggregateType.SUMDOUBLE, 0, 0)),
                    List.of());
            SummaryStore store = Rows.store(layout);
            Rows.apply(store, Rows.key(layout, "a", 2L), 1, ops -> {});
            CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of());
            String all = csv(view(store), List.of(), CsvQuery.ALL, compiler);
            String condition = GeneratedNames.EXPRESSION
                    .replace("$text", '`' + name + '`')
                    .replace("$int", '`' + name + "2`")
                    .replace("$double", '`' + name + "3`");
            assertThat(csv(view(store), List.of(), where(condition), compiler))
                    .as(name)
                    .isEqualTo(all);
        }
    }

    @Test
    void aConditionMakesNoMoreOfARowThanAMebibyteOfTextAndIsNullBeyondIt() {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.INT64), List.of(AggregateType.LASTSTRING));
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of());
        SummaryStore store = Rows.store(layout);
        Rows.apply(store, Rows.key(layout, 1L), 1, ops -> Rows.addText(ops, 0, "x".repeat(60_000)));
        Rows.apply(store, Rows.key(layout, 2L), 1, ops -> Rows.addText(ops, 0, "y"));
        String chain = "s_v0 + ".repeat(150) + "s_v0";
        assertThat(csv(view(store), List.of(), where("len(" + chain + ") > 0 and s_k0 > 0"), compiler))
                .contains("2,y\n")
                .doesNotContain("1,x");
        assertThat(csv(view(store), List.of(), where("has(" + chain + ")"), compiler))
                .contains("2,y\n")
                .doesNotContain("1,x");
        assertThat(csv(view(store), List.of(), where("s_v0 + s_v0 + s_v0 + s_v0 != 'z'"), compiler))
                .contains("2,y\n", "1,x");
    }

    @Test
    void aChainOfTextsIsPutTogetherInOneCopyOfEachPart() {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.INT64), List.of(AggregateType.LASTSTRING));
        CsvQueryCompiler compiler = CsvQueryCompiler.of(List.of());
        SummaryStore store = Rows.store(layout);
        Rows.apply(store, Rows.key(layout, 1L), 1, ops -> Rows.addText(ops, 0, "x".repeat(10_000)));
        // Forty texts have 400 kB, and as much when put together; a copy for each link would be 8 MB.
        String chain = "s_v0 + ".repeat(8) + "(s_v0 + s_v0) + concat(s_v0, s_k0, s_v0 + s_v0) + " + "s_v0 + ".repeat(14)
                + "s_v0";
        assertThat(csv(view(store), List.of(), where("len(" + chain + ") == 280001"), compiler))
                .contains("1,x");
    }

    @Test
    void aConditionTooLongToCompileWhileOthersWaitIsRefused() {
        SummaryLayout layout = Rows.layout("s", List.of(KeyType.INT64), List.of(AggregateType.SUMINT32));
        String many = "s_k0*s_v0%7>1 or ".repeat(230);
        refused(layout, where(many + "s_k0 > 1"), "where: the condition is too long");
        for (CsvQuery fine : List.of(
                where("s_k0 > 1 or ".repeat(300) + "s_k0 > 1"), where("s_k0 in (" + "1, ".repeat(300) + "2)"))) {
            assertThat(csv(view(Rows.store(layout)), List.of(), fine, CsvQueryCompiler.of(List.of())))
                    .isEqualTo("s_k0,s_v0\n");
        }
    }

    private static CsvQuery where(String condition) {
        return new CsvQuery(
                List.of(),
                condition,
                List.of(),
                Long.MAX_VALUE,
                CsvProfile.RFC4180,
                Distinct.ESTIMATE,
                null,
                ExportFormat.CSV);
    }

    @Test
    void theHeaderNamesTheColumnsOfAllLevels() {
        SummaryLayout inner = Rows.layout("inner", List.of(KeyType.STRING), List.of(AggregateType.COUNT));
        SummaryLayout layout = Rows.layout("outer", List.of(KeyType.INT64), List.of(), inner);
        assertThat(Columns.of(layout, List.of(0)).all().stream()
                        .map(Column::name)
                        .collect(Collectors.joining(",")))
                .isEqualTo("outer_k0,inner_k0,inner_v0");
    }
}
