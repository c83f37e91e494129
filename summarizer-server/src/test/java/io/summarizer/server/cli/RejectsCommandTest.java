package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RejectsCommandTest {
    private static final String FRAMES = "5 first6 second";
    private static final String LOG = """
            {"time":"2026-11-20T00:00:00.000001Z","offset":0,"length":5,"topic":"t","detail":"one"}
            {"time":"2026-11-20T00:00:00.000002Z","offset":7,"length":6,"topic":"t","detail":"two"}
            """;

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int rejects(Path... files) {
        String[] arguments = new String[files.length + 1];
        arguments[0] = "rejects";
        for (int i = 0; i < files.length; i++) {
            arguments[i + 1] = files[i].toString();
        }
        return Main.run(Terminal.of(out, err), Map.of(), arguments);
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        try (OutputStream to = Files.newOutputStream(file);
                OutputStream packed = name.endsWith(".gz") ? new GZIPOutputStream(to) : to) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** With its option compress, logrotate packs files. */
    @Test
    void filesAndIndexesMayBePacked() throws IOException {
        for (String frames : List.of("payload.frames", "payload.frames.gz")) {
            for (String log : List.of("payload.log", "payload.log.gz")) {
                write(frames, FRAMES);
                write(log, LOG);
                out.reset();
                assertThat(rejects(folder))
                        .as(err.toString(StandardCharsets.UTF_8))
                        .isZero();
                assertThat(out.toString(StandardCharsets.UTF_8).lines())
                        .as("%s and %s", frames, log)
                        .hasSize(2)
                        .allMatch(line -> line.matches(".*\"detail\":\"(one|two)\".*"));
                Files.delete(folder.resolve(frames));
                Files.delete(folder.resolve(log));
            }
        }
    }

    @Test
    void aDamagedFileIsNamedAndTheOthersAreRead() throws IOException {
        byte[] damaged = {0x1f, (byte) 0x8b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        Files.write(folder.resolve("envelope.frames.gz"), damaged);
        write("limit.frames", FRAMES);
        Files.write(folder.resolve("limit.log.gz"), damaged);
        write("payload.frames.gz", FRAMES);
        write("payload.log.gz", LOG.repeat(10_000));
        Path index = folder.resolve("payload.log.gz");
        Files.write(index, Arrays.copyOf(Files.readAllBytes(index), 40));
        assertThat(rejects(folder)).isEqualTo(3);
        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .hasSize(4)
                .filteredOn(line -> line.contains("\"reason\":\"payload\""))
                .hasSize(2);
        assertThat(err.toString(StandardCharsets.UTF_8).lines())
                .hasSize(3)
                .anyMatch(line -> line.startsWith(folder.resolve("envelope.frames.gz") + ": "))
                .anyMatch(line -> line.startsWith(folder.resolve("limit.log.gz") + ": "))
                .anyMatch(line -> line.startsWith(index + ": "));
        err.reset();
        assertThat(rejects(folder.resolve("absent"))).isEqualTo(3);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("absent: no such file");
    }

    @Test
    void lostFramingIsAFailureAndAnIncompleteLastFrameIsNot() throws IOException {
        write("payload.frames", FRAMES + "9 cut");
        assertThat(rejects(folder)).isZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("ends within a frame");
        write("limit.frames", "5 first no count");
        assertThat(rejects(folder)).isEqualTo(3);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"reason\":\"payload\"");
    }
}
