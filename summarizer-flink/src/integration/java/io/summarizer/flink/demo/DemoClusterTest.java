package io.summarizer.flink.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.summarizer.flink.cli.FlinkCommand;
import io.summarizer.flink.cluster.FlinkCluster;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code demo --flink}, and {@code demo} over the same events, whose tables have to be the same. */
@SuppressWarnings("NullAway.Init") // JUnit sets the folder
class DemoClusterTest {
    private static final String HOME = "summarizer.home";
    private static final int USERS = 2;

    @TempDir
    Path home;

    private final @Nullable String before = System.getProperty(HOME);
    private final Set<Long> processes = processes();

    /** Makes a home of links into this project, with a script that runs the classes of the test. */
    @BeforeEach
    void makeHome() throws IOException {
        for (String name : List.of("schemas", "config", "pom.xml", "target")) {
            Files.createSymbolicLink(home.resolve(name), ProjectHome.path().resolve(name));
        }
        Path app = Files.createDirectory(home.resolve("app"));
        Files.createSymbolicLink(app.resolve("kafka"), ProjectHome.path().resolve("summarizer-flink/target/kafka-lib"));
        Files.createSymbolicLink(
                Files.createDirectory(app.resolve("cluster")).resolve("job.jar"), FlinkCluster.jobJar());
        Path script = Files.createDirectory(home.resolve("bin")).resolve("summarizer");
        Files.writeString(script, """
                #!/bin/sh
                shift
                exec %s/bin/java -Xmx512m $SUMMARIZER_JAVA_OPTS -Dsummarizer.app=%s -cp '%s' %s "$@"
                """.formatted(
                        System.getProperty("java.home"),
                        app,
                        System.getProperty("java.class.path"),
                        FlinkCommand.class.getName()));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        System.setProperty(HOME, home.toString());
    }

    @AfterEach
    void restoreHome() {
        if (before == null) {
            System.clearProperty(HOME);
        } else {
            System.setProperty(HOME, before);
        }
    }

    @Test
    @Tag("long")
    void aClusterInOneProcessShowsTheTableOfTheDemoAndLeavesNothingBehind() throws IOException {
        assertThat(demonstrate("demo", "--flink", "--exit", "--one-process")).contains("a cluster in one process");
    }

    @Test
    @Tag("long")
    void aClusterOfProcessesShowsTheTableOfTheDemoAndLeavesNothingBehind() throws IOException {
        assumeTrue(Files.exists(home.resolve("target/flink/version")), "bin/test --all unpacks Flink");
        assertThat(demonstrate("demo", "--flink", "--exit")).contains("a JobManager and two TaskManagers");
    }

    private String demonstrate(String... arguments) throws IOException {
        Commands.Outcome outcome = Commands.run(arguments);
        assertThat(outcome.exit()).as(outcome.err() + outcome.out()).isZero();
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .contains("200,000 events; lag 0 events", "/summaries/CampaignDetails/interactions.csv", "Try next");
        assertThat(table(outcome.out()))
                .hasSize(10)
                .isEqualTo(table(Commands.run("demo", "--exit").out()));
        assertThat(processes()).isSubsetOf(processes);
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(
                Path.of(System.getProperty("java.io.tmpdir")),
                "summarizer-demo-" + ProcessHandle.current().pid() + "-*")) {
            assertThat(folders).isEmpty();
        }
        return outcome.out();
    }

    /** The rows of the table without the distinct users, which are estimates that differ with the job's seed. */
    private static List<List<String>> table(String printed) {
        return printed.lines()
                .filter(line -> line.matches(" +\\d+( +[0-9,]+){4}( +[0-9,]+\\.\\d\\d){2}"))
                .map(line -> {
                    List<String> cells =
                            new ArrayList<>(Arrays.asList(line.strip().split(" +")));
                    cells.remove(USERS);
                    return cells;
                })
                .toList();
    }

    private static Set<Long> processes() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).collect(Collectors.toSet());
    }
}
