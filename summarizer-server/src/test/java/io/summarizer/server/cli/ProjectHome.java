package io.summarizer.server.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The root of this project, found from the working directory of the tests. */
public final class ProjectHome {
    private ProjectHome() {}

    public static Path path() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("config/summarizer.yaml"))) {
            folder = Objects.requireNonNull(folder.getParent(), "config/summarizer.yaml not found");
        }
        return folder;
    }
}
