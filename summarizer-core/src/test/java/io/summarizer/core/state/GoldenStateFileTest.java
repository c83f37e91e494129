package io.summarizer.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.summarizer.core.store.Summaries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file of each version of the format, written when that version was current. They stay as they are for good: whoever has
 * such a file must be able to read it. {@code -Dgolden.state=DIR} writes those of the present version there, and fails.
 */
class GoldenStateFileTest {
    @TempDir
    private Path folder;

    @Test
    void shouldReadVersion1() throws Exception {
        String directory = System.getProperty("golden.state");
        if (directory != null) {
            StateWriter.write(StateFileTest.small().freeze(7, 8), Path.of(directory, "version-1.state"), 1);
            Files.write(Path.of(directory, "version-1.txt"), States.dump(StateFileTest.small()));
            fail("written to " + directory + "; nothing was tested");
        }
        Path file = folder.resolve("version-1.state");
        Files.write(file, resource("version-1.state"));
        Path text = folder.resolve("version-1.txt");
        Files.write(text, resource("version-1.txt"));
        Summaries read = States.empty(List.of(StateFileTest.everything()));
        States.load(file, read);
        assertThat(String.join("\n", States.dump(read)) + "\n").isEqualTo(Files.readString(text));
    }

    private static byte[] resource(String name) throws java.io.IOException {
        try (var in = GoldenStateFileTest.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }
}
