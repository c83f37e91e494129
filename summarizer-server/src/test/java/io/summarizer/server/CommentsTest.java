package io.summarizer.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Comments of all modules: Javadoc begins with a noun phrase or a verb, lines are at most 120 wide, nothing is left to do. */
class CommentsTest {
    private static final int WIDTH = 120;
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*\\s*(?:\\*\\s*)?([^*\\s][^\n]*)");
    private static final Pattern OPENING =
            Pattern.compile("(What|Where|How|Who|When|Why|That|Those|Which|Whatever|Whoever|Nothing|(As|So) many"
                    + "|(In|To|By|From|For|On) (what|which|whom))\\b.*");
    private static final Pattern COMMENT = Pattern.compile("\\s*(/?\\*|//).*|.*\\s// .*");
    private static final Pattern LEFT = Pattern.compile(".*\\b(TODO|FIXME|XXX)\\b.*|.*\\bfor now\\b.*");

    @Test
    void commentsArePlainAndNarrow() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(ProjectHome.path())) {
            files = all.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/"))
                    .filter(file -> !file.toString().contains("/resources/"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .filter(file -> !file.endsWith("CommentsTest.java"))
                    .toList();
        }
        assertThat(files).hasSizeGreaterThan(1_000);
        List<String> problems = new ArrayList<>();
        for (Path file : files) {
            String name = ProjectHome.path().relativize(file).toString();
            problems(Files.readString(file)).forEach(problem -> problems.add(name + ": " + problem));
        }
        assertThat(problems).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/** What it does. */",
                "    /**\n     * Where rows go, and why.\n     */",
                "int a; // FIXME: later",
                "// that will do for now"
            })
    void theRulesFindWhatTheyAreFor(String text) {
        assertThat(problems(text)).hasSize(1);
    }

    private static List<String> problems(String source) {
        List<String> problems = new ArrayList<>();
        Matcher javadoc = JAVADOC.matcher(source);
        while (javadoc.find()) {
            if (OPENING.matcher(javadoc.group(1)).matches()) {
                problems.add("begin with a noun or a verb: " + javadoc.group(1));
            }
        }
        source.lines().filter(line -> COMMENT.matcher(line).matches()).forEach(line -> {
            if (line.length() > WIDTH && !line.contains("://")) {
                problems.add("wider than " + WIDTH + ": " + line);
            }
            if (LEFT.matcher(line).matches()) {
                problems.add("do it, or leave it out: " + line);
            }
        });
        return problems;
    }
}
