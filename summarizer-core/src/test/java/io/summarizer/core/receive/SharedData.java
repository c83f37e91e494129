package io.summarizer.core.receive;

import static org.junit.jupiter.api.Assumptions.abort;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Recorded data beside the project, which may be absent: {@code ../shared/data} of the project's root. */
final class SharedData {
    private SharedData() {}

    /** The file, or the test is skipped with a message. */
    static Path file(String name) {
        String given = System.getenv("SUMMARIZER_SHARED_DATA");
        if (given != null) {
            Path file = Path.of(given, name);
            return Files.exists(file) ? file : abort(file + " is not there");
        }
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path file = at.resolveSibling("shared").resolve("data").resolve(name);
            if (Files.exists(file)) {
                return file;
            }
        }
        return abort("no shared/data/" + name + " beside the project; SUMMARIZER_SHARED_DATA names another place");
    }

    /** The lines of a JSON lines file. */
    static List<JsonNode> jsonLines(String name) throws IOException {
        List<JsonNode> nodes = new ArrayList<>();
        ObjectMapper mapper = new ObjectMapper();
        for (String line : Files.readAllLines(file(name))) {
            nodes.add(mapper.readTree(line));
        }
        return nodes;
    }
}
