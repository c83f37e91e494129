package io.summarizer.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.bench.report.Processes;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StressTest {
    @TempDir
    Path folder;

    /** Runs each test for a moment; {@code bin/bench stress} runs longer. */
    @Test
    @Tag("long")
    void noTwoActorsComeToAnOutcomeThatIsNotAcceptable() throws Exception {
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = Processes.java(
                List.of("-cp", classPath),
                "org.openjdk.jcstress.Main",
                "-r",
                folder.toString(),
                "-m",
                "quick",
                "-time",
                "200",
                "-iters",
                "1",
                "-f",
                "1",
                "-sc",
                "false");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor())
                .as("exit status of jcstress; what it saw is in the output of this test")
                .isZero();
        assertThat(folder.resolve("index.html")).exists();
    }
}
