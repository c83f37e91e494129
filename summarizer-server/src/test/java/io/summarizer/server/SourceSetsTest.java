package io.summarizer.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Source sets of all modules: each has the tests of one technique, which {@code bin/test --only} runs alone. */
class SourceSetsTest {
    private static final Pattern TEST = Pattern.compile(".*/src/(test|integration|fuzz|simulation|lincheck)/java/.*");
    /** Names of the classes that start services, servers or other processes. */
    private static final Pattern STARTS = Pattern.compile("\\b(ProcessBuilder|SummarizerService|RunningService"
            + "|ServeProcess|PostgresCluster|KafkaBroker|FlinkCluster|ServerMeasurer|ChaosRun|HostileRun|YearRun"
            + "|KafkaRun)\\b");

    private static final Pattern FUZZES = Pattern.compile("(?m)^ *@FuzzTest\\b");

    @Test
    void everyTestIsInTheSetOfItsTechnique() throws IOException {
        List<String> sets = new ArrayList<>();
        List<String> misplaced = new ArrayList<>();
        try (Stream<Path> all = Files.walk(ProjectHome.path())) {
            for (Path file : all.filter(file -> TEST.matcher(file.toString()).matches())
                    .filter(file -> file.toString().endsWith(".java") && !file.endsWith("SourceSetsTest.java"))
                    .toList()) {
                String path = ProjectHome.path().relativize(file).toString();
                String set = TEST.matcher(file.toString()).replaceAll("$1");
                sets.add(set);
                if (!belongs(set, String.valueOf(file.getFileName()), Files.readString(file))) {
                    misplaced.add(path);
                }
            }
        }
        assertThat(sets).contains("test", "integration", "fuzz", "simulation", "lincheck");
        assertThat(misplaced).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "test, ATest.java, new ProcessBuilder()",
        "simulation, ASimulationTest.java, RunningService.start()",
        "test, AFuzzTest.java, '    @FuzzTest(maxDuration = \"1m\")'",
        "fuzz, AFuzzTest.java, '    @Test'",
        "test, ASimulationTest.java, ''",
        "simulation, ATest.java, ''",
        "fuzz, ALincheckTest.java, '    @FuzzTest'",
        "lincheck, ATest.java, ''"
    })
    void theRulesFindWhatTheyAreFor(String set, String file, String source) {
        assertThat(belongs(set, file, source)).isFalse();
    }

    private static boolean belongs(String set, String file, String source) {
        boolean isTest = file.endsWith("Test.java");
        return (set.equals("integration") || !STARTS.matcher(source).find())
                && (set.equals("fuzz") && isTest) == FUZZES.matcher(source).find()
                && (set.equals("simulation") && isTest) == file.endsWith("SimulationTest.java")
                && (set.equals("lincheck") && isTest) == file.endsWith("LincheckTest.java");
    }
}
