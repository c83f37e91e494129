package io.summarizer.dsl.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Error texts, reviewed as text: each {@code NAME.summ} of the golden folder is checked together with all its
 * {@code .proto} files, and the errors are those of {@code NAME.expected}, which is empty for valid definitions.
 * {@code -Dsummarizer.golden.regenerate=true} rewrites the expectations and then fails, so that it never counts as a
 * pass.
 */
class GoldenErrorsTest {
    private static final boolean REGENERATE = Boolean.getBoolean("summarizer.golden.regenerate");

    @TestFactory
    Stream<DynamicTest> errorsAreAsReviewed() {
        Path folder = ProjectRoot.resolve("summarizer-dsl/src/test/resources/golden");
        Map<String, String> shared = new TreeMap<>();
        for (Path proto : list(folder, ".proto")) {
            shared.put(name(proto), read(proto));
        }
        List<Path> goldens = list(folder, ".summ");
        assertThat(goldens).isNotEmpty();
        return goldens.stream().map(golden -> DynamicTest.dynamicTest(name(golden), () -> check(golden, shared)));
    }

    private static void check(Path golden, Map<String, String> shared) throws IOException {
        Map<String, String> files = new TreeMap<>(shared);
        files.put(name(golden), read(golden));
        CheckResult result = DefinitionsCompiler.check(files);
        Path expected = golden.resolveSibling(name(golden).replace(".summ", ".expected"));
        if (REGENERATE) {
            Files.writeString(expected, rendered(result));
        }
        assertThat(rendered(result)).isEqualTo(read(expected));
        assertThat(result.isValid()).isEqualTo(result.diagnostics().isEmpty());
        assertThat(REGENERATE)
                .as("expectations were written anew: review them, then test without the switch")
                .isFalse();
    }

    /** Errors, then warnings. */
    private static String rendered(CheckResult result) {
        return Stream.of(result.render(), result.renderWarnings())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    private static List<Path> list(Path folder, String suffix) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> name(file).endsWith(suffix)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
