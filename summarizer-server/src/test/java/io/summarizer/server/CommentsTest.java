package io.summarizer.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Comments of all modules: Javadoc begins with a noun phrase or a verb, lines are at most 120 wide, nothing is left to
 * do, and packages import what their {@code package-info} says.
 */
class CommentsTest {
    private static final int WIDTH = 120;
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*\\s*(?:\\*\\s*)?([^*\\s][^\n]*)");
    private static final Pattern OPENING =
            Pattern.compile("(What|Where|How|Who|When|Why|That|Those|Which|Whatever|Whoever|Nothing|(As|So) many"
                    + "|(In|To|By|From|For|On) (what|which|whom))\\b.*");
    private static final Pattern COMMENT = Pattern.compile("\\s*(/?\\*|//).*|.*\\s// .*");
    private static final Pattern IMPORTS_SAID =
            Pattern.compile("\\b[Ii]mports ((?:only )?\\{@code [^.]*|no other package[^.]*)\\.");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?io\\.summarizer\\.(\\w+)\\.(\\w+)\\.\\w");
    private static final Pattern LEFT = Pattern.compile(".*\\b(TODO|FIXME|XXX)\\b.*|.*\\bfor now\\b.*");

    private static List<Path> sources() throws IOException {
        try (Stream<Path> all = Files.walk(ProjectHome.path())) {
            return all.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/"))
                    .filter(file -> !file.toString().contains("/resources/"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .filter(file -> !file.endsWith("CommentsTest.java"))
                    .toList();
        }
    }

    /**
     * Compares "Imports {@code a} and {@code b}" with the imports from packages of the same module, and "imports no
     * other package" with all imports from the project.
     */
    @Test
    void packagesImportWhatTheySay() throws IOException {
        List<String> problems = new ArrayList<>();
        int said = 0;
        for (Path info : sources()) {
            Matcher imports = IMPORTS_SAID.matcher(Files.readString(info).replaceAll("\\s*\\n \\* ?", " "));
            if (!info.endsWith("package-info.java") || !imports.find()) {
                continue;
            }
            said++;
            Set<String> named = new TreeSet<>();
            Matcher names = Pattern.compile("\\{@code (\\w+)}").matcher(imports.group(1));
            while (names.find()) {
                named.add(names.group(1));
            }
            Set<String> imported = imported(info.resolveSibling(""), named.isEmpty());
            if (!imported.equals(named)) {
                problems.add(
                        ProjectHome.path().relativize(info) + " names " + named + ", the package imports " + imported);
            }
        }
        assertThat(said).isGreaterThan(10);
        assertThat(problems).isEmpty();
    }

    /** Packages from which the files of a folder import: of the same module, or of all modules. */
    private static Set<String> imported(Path folder, boolean ofAllModules) throws IOException {
        String self = folder.getName(folder.getNameCount() - 1).toString();
        String module = folder.getName(folder.getNameCount() - 2).toString();
        Set<String> imported = new TreeSet<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Matcher line = IMPORT.matcher(Files.readString(file));
                while (line.find()) {
                    boolean sameModule = line.group(1).equals(module);
                    if (!(sameModule && line.group(2).equals(self)) && (sameModule || ofAllModules)) {
                        imported.add(line.group(2));
                    }
                }
            }
        }
        return imported;
    }

    @Test
    void commentsArePlainAndNarrow() throws IOException {
        List<Path> files = sources();
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
