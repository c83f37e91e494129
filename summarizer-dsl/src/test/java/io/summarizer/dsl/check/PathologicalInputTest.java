package io.summarizer.dsl.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.dsl.diagnose.Diagnostic;
import io.summarizer.dsl.diagnose.Diagnostics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Input that no person writes gives a few errors, never an exception. */
class PathologicalInputTest {
    private static final String PROTO =
            "syntax = \"proto3\"; message E { string text = 1; int64 n = 2; bool b = 3; repeated E es = 4; }";
    private static final String FRAME = """
            import "e.proto";
            event E on "e" as json;
            summary S { key { string a = 1; } value { count n = 1; } }
            map E into S { key { a = text; } n += %s; }
            """;

    private static CheckResult check(String summ) {
        return DefinitionsCompiler.check(Map.of("a.summ", summ, "e.proto", PROTO));
    }

    private static CheckResult expression(String expression) {
        return check(FRAME.formatted(expression));
    }

    private static void isRefused(CheckResult result, String because) {
        assertThat(result.diagnostics())
                .extracting(Diagnostic::message)
                .anySatisfy(message -> assertThat(message).contains(because));
        assertThat(result.diagnostics()).hasSizeLessThanOrEqualTo(Diagnostics.MAX_KEPT);
        assertThat(result.definitions()).isEmpty();
    }

    @Test
    void bracketsWithinBracketsAreBounded() {
        assertThat(expression("(".repeat(60) + "1" + ")".repeat(60)).render()).isEmpty();
        isRefused(expression("(".repeat(30_000) + "1" + ")".repeat(30_000)), "too many brackets");
        isRefused(expression("(".repeat(30_000)), "too many brackets");
        isRefused(expression("if(b, ".repeat(10_000)), "too many brackets");
    }

    @Test
    void operatorsInAChainAreBounded() {
        assertThat(expression("1" + " + 1".repeat(400)).render()).isEmpty();
        isRefused(expression("1" + " + 1".repeat(401)), "at most 400 operators within each other");
        isRefused(expression("1" + " + 1".repeat(20_000)), "too deep");
        isRefused(expression("- ".repeat(30_000) + "n"), "too deep");
        isRefused(expression("not ".repeat(30_000) + "b"), "too deep");
        isRefused(expression("b" + " or b".repeat(20_000)), "too deep");
        isRefused(expression("b" + " and b".repeat(20_000)), "too deep");
    }

    @Test
    void chainsWithinBracketsDoNotMultiply() {
        String expression = "1";
        for (int i = 0; i < 60; i++) {
            expression = "(" + expression + " + 1".repeat(100) + ")";
        }
        isRefused(expression(expression), "too deep");
    }

    @Test
    void longPathsListsAndCallsAreNoTrouble() {
        assertThat(expression("text" + ".a".repeat(30_000)).isValid()).isFalse();
        assertThat(expression("topic" + "[0]".repeat(10_000)).isValid()).isFalse();
        assertThat(expression("if(n in (" + "1, ".repeat(20_000) + "1), 1, 0)").isValid())
                .isTrue();
        assertThat(expression("concat(" + "text, ".repeat(10_000) + "text)").isValid())
                .isTrue();
    }

    @Test
    void blocksWithinBlocksAreBounded() {
        StringBuilder loops = new StringBuilder();
        for (int i = 0; i < 1500; i++) {
            loops.append("for e in ").append(i == 0 ? "es" : "e.es").append(" { ");
        }
        isRefused(check(FRAME.formatted("1; " + loops + "n += 1; " + "}".repeat(5000) + " n += 1")), "too many blocks");
        StringBuilder summaries = new StringBuilder("summary S0 { key { int64 k0 = 1; } value { ");
        for (int i = 1; i < 70; i++) {
            summaries.append("repeated S" + i + " s = 1; summary S" + i + " { key { int64 k" + i + " = 1; } value { ");
        }
        summaries.append("count n = 1; }}".repeat(1)).append(" } }".repeat(69));
        isRefused(check(summaries.toString()), "too many blocks");
    }

    @Test
    void summariesThatMultiplyAreBounded() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            text.append("summary S" + i + " { key { int64 k" + i + " = 1; } value { ");
            text.append("repeated S" + (i + 1) + " a = 1; repeated S" + (i + 1) + " b = 2; } }\n");
        }
        text.append("summary S40 { key { int64 k = 1; } value { count n = 1; } }");
        isRefused(check(text.toString()), "too many nested summaries");
        StringBuilder chain = new StringBuilder();
        for (int i = 0; i < 900; i++) {
            chain.append(
                    "summary S" + i + " { key { int64 k" + i + " = 1; } value { repeated S" + (i + 1) + " a = 1; } }");
        }
        chain.append("summary S900 { key { int64 k = 1; } value { count n = 1; } }");
        isRefused(check(chain.toString()), "too many nested summaries");
    }

    @Test
    void manyDeclarationsAreBounded() {
        isRefused(
                check("import \"e.proto\";" + "event E on \"#\" as json;".repeat(2000)), "too many event declarations");
        StringBuilder summaries = new StringBuilder();
        for (int i = 0; i < 1500; i++) {
            summaries.append("summary S").append(i).append(" { key { int64 a = 1; } value { count n = 1; } }\n");
        }
        isRefused(check(summaries.toString()), "too many summaries");
        isRefused(
                check(FRAME.formatted("1") + "map E into S { key { a = text; } }\n".repeat(1500)), "too many mappings");
        isRefused(
                check("summary S { key { int64 a = 1; } value { " + "count n = 1; ".repeat(20_000) + "} }"),
                "too many fields");
        isRefused(
                check("summary S { key { int64 a = 1; } value { count n = 1; reserved 2" + ", 2".repeat(20_000)
                        + "; } }"),
                "too much is reserved");
    }

    @Test
    void filesAreBounded() {
        isRefused(check("//" + "x".repeat(1 << 20)), "larger than 1 MiB");
        Map<String, String> files = new HashMap<>();
        files.put("a.summ", "import \"e.proto\";");
        files.put("e.proto", "//" + "x".repeat(1 << 20));
        isRefused(DefinitionsCompiler.check(files), "larger than 1 MiB");
        String longest = "ä".repeat(40) + "1234567890.summ"; // each ä has six characters in a URL
        assertThat(DefinitionsCompiler.check(Map.of(longest, FRAME.formatted("1"), "e.proto", PROTO))
                        .definitions())
                .isPresent();
        isRefused(
                DefinitionsCompiler.check(Map.of("a" + longest, FRAME.formatted("1"), "e.proto", PROTO)),
                "it has 256 characters");
    }

    @Test
    void longTopicsAndRegexesAreBounded() {
        isRefused(check("import \"e.proto\"; event E on \"" + "#.".repeat(10_000) + "\" as json;"), "longer than 255");
        isRefused(expression("extract(text, \"" + "(".repeat(30_000) + "\", 0)"), "longer than 1000");
        isRefused(expression("extract(text, \"" + "(".repeat(999) + "\", 0)"), "the regex is wrong");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\n",
                "\0",
                "\uFEFF",
                "\uFFFF",
                "\uD800",
                "{",
                "}",
                ";",
                "}}}}",
                "{{{{",
                "(((",
                "]]]",
                "\"",
                "'",
                "`",
                "/*",
                "//",
                "\\",
                "import",
                "event",
                "summary",
                "map",
                "map map map",
                "summary {",
                "key { }",
                "import \"\";",
                "event E",
                "event E on",
                "map E into",
                "map E into S {",
                "map E into S { for",
                "...",
                "1",
                "5x",
                "\"a\"",
                "map E into S { for for in in in { } }",
                "summary `\t` { key { } }"
            })
    void scrapsGiveErrorsOrNothing(String scrap) {
        for (String text : List.of(scrap, scrap + "\n", FRAME.formatted("1") + scrap, FRAME.formatted(scrap))) {
            CheckResult result = check(text);
            assertThat(result.isValid()).isEqualTo(result.diagnostics().isEmpty());
        }
    }

    @Test
    void protoFilesThatNestOrImportForeverAreBounded() {
        Map<String, String> files = new HashMap<>();
        files.put("a.summ", "import \"a.proto\"; import \"deep.proto\"; import \"open.proto\"; import \"f0.proto\";");
        files.put("a.proto", "syntax = \"proto3\"; import \"b.proto\"; message A { B b = 1; }");
        files.put("b.proto", "syntax = \"proto3\"; import \"a.proto\"; message B { A a = 1; }");
        files.put("deep.proto", "syntax = \"proto3\"; " + "message M { ".repeat(20_000));
        files.put("open.proto", "syntax = \"proto3\"; message M { /* ");
        for (int i = 0; i < 2000; i++) {
            files.put("f" + i + ".proto", "syntax = \"proto3\"; import \"f" + (i + 1) + ".proto\";");
        }
        CheckResult result = DefinitionsCompiler.check(files);
        isRefused(result, "too many blocks within blocks");
        isRefused(result, "too many files are imported");
    }
}
