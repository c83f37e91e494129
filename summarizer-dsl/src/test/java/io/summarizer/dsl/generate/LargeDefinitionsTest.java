package io.summarizer.dsl.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.codegen.GeneratedClasses;
import io.summarizer.dsl.codegen.SourceCompiler;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For definitions of any size, the classes load and no method is too long for HotSpot to compile. */
class LargeDefinitionsTest {
    private static final int HUGE_METHOD_BYTES = 8000;
    private static final int COLUMNS = 1000;

    @ParameterizedTest
    @ValueSource(strings = {"csv", "json"})
    void splitsAThousandColumns(String format) {
        compile(
                format,
                "int64 k = 1;",
                "f1",
                numbers(COLUMNS).map(i -> "sumint64 v" + i + " = " + i + ";"),
                numbers(COLUMNS).map(i -> "v" + i + " += f" + i + " * 2 + 1 where f" + i + " > 0;"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "json"})
    void splitsAThousandKeys(String format) {
        String keys = join(numbers(COLUMNS).map(i -> "int64 k" + i + " = " + i + ";"));
        CheckResult result = check(
                format,
                "summary S { key { " + keys + " } value { count n = 1; } }\nmap E into S { key { "
                        + join(numbers(COLUMNS).map(i -> "k" + i + " = f" + i + ";")) + " } n += 1; }");
        compile(result);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"f1 in (%s)", "coalesce(%s) == 1", "hash64(%s) == 1", "concat(%s) == \"x\"", "len(\"x\") in (%s)"
            })
    void splitsAThousandArguments(String condition) {
        String arguments = numbers(COLUMNS).map(i -> "f" + i + " + " + i).collect(Collectors.joining(", "));
        compile(
                "csv",
                "int64 k = 1;",
                "f1",
                numbers(1).map(i -> "count v1 = 1;"),
                numbers(1).map(i -> "v1 += 1 where " + condition.replace("%s", arguments) + ";"));
    }

    @ParameterizedTest
    @ValueSource(strings = {" + ", " or f1 == ", " and f1 < "})
    void splitsLongChains(String operator) {
        String chain = numbers(390).map(i -> "f" + i).collect(Collectors.joining(operator));
        compile(
                "csv",
                "int64 k = 1;",
                "f1",
                numbers(1).map(i -> "count v1 = 1;"),
                numbers(1).map(i -> "v1 += 1 where f1 == " + chain + ";"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"", "\u00e4"})
    void takesLongStrings(String character) {
        compile(
                "csv",
                "int64 k = 1;",
                "f1",
                numbers(1).map(i -> "count v1 = 1;"),
                numbers(1).map(i -> "v1 += 1 where string(f1) == '" + character.repeat(80_000) + "';"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"f1 in (%s)", "double(f1) in (%s)", "string(f1) in ('%s')"})
    void takesThirtyThousandLiterals(String condition) {
        String separator = condition.contains("'") ? "', '" : ", ";
        String literals = numbers(30_000).map(i -> "" + (i * 7919L - 3)).collect(Collectors.joining(separator));
        compile(
                "csv",
                "int64 k = 1;",
                "f1",
                numbers(1).map(i -> "count v1 = 1;"),
                numbers(1).map(i -> "v1 += 1 where " + condition.replace("%s", literals) + ";"));
    }

    @Test
    void splitsElementsThatAreNoLiterals() {
        String elements = numbers(5_000).map(i -> "f" + (1 + i % 9) + "+" + i).collect(Collectors.joining(","));
        compile(
                "csv",
                "int64 k = 1;",
                "f1",
                numbers(1).map(i -> "count v1 = 1;"),
                numbers(1).map(i -> "v1 += 1 where f1 in (" + elements + ");"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "string(f1) == 'x%d'",
                "extract(string(f1), 'x%d', 0) == ''",
                "concat(f1, %d) == ''",
                "hash64(f1, %d) == 1"
            })
    void takesManyFieldsOfTheirOwn(String condition) {
        compile(
                "csv",
                "int64 k = 1;",
                "f1",
                numbers(1).map(i -> "count v1 = 1;"),
                numbers(1_000).map(i -> "v1 += 1 where " + condition.replace("%d", "" + i) + ";"));
    }

    @Test
    void takesManyMappingsAndNestedKeys() {
        String nested = join(numbers(20).map(i -> "n[a = string(f" + i + ")] { v += 1; }"));
        compile(check(
                "json",
                "summary S { key { int64 k = 1; } value { summary N { key { string a = 1; } value { count v = 1; } }"
                        + " repeated N n = 1; } }\n"
                        + "map E into S { key { k = f1; } "
                                .concat(nested)
                                .concat(" }\n")
                                .repeat(300)));
    }

    @Test
    void takesSummariesWithinSummariesManyLevelsDeep() {
        String declared = "value { count c = 1; }";
        String body = "c += 1;";
        for (int level = 40; level > 0; level--) {
            String name = "N" + level;
            declared = "value { count c = 1; summary " + name + " { key { string k" + level + " = 1; } " + declared
                    + " } repeated " + name + " n = 2; }";
            body = "c += 1; n[k" + level + " = string(f1)] { " + body + " }";
        }
        compile(check(
                "json",
                "summary S { key { int64 k = 1; } " + declared + " }\nmap E into S { key { k = f1; } " + body + " }"));
    }

    @Test
    void takesManyMappingsIntoSummariesWithWindows() {
        compile(check(
                "json",
                "summary S { window t every 1h close after 1m; key { timestamp t = 1; } value { count v = 1; } }\n"
                        + "map E into S { key { t = timestamp(f1); } v += 1; }\n".repeat(900)));
    }

    private static IntStreamOfText numbers(int count) {
        return mapper -> IntStream.rangeClosed(1, count).mapToObj(mapper);
    }

    /** Numbers from 1, to be put into text. */
    @FunctionalInterface
    private interface IntStreamOfText {
        java.util.stream.Stream<String> map(java.util.function.IntFunction<String> text);
    }

    private static String join(java.util.stream.Stream<String> texts) {
        return texts.collect(Collectors.joining("\n"));
    }

    private static void compile(
            String format,
            String key,
            String keyField,
            java.util.stream.Stream<String> columns,
            java.util.stream.Stream<String> updates) {
        compile(check(
                format,
                "summary S { key { " + key + " } value {\n" + join(columns) + "\n} }\nmap E into S { key { k = "
                        + keyField + "; }\n" + join(updates) + "\n}\n"));
    }

    private static CheckResult check(String format, String definitions) {
        String fields = join(numbers(COLUMNS).map(i -> "int64 f" + i + " = " + i + ";"));
        return DefinitionsCompiler.check(Map.of(
                "e.proto",
                "syntax = \"proto3\";\nmessage E {\n" + fields + "\n}\n",
                "s.summ",
                "import \"e.proto\";\nevent E on \"e\" as " + format + ";\n" + definitions));
    }

    private static void compile(CheckResult checked) {
        assertThat(checked.diagnostics()).as(checked::render).isEmpty();
        PlanSources sources = PlanSources.of(checked.definitions().orElseThrow());
        GeneratedClasses classes = SourceCompiler.compile(sources.all());
        sources.all().forEach(source -> classes.load(source.className(), Object.class));
        assertThat(MethodSizes.largest(classes)).isLessThan(HUGE_METHOD_BYTES);
    }
}
