package io.summarizer.dsl.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.diagnose.Diagnostic;
import io.summarizer.dsl.generate.SummText;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.dsl.model.EventField;
import io.summarizer.dsl.model.EventType;
import io.summarizer.dsl.model.Expression;
import io.summarizer.dsl.model.Expression.Binary;
import io.summarizer.dsl.model.Expression.BinaryOperator;
import io.summarizer.dsl.model.Expression.Call;
import io.summarizer.dsl.model.Expression.Field;
import io.summarizer.dsl.model.Expression.In;
import io.summarizer.dsl.model.Expression.IntLiteral;
import io.summarizer.dsl.model.Expression.TopicWord;
import io.summarizer.dsl.model.Expression.Unary;
import io.summarizer.dsl.model.Expression.UnaryOperator;
import io.summarizer.dsl.model.Expression.Variable;
import io.summarizer.dsl.model.Mapping;
import io.summarizer.dsl.model.MessageType;
import io.summarizer.dsl.model.Statement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checked form of valid definitions. */
class DefinitionsCompilerTest {
    private static final String PROTO = """
            syntax = "proto3";
            import "google/protobuf/timestamp.proto";
            message E {
              string text = 1;
              int64 n = 2;
              uint64 u = 3;
              bool b = 4;
              double d = 5;
              google.protobuf.Timestamp time = 6;
              repeated Imp imp = 7;
              message Imp { repeated string bcat = 1; string text = 2; repeated Imp more = 3; }
              int64 in = 8;
              bool or = 9;
              bool and = 10;
              bool not = 11;
              string topic = 12;
              bool where = 13;
              repeated string for = 14;
              map<string, Imp> zones = 15;
            }
            message F { string text = 1; }
            """;

    private static Definitions definitions(String body) {
        return result(body)
                .definitions()
                .orElseThrow(() -> new AssertionError(result(body).render()));
    }

    private static CheckResult result(String body) {
        String summ = "import \"e.proto\"; event E on \"e\" as json; event F on \"f\" as text;\n"
                + "summary S { key { string a = 1; } value { count n = 1; summary T { key { string t = 1; } "
                + "value { count n = 1; } } repeated T ts = 2; } }\n" + body;
        return DefinitionsCompiler.check(Map.of("a.summ", summ, "e.proto", PROTO));
    }

    private static Expression expression(String text) {
        return expression("E", text);
    }

    private static Expression expression(String event, String text) {
        Mapping mapping = definitions("map " + event + " into S { key { a = text; } n += " + text + "; }")
                .mappings()
                .get(0);
        return ((Statement.Update) mapping.body().get(1)).operand();
    }

    /** The expression fully parenthesized, so that trees read as text. */
    private static String show(Expression expression) {
        if (expression instanceof Binary binary) {
            return "(" + show(binary.left()) + " " + binary.operator() + " " + show(binary.right()) + ")";
        }
        if (expression instanceof Unary unary) {
            return "(" + unary.operator() + " " + show(unary.operand()) + ")";
        }
        if (expression instanceof In in) {
            return "(" + show(in.operand()) + " IN "
                    + in.elements().stream().map(DefinitionsCompilerTest::show).toList() + ")";
        }
        if (expression instanceof Call call) {
            return call.function()
                    + call.arguments().stream()
                            .map(DefinitionsCompilerTest::show)
                            .toList()
                            .toString();
        }
        if (expression instanceof Field field) {
            return String.join(".", field.path().stream().map(EventField::name).toList());
        }
        if (expression instanceof IntLiteral literal) {
            return String.valueOf(literal.value());
        }
        return expression.toString();
    }

    @Test
    void operatorsBindAsDocumented() {
        assertThat(show(expression("b or b and not n + 1 * 2 < -n")))
                .isEqualTo("(b OR (b AND (NOT ((n ADD (1 MULTIPLY 2)) LT (NEGATE n)))))");
        assertThat(show(expression("1 - 2 - 3 * 4 / 5 % 6")))
                .isEqualTo("((1 SUBTRACT 2) SUBTRACT (((3 MULTIPLY 4) DIVIDE 5) REMAINDER 6))");
        assertThat(show(expression("not n in (1, 2 + 3) and b"))).isEqualTo("((NOT (n IN [1, (2 ADD 3)])) AND b)");
        assertThat(show(expression("(b or b) and b"))).isEqualTo("((b OR b) AND b)");
        assertThat(show(expression("text + 'x' + \"y\""))).contains("CONCAT");
        assertThat(show(expression("- - n"))).isEqualTo("(NEGATE (NEGATE n))");
    }

    @Test
    void aMinusBelongsToItsNumber() {
        assertThat(expression("-9223372036854775808")).isEqualTo(new IntLiteral(Long.MIN_VALUE, Expression.Type.INT));
        assertThat(show(expression("1 -2"))).isEqualTo("(1 SUBTRACT 2)");
        assertThat(show(expression("1--2"))).isEqualTo("(1 SUBTRACT -2)");
    }

    @Test
    void typesFollowTheRules() {
        assertThat(expression("n + u").type()).isEqualTo(Expression.Type.INT);
        assertThat(expression("n / n").type()).isEqualTo(Expression.Type.DOUBLE);
        assertThat(expression("n % 2.0").type()).isEqualTo(Expression.Type.DOUBLE);
        assertThat(expression("coalesce(u, 0)").type()).isEqualTo(Expression.Type.UINT);
        assertThat(expression("coalesce(u, n)").type()).isEqualTo(Expression.Type.INT);
        assertThat(expression("if(b, u, 1.5)").type()).isEqualTo(Expression.Type.DOUBLE);
        assertThat(expression("if(b, null, text)").type()).isEqualTo(Expression.Type.STRING);
        assertThat(expression("time - time").type()).isEqualTo(Expression.Type.DURATION);
        assertThat(expression("5m + time").type()).isEqualTo(Expression.Type.TIMESTAMP);
        assertThat(expression("(time - time) / 1s").type()).isEqualTo(Expression.Type.DOUBLE);
        assertThat(expression("null + 1").type()).isEqualTo(Expression.Type.NULL);
    }

    @Test
    void everyWordIsANameWhereANameMustStand() {
        assertThat(show(expression("in in (in, 1) and in + in > in")))
                .isEqualTo("((in IN [in, 1]) AND ((in ADD in) GT in))");
        assertThat(show(expression("or or and and and"))).isEqualTo("(or OR (and AND and))");
        assertThat(show(expression("not not or not"))).isEqualTo("((NOT not) OR not)");
        assertThat(show(expression("not (not)"))).isEqualTo("(NOT not)");
        assertThat(show(expression("`where` and where"))).isEqualTo("(where AND where)");
        assertThat(show(expression("not in in (99)"))).isEqualTo("(NOT (in IN [99]))");
        assertThat(show(expression("not or == or and not in < in")))
                .isEqualTo("((NOT (or EQ or)) AND (NOT (in LT in)))");
        for (String name : List.of("in", "where", "and", "or", "not", "for", "into")) {
            Definitions named = definitions("summary " + name + " { key { string a = 1; } value { count n = 1; } }\n"
                    + "map E into " + name + " where where { key { a = text; } }\n"
                    + "map E on \"e\" into " + name + " where not not { key { a = text; } }");
            assertThat(named.mappings()).extracting(Mapping::name).containsExactly("E->" + name, "E->" + name + "#2");
        }
        Mapping mapping = definitions("map E into S where where { key { a = text; } for in in for where in == in { "
                        + "n += 1 where in != \"where\"; } }")
                .mappings()
                .get(0);
        Statement.For loop = (Statement.For) mapping.body().get(1);
        assertThat(show(loop.list())).isEqualTo("for");
        // The loop variable hides the field of the same name.
        assertThat(((Binary) Objects.requireNonNull(loop.where())).left())
                .isEqualTo(new Field(new Variable(loop.id()), List.of(), Expression.Type.STRING));
    }

    @Test
    void aFieldOfTheEventHidesABuiltIn() {
        assertThat(expression("E", "topic")).isInstanceOf(Field.class);
        assertThat(expression("F", "topic")).isEqualTo(new Expression.BuiltinValue(Expression.Builtin.TOPIC));
        assertThat(expression("F", "topic[2]")).isEqualTo(new TopicWord(3));
        assertThat(expression("F", "syslog.sd[\"ev@32473\"].id"))
                .isEqualTo(new Expression.StructuredData("ev@32473", "id"));
    }

    @Test
    void aLoopThatCrossesListsBecomesNestedLoops() {
        Mapping mapping = definitions(
                        "map E into S { for b in imp.more.bcat where b != 'x' { key { a = b; } n += 1; } }")
                .mappings()
                .get(0);
        Statement.For outer = (Statement.For) mapping.body().get(0);
        Statement.For middle = (Statement.For) outer.body().get(0);
        Statement.For inner = (Statement.For) middle.body().get(0);
        assertThat(outer.where()).isNull();
        assertThat(middle.where()).isNull();
        assertThat(inner.where()).isNotNull();
        assertThat(show(outer.list()) + " " + show(middle.list()) + " " + show(inner.list()))
                .isEqualTo("imp more bcat");
        assertThat(middle.list().root()).isEqualTo(new Variable(outer.id()));
        assertThat(inner.list().root()).isEqualTo(new Variable(middle.id()));
        assertThat(List.of(outer.id(), middle.id(), inner.id())).doesNotHaveDuplicates();
        assertThat(((Statement.Key) inner.body().get(0)).columns())
                .containsExactly(new Field(new Variable(inner.id()), List.of(), Expression.Type.STRING));
    }

    @Test
    void keyColumnsComeInTheOrderOfTheSummary() {
        Definitions definitions =
                definitions("summary K { key { string x = 1; string y = 2; } value { count n = 1; } }\n"
                        + "map E into K { key { y = 'second'; x = 'first'; } n += 1; }");
        Statement.Key key = (Statement.Key) definitions.mappings().get(0).body().get(0);
        assertThat(key.columns())
                .containsExactly(new Expression.StringLiteral("first"), new Expression.StringLiteral("second"));
        assertThat(definitions.mappings().get(0).summary()).isEqualTo(1);
    }

    @Test
    void mappingsOfOnePairAreNumbered() {
        String mapping = "map E into S { key { a = text; } }\n";
        assertThat(definitions(mapping + mapping + "map F into S { key { a = text; } }")
                        .mappings())
                .extracting(Mapping::name)
                .containsExactly("E->S", "E->S#2", "F->S");
    }

    @Test
    void messagesMayBeRecursive() {
        Definitions definitions = definitions("");
        MessageType message = definitions.events().get(0).message();
        MessageType imp =
                Objects.requireNonNull(message.field("imp").orElseThrow().message());
        assertThat(imp.field("more").orElseThrow().message()).isSameAs(imp);
        EventField zones = message.field("zones").orElseThrow();
        assertThat(zones.type()).isEqualTo(EventField.Kind.MAP);
        assertThat(Objects.requireNonNull(zones.mapValue()).message()).isSameAs(imp);
    }

    @Test
    void allFilesOfAFolderShareOneNamespace(@TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("types/deep"));
        Files.writeString(folder.resolve("b.summ"), "map E into S { key { a = text; } n += 1; }");
        Files.writeString(folder.resolve("a.summ"), """
                \uFEFFimport "types/e.proto"; event E on "e" as json;\r
                summary S { key { string a = 1; } value { count n = 1; } }\r
                """);
        Files.writeString(
                folder.resolve("types/e.proto"),
                "syntax = \"proto3\"; import \"deep/f.proto\"; import \"top.proto\"; "
                        + "message E { string text = 1; F f = 2; Top top = 3; }");
        Files.writeString(folder.resolve("types/deep/f.proto"), "syntax = \"proto3\"; message F { int32 x = 1; }");
        Files.writeString(folder.resolve("top.proto"), "syntax = \"proto3\"; message Top { int32 x = 1; }");
        Files.writeString(folder.resolve("notes.txt"), "not a definition");
        CheckResult result = DefinitionsCompiler.check(folder);
        assertThat(result.render()).isEmpty();
        assertThat(result.definitions().orElseThrow().mappings()).hasSize(1);

        Files.writeString(folder.resolve("c.summ"), "map E into S { key { a = txt; } }");
        Files.write(folder.resolve("d.summ"), "// \u00e4".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(DefinitionsCompiler.check(folder).diagnostics())
                .extracting(Diagnostic::file, Diagnostic::line, Diagnostic::message)
                .containsExactly(
                        tuple(folder.resolve("c.summ").toString(), 1, "event `E` has no field `txt`"),
                        tuple(folder.resolve("d.summ").toString(), 0, "the file is not UTF-8"));
    }

    @Test
    void aSymbolicLinkThatLeavesTheFolderIsRefused(@TempDir Path around) throws IOException {
        Path folder = Files.createDirectories(around.resolve("definitions"));
        Path secret = Files.writeString(around.resolve("secret"), "root:x:0");
        Files.writeString(folder.resolve("a.summ"), "import \"e.proto\"; import \"in.proto\";");
        Files.createSymbolicLink(folder.resolve("b.summ"), secret);
        Files.createSymbolicLink(folder.resolve("c.summ"), Path.of("nowhere"));
        Files.createSymbolicLink(folder.resolve("e.proto"), Path.of("../secret"));
        Files.createDirectories(folder.resolve("deep"));
        Files.writeString(folder.resolve("deep/f.proto"), "syntax = \"proto3\";");
        Files.createSymbolicLink(folder.resolve("in.proto"), Path.of("deep/f.proto"));
        CheckResult result = DefinitionsCompiler.check(folder);
        assertThat(result.render()).doesNotContain("root");
        assertThat(result.diagnostics())
                .extracting(
                        diagnostic ->
                                diagnostic.file().substring(folder.toString().length()),
                        Diagnostic::message)
                .containsExactly(
                        tuple(
                                "/a.summ",
                                "`e.proto` is a symbolic link that leaves the definitions folder; put a copy there"),
                        tuple(
                                "/b.summ",
                                "the file is a symbolic link that leaves the definitions folder; put a copy there"),
                        tuple("/c.summ", "the file is a symbolic link to a file that does not exist"));
    }

    @Test
    void anImportThatLeavesTheFolderIsRefusedWhetherTheFileIsThereOrNot(@TempDir Path around) throws IOException {
        Path folder = Files.createDirectories(around.resolve("definitions"));
        Path deep = Files.createDirectories(folder.resolve("deep/er"));
        Files.writeString(around.resolve("secret.proto"), "root:x:0");
        Files.writeString(folder.resolve("inside.proto"), "syntax = \"proto3\"; message Inside { int32 x = 1; }");
        Files.writeString(deep.resolve("a.proto"), """
                syntax = "proto3";
                import "../../inside.proto";
                import "../../../third.proto";
                import "../absent.proto";
                """);
        Files.writeString(folder.resolve("a.summ"), """
                import "../secret.proto";
                import "../absent.proto";
                import "deep/../../second.proto";
                import "deep/er/a.proto";
                """);
        CheckResult result = DefinitionsCompiler.check(folder);
        assertThat(result.render()).doesNotContain("root");
        String leads = " leads out of the definitions folder; put a copy there";
        assertThat(result.diagnostics())
                .extracting(
                        diagnostic ->
                                diagnostic.file().substring(folder.toString().length()),
                        Diagnostic::line,
                        Diagnostic::message)
                .containsExactlyInAnyOrder(
                        tuple("/a.summ", 1, "`../secret.proto`" + leads),
                        tuple("/a.summ", 2, "`../absent.proto`" + leads),
                        tuple("/a.summ", 3, "`deep/../../second.proto`" + leads),
                        tuple("/deep/er/a.proto", 3, "`../../../third.proto`" + leads),
                        tuple("/deep/er/a.proto", 4, "there is no file `../absent.proto`"));
    }

    /** A common layout of releases. */
    @Test
    void theFolderItselfMayBeASymbolicLink(@TempDir Path around) throws IOException {
        Path release = Files.createDirectories(around.resolve("release"));
        Files.writeString(release.resolve("a.summ"), "summary S { key { int64 a = 1; } value { count n = 1; } }");
        Path link = Files.createSymbolicLink(around.resolve("definitions"), release);
        assertThat(DefinitionsCompiler.check(link).render()).isEmpty();
    }

    @Test
    void literalsFrom2To63OnAreUnsigned() {
        IntLiteral most = new IntLiteral(-1, Expression.Type.UINT);
        assertThat(expression("18446744073709551615")).isEqualTo(most);
        assertThat(expression("9223372036854775808")).isEqualTo(new IntLiteral(Long.MIN_VALUE, Expression.Type.UINT));
        assertThat(expression("9223372036854775807")).isEqualTo(new IntLiteral(Long.MAX_VALUE, Expression.Type.INT));
        assertThat(expression("coalesce(u, 18446744073709551615)").type()).isEqualTo(Expression.Type.UINT);
        assertThat(expression("if(b, 18446744073709551615, 1)").type()).isEqualTo(Expression.Type.UINT);
        assertThat(expression("if(b, 18446744073709551615, n)").type()).isEqualTo(Expression.Type.INT);
        assertThat(SummText.whole(most)).isEqualTo("18446744073709551615");
    }

    /** Any number of warnings leaves room for all errors. */
    @Test
    void warningsKeepNothingFromBeingUsed() {
        CheckResult warned = result("map E into S { key { a = text; } n += 1 where text == null; }");
        assertThat(warned.isValid()).isTrue();
        assertThat(warned.errors()).isZero();
        assertThat(warned.warnings()).hasSize(1);
        String many = "n += n / 0;\n".repeat(3_000);
        assertThat(result("map E into S { key { a = text; }\n" + many + "n += wrong; }")
                        .render())
                .contains("has no field `wrong`");
    }

    @Test
    void anEmptyFolderIsAWarning(@TempDir Path folder) {
        CheckResult empty = DefinitionsCompiler.check(folder);
        assertThat(empty.definitions()).isPresent();
        assertThat(empty.renderWarnings())
                .contains("warning")
                .contains("there is no .summ file in this folder, so no message is an event");
    }

    @Test
    void aFolderThatIsNoneIsAnError(@TempDir Path folder) throws IOException {
        assertThat(DefinitionsCompiler.check(folder.resolve("absent")).render()).contains("does not exist");
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThat(DefinitionsCompiler.check(file).render()).contains("is a file, not a folder");
        assertThat(DefinitionsCompiler.check(file).isReadable()).isFalse();
    }

    /** A missing file was not read; a file with malformed contents was. */
    @Test
    void filesThatCannotBeReadAreKnownFromThoseThatAreWrong(@TempDir Path folder) throws IOException {
        Path text = Files.write(folder.resolve("a.summ"), "// \u00e4".getBytes(StandardCharsets.ISO_8859_1));
        CheckResult wrong = DefinitionsCompiler.check(folder);
        assertThat(wrong.isValid()).isFalse();
        assertThat(wrong.isReadable()).isTrue();
        Files.delete(text);
        Files.createSymbolicLink(text, folder.resolve("gone"));
        CheckResult unreadable = DefinitionsCompiler.check(folder);
        assertThat(unreadable.isValid()).isFalse();
        assertThat(unreadable.isReadable()).isFalse();
        Files.delete(text);
        Files.writeString(text, "import \"e.proto\";");
        Files.createSymbolicLink(folder.resolve("e.proto"), folder.resolve("gone"));
        assertThat(DefinitionsCompiler.check(folder).isReadable()).isFalse();
    }

    @Test
    void simpleNamesServeWhereTheyAreUnique() {
        Map<String, String> files = new TreeMap<>();
        files.put("a.proto", "syntax = \"proto3\"; package a; message X { string s = 1; message N { string s = 1; } }");
        files.put("b.proto", "syntax = \"proto3\"; package b; message X { string s = 1; message M { string s = 1; } }");
        files.put(
                "e.summ",
                "import \"a.proto\"; import \"b.proto\"; event a.X on \"ax\" as json; event b.X on \"bx\" as json;"
                        + "event N on \"n\" as json; event X.M on \"m\" as json;");
        CheckResult result = DefinitionsCompiler.check(files);
        assertThat(result.render()).isEmpty();
        assertThat(result.definitions().orElseThrow().events())
                .extracting(EventType::name)
                .containsExactly("a.X", "b.X", "X.N", "X.M");
    }

    /** Also after a comment or a byte order mark. The places in messages are those in the file. */
    @Test
    void aProtoFileWithoutSyntaxIsProto3() {
        String fields = "message E { int64 k = 1;\n  string text = 2; optional bool b = 3; }\n";
        for (String start : List.of("", "// a comment\n", "/* a\n comment */ ", "\uFEFF", "package a;")) {
            CheckResult result = ofProto(start + fields);
            assertThat(result.render()).isEmpty();
            assertThat(result.warnings())
                    .extracting(Diagnostic::line, Diagnostic::message)
                    .containsExactly(tuple(
                            0, "without a `syntax` line protoc takes this file for proto2; here it is read as proto3"));
        }
        assertThat(ofProto(fields + "message F { strin a = 1; }").diagnostics())
                .extracting(Diagnostic::line, Diagnostic::column, Diagnostic::message)
                .containsExactly(tuple(3, 13, "unknown type `strin`"));
        assertThat(ofProto("message E { strin a = 1; }").diagnostics())
                .extracting(Diagnostic::line, Diagnostic::column, Diagnostic::message)
                .containsExactly(tuple(1, 13, "unknown type `strin`"));
        assertThat(ofProto(fields + "message F {\n int64 a 1; }").diagnostics())
                .extracting(Diagnostic::line, Diagnostic::column, Diagnostic::message)
                .containsExactly(tuple(4, 11, "expected '=' but was '1'"));
        assertThat(ofProto(fields + "message E { }").render())
                .contains("E (e.proto:3:1) is already defined at e.proto:1:1");
        assertThat(ofProto(fields + "message F { required int64 a = 1; }").render())
                .startsWith("e.proto:3:13: error: 'required' label forbidden in proto3 field declarations");
        assertThat(ofProto("package a; syntax = \"proto3\"; message E { int64 k = 1; }")
                        .render())
                .contains("'syntax' element must be the first declaration in a file");
        assertThat(ofProto("edition = \"2023\";\n" + fields).render())
                .startsWith("e.proto:1:1: error: this file is `edition 2023`; proto3 is needed for event types");
    }

    private static CheckResult ofProto(String proto) {
        return DefinitionsCompiler.check(
                Map.of("a.summ", "import \"e.proto\"; event E on \"e\" as json;", "e.proto", proto));
    }

    /** Wherever it is declared, a summary with a bound on bytes is for itself. */
    @Test
    void aSummaryWithABoundOnBytesCannotBeNested() {
        String bounded = "summary B { limit bytes = 10M; key { int64 k = 1; } value { count n = 1; } }\n";
        String around = "summary A { key { int64 k = 1; } value { count n = 1; repeated B bs = 2; } }\n";
        for (String body : List.of(bounded + around, around + bounded)) {
            assertThat(result(body).errors()).isEqualTo(1);
            assertThat(result(body).render()).contains("summary `B` has a bound on bytes and cannot be nested");
        }
    }

    @Test
    void oneMistakeMakesOneError() {
        assertThat(result("map E into S { key { a = txt; } n += txet; ts[t = tex] { n += tezt; } }")
                        .errors())
                .isEqualTo(4);
        assertThat(result("map E into S { key { a = text } n += 1; }").errors()).isEqualTo(1);
        assertThat(result(
                                "summary X { key { int64 a 1; } value { count n = 1; } }\nmap E into X { key { a = n; } n += 1; }")
                        .errors())
                .isEqualTo(1);
        assertThat(result("event Missing on \"m\" as json;\nmap Missing into S { key { a = b.c.d; } n += x; }")
                        .errors())
                .isEqualTo(1);
    }

    @Test
    void whatChecksAlsoCompiles() throws IOException {
        Path golden = ProjectRoot.resolve("summarizer-dsl/src/test/resources/golden");
        CheckResult result = DefinitionsCompiler.check(Map.of(
                "every_construct.summ", Files.readString(golden.resolve("every_construct.summ")),
                "shop.proto", Files.readString(golden.resolve("shop.proto"))));
        var plan = PlanCompiler.compile(result.definitions().orElseThrow());
        for (int event = 0; event < plan.events().size(); event++) {
            assertThat(plan.newProgram(event).counts().applied)
                    .hasSize(plan.events().get(event).mappings().size());
        }
    }

    @Test
    void operatorsOfTheModelAreAllReachable() {
        for (BinaryOperator operator : BinaryOperator.values()) {
            String text = switch (operator) {
                case OR -> "b or b";
                case AND -> "b and b";
                case EQ -> "n == n";
                case NE -> "n != n";
                case LT -> "n < n";
                case LE -> "n <= n";
                case GT -> "n > n";
                case GE -> "n >= n";
                case ADD -> "n + n";
                case CONCAT -> "text + text";
                case SUBTRACT -> "n - n";
                case MULTIPLY -> "n * n";
                case DIVIDE -> "n / n";
                case REMAINDER -> "n % n";
            };
            assertThat(((Binary) expression(text)).operator()).isEqualTo(operator);
        }
        assertThat(((Unary) expression("not b")).operator()).isEqualTo(UnaryOperator.NOT);
    }

    @Test
    void aSummaryHasTheWindowsOfItsDefinition() {
        assertThat(window("every 5m close after 2m keep 90d"))
                .isEqualTo(new SummaryWindow(
                        1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC, 120_000_000L, 90 * CalendarUnit.DAY.micros()));
        assertThat(window("every 1d zone \"Europe/Berlin\" close after 0s"))
                .isEqualTo(new SummaryWindow(
                        1, 1, CalendarUnit.DAY, ZoneId.of("Europe/Berlin"), 0, SummaryWindow.FOR_EVER));
        assertThat(window("every 6h zone \"UTC+05:30\" close after 1d"))
                .isEqualTo(new SummaryWindow(
                        1,
                        6,
                        CalendarUnit.HOUR,
                        ZoneOffset.ofHoursMinutes(5, 30),
                        CalendarUnit.DAY.micros(),
                        SummaryWindow.FOR_EVER));
    }

    @Test
    void filesAreKeptForTheLongestMonthsAndYears() {
        long day = CalendarUnit.DAY.micros();
        assertThat(window("every 1mo close after 1h keep 2w").keepMicros()).isEqualTo(14 * day);
        assertThat(window("every 1mo close after 1h keep 3mo").keepMicros()).isEqualTo(93 * day);
        assertThat(window("every 2y close after 1h keep 10y").keepMicros()).isEqualTo(3660 * day);
        assertThat(window("every 2y close after 366000d keep 1000y").closeAfterMicros())
                .isEqualTo(366_000 * day);
    }

    @Test
    void theOverflowHasTheSameWindowsAndNestedSummariesHaveNone() {
        SummaryLayout layout = definitions("""
                summary W {
                    window t every 1h close after 1m;
                    limit keys = 10 overflow = other;
                    key { timestamp t = 1; }
                    value { summary N { key { timestamp t2 = 1; } value { count n = 1; } } repeated N ns = 1; }
                }
                """).summaries().get(1);
        assertThat(layout.window()).isNotNull();
        assertThat(layout.overflow().window()).isEqualTo(layout.window());
        assertThat(layout.nested().get(0).window()).isNull();
    }

    private static SummaryWindow window(String clauses) {
        SummaryLayout layout = definitions("summary W { window t " + clauses
                        + "; key { string a = 1; timestamp t = 2; } value { count n = 1; } }")
                .summaries()
                .get(1);
        return Objects.requireNonNull(layout.window());
    }
}
