package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WindowDataTest {
    @TempDir
    private Path data;

    @Test
    void foldersThatTheServiceDidNotMakeAreLeftAlone() throws Exception {
        for (String name : List.of("a%zz", "b c", "Traffic", "lost+found")) {
            Files.createDirectories(data.resolve("windows").resolve(name));
        }
        List<String> notes = new ArrayList<>();
        WindowData.open(data, 1, notes::add);
        assertThat(notes).hasSize(2).allMatch(note -> note.endsWith("it has no name of a folder of this service"));
    }
}
