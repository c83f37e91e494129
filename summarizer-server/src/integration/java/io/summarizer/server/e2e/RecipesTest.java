package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.postgres.PostgresCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages under {@code docs/write/recipes} and {@code docs/pull}, each run from its first block to its last. */
class RecipesTest {
    /**
     * Reasons for which blocks of a language may not run; those of an interpreter that is installed run nevertheless.
     */
    private static final Map<String, String> NOT_RUN = Map.of(
            "conf", "is for rsyslogd, which has tests of its own",
            "console", "is a line for cron",
            "powerquery", "is for Excel, which does not run here",
            "python", "where there is no Python with pandas",
            "r", "where there is no R",
            "sql", "shows an expression that the commands beside it contain");

    @TempDir
    Path folder;

    static Stream<Path> pages() throws IOException {
        Path docs = ProjectHome.path().resolve("docs");
        List<Path> pages = new ArrayList<>();
        for (String section : List.of("write/recipes", "pull")) {
            try (Stream<Path> files = Files.list(docs.resolve(section))) {
                pages.addAll(files.filter(file -> file.toString().endsWith(".md"))
                        .filter(file -> !file.endsWith("README.md") && !file.endsWith("files.md")) // DocsTest
                        .sorted()
                        .toList());
            }
        }
        return pages.stream();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void thePageWorks(Path page) throws Exception {
        Map<String, List<String>> interpreters = interpreters();
        List<String> notRun;
        if (page.endsWith("postgresql.md")) {
            try (PostgresCluster postgres = PostgresCluster.start()) {
                notRun = Walkthrough.of(page, folder, postgres.environment(), interpreters);
            }
        } else {
            notRun = Walkthrough.of(page, folder, Map.of(), interpreters);
        }
        assertThat(notRun)
                .as("lines and languages of blocks that are not run")
                .allMatch(block -> NOT_RUN.containsKey(block.substring(block.indexOf(' ') + 1)));
    }

    private static Map<String, List<String>> interpreters() throws IOException, InterruptedException {
        Map<String, List<String>> interpreters = new HashMap<>();
        for (String python : List.of("python3", "/usr/bin/python3")) {
            if (works(python, "-c", "import pandas")) {
                interpreters.put("python", List.of(python));
            }
        }
        if (works("Rscript", "--version")) {
            interpreters.put("r", List.of("Rscript"));
        }
        return interpreters;
    }

    private static boolean works(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // there is no such program
        }
    }
}
