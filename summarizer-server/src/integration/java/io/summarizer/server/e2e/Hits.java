package io.summarizer.server.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Small definitions that show whether each event counts once: the summary {@code Seen} has the number of times that a
 * number came.
 */
final class Hits {
    private Hits() {}

    /** Writes the definitions to a new folder {@code definitions}, and returns this folder. */
    static Path define(Path folder) throws IOException {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("hit.proto"), "syntax = \"proto3\"; message Hit { int64 n = 1; }");
        Files.writeString(definitions.resolve("hit.summ"), """
                import "hit.proto";
                event Hit on "hit.#" as csv;
                summary Seen { key { int64 n = 1; } value { sumint32 times = 1; } }
                map Hit into Seen { key { n; } times += 1; }
                """);
        return definitions;
    }
}
