package io.summarizer.flink.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TryProcessTest {
    @Test
    void aProcessLeavesNoTemporaryFiles(@TempDir Path folder) throws Exception {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.summ"), """
                import "t.proto";
                event Hit on "hit.#" as csv;
                summary Hits { key { string page = 1; } value { sumint64 hits = 1; } }
                map Hit into Hits { key { page; } hits += 1; }
                """);
        Files.writeString(definitions.resolve("t.proto"), "syntax = \"proto3\"; message Hit { string page = 1; }");
        Path events = Files.writeString(folder.resolve("events"), "<13>1 2026-11-20T00:00:00Z h - - hit.a - /\n");
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-UsePerfData",
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        FlinkCommand.class.getName(),
                        "try",
                        definitions.toString(),
                        "--files",
                        events.toString(),
                        "--exports",
                        folder.resolve("exports").toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(temporary).isEmptyDirectory();
    }
}
