package io.summarizer.dsl.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.dsl.PlanCompiler;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.export.GeneratedNames;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** With any names in definitions, their classes compile: no name hides one that the code needs. */
class ClashingNamesTest {
    @Test
    void fieldsListsAndColumnsMayBeCalledLikeVariables() {
        for (String name : GeneratedNames.ALL) {
            compile(name, definitions(name), "E");
        }
    }

    @Test
    void eventsAndSummariesMayBeCalledLikeTypes() {
        for (String name :
                List.of("Json", "Csv", "Mapping", "Text", "Open", "Event", "Row", "String", "Object", "Key")) {
            compile(name, """
                    summary %1$s { key { int64 k = 1; } value { count n = 1; sumdouble d = 2; } }
                    map E into %1$s { key { k = a2; } n += 1 where hash64(a, topic) != 1; d += a3; }
                    """.formatted(name), name);
        }
    }

    @Test
    void columnsMayHaveNamesThatJavaDoesNotAllow() {
        compile("a", """
                summary S {
                    key { string `4k` = 1; }
                    value { count `5xx` = 1; laststring `a"b` = 2; firststring `dir\\user` = 3; laststring `x\\` = 4; }
                }
                map E into S { key { `4k` = a; } `5xx` += 1; `a"b` += a; `dir\\user` += a; `x\\` += a; }
                """, "E");
    }

    private static String definitions(String name) {
        String expression = GeneratedNames.EXPRESSION
                .replace("$text", '`' + name + '`')
                .replace("$int", '`' + name + "2`")
                .replace("$double", '`' + name + "3`");
        String loop = """
                for `%1$s` in `%1$ss` where hash64(`%1$s`, syslog.sd["x@1"].`%1$s`, topic) != 1 {
                    nested[`%1$s7` = `%1$s`] where `%1$s` + topic[1] != "z" { nested_n += 1; nested_text += `%1$s` + "x"; }
                }
                """;
        return """
                summary S {
                    key { string `%1$s` = 1; int64 `%1$s2` = 2; }
                    value {
                        count `%1$s4` = 1;
                        multiset64 `%1$s5` = 2;
                        sumcurrency `%1$s6` = 3;
                        summary N { key { string `%1$s7` = 1; } value { count nested_n = 1; laststring nested_text = 2; } }
                        repeated N nested = 4;
                    }
                }
                map E into S where %2$s {
                    key { `%1$s`; `%1$s2`; }
                    `%1$s4` += 1 where hash64(`%1$s`, syslog.sd["x@1"].`%1$s`) != 1;
                    `%1$s5` += hash64(`%1$s`, `%1$s2`, `%1$s3`, syslog.host, topic, topic[1]);
                    `%1$s6` += if(`%1$s2` > 1, `%1$s3`, coalesce(`%1$s2`, 5));
                    %3$s
                }
                """.formatted(name, expression, loop.formatted(name));
    }

    private static void compile(String name, String summary, String event) {
        String column = event.equals("E") ? name : "a";
        // A .proto file has no quotes for names, and needs none.
        CheckResult checked = DefinitionsCompiler.check(Map.of(
                "e.proto",
                "syntax = \"proto3\";\nmessage " + event + " { string " + column + " = 1; int64 " + column
                        + "2 = 2; double " + column + "3 = 3; repeated string " + column + "s = 4; }\n",
                "s.summ",
                "import \"e.proto\";\nevent " + event + " on \"e\" as json;\n"
                        + summary.replace("map E ", "map " + event + " ")));
        assertThat(checked.diagnostics())
                .as(() -> name + ": " + checked.render())
                .isEmpty();
        PlanCompiler.compile(checked.definitions().orElseThrow()).newProgram(0);
    }
}
