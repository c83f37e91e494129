package io.summarizer.dsl.check;

import java.nio.file.Files;
import java.nio.file.Path;

/** Finds the folders of the project from any working folder of the tests. */
final class ProjectRoot {
    private ProjectRoot() {}

    /** A folder or file at the top of the project. */
    static Path resolve(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve("summarizer-dsl"))) {
                return at.resolve(name);
            }
        }
        throw new IllegalStateException("no project around " + Path.of("").toAbsolutePath());
    }
}
