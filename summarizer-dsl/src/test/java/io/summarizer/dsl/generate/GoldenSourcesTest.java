package io.summarizer.dsl.generate;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.codegen.GeneratedSource;
import io.summarizer.dsl.codegen.Names;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.dsl.model.Definitions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The sources of the example definitions, reviewed as text, and of a shop, whose definitions use the other features.
 * {@code -Dsummarizer.golden.regenerate=true} rewrites the expectations and then fails, so that it never counts as a
 * pass.
 */
class GoldenSourcesTest {
    private static final boolean REGENERATE = Boolean.getBoolean("summarizer.golden.regenerate");

    @ParameterizedTest
    @ValueSource(strings = {"demo", "shop"})
    void generatesTheSourcesOnFile(String name) throws IOException {
        Path golden = resources().resolve("generated/" + name);
        List<GeneratedSource> sources = sources(name);
        if (REGENERATE) {
            Files.createDirectories(golden);
            try (Stream<Path> old = Files.list(golden)) {
                for (Path file : old.toList()) {
                    Files.delete(file);
                }
            }
            for (GeneratedSource source : sources) {
                Files.writeString(golden.resolve(source.simpleName() + ".java"), source.text());
            }
        }
        for (GeneratedSource source : sources) {
            Path file = golden.resolve(source.simpleName() + ".java");
            assertThat(file).exists();
            assertThat(source.text()).isEqualTo(Files.readString(file));
        }
        try (Stream<Path> files = Files.list(golden)) {
            assertThat(files.map(file -> String.valueOf(file.getFileName())).toList())
                    .containsExactlyInAnyOrderElementsOf(sources.stream()
                            .map(source -> source.simpleName() + ".java")
                            .toList());
        }
        assertThat(REGENERATE)
                .as("expectations were written anew: review them, then test without the switch")
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "shop"})
    void generatesTheSameTextEachTime(String name) throws IOException {
        assertThat(sources(name)).isEqualTo(sources(name));
    }

    /** The output of {@code check --emit-java}: for events and rows, and for the CSV of whole summaries. */
    private static List<GeneratedSource> sources(String name) throws IOException {
        Definitions definitions = definitions(name);
        List<GeneratedSource> sources =
                new ArrayList<>(PlanSources.of(definitions).all());
        sources.addAll(CsvQueryCompiler.sources(definitions.summaries(), new Names()));
        return sources;
    }

    private static Definitions definitions(String name) throws IOException {
        Path schemas = projectRoot().resolve("schemas");
        List<Path> paths = switch (name) {
            case "demo" ->
                Stream.concat(files(schemas).stream(), files(schemas.resolve("demo")).stream())
                        .toList();
            default ->
                List.of(resources().resolve("generated/shop.summ"), resources().resolve("golden/shop.proto"));
        };
        Map<String, String> files = new TreeMap<>();
        for (Path path : paths) {
            files.put(String.valueOf(path.getFileName()), Files.readString(path));
        }
        return DefinitionsCompiler.check(files).definitions().orElseThrow();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> paths = Files.list(folder)) {
            return paths.filter(Files::isRegularFile).toList();
        }
    }

    private static Path resources() {
        return projectRoot().resolve("summarizer-dsl/src/test/resources");
    }

    private static Path projectRoot() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(folder.resolve("schemas"))) {
            Path parent = folder.getParent();
            if (parent == null) {
                throw new UncheckedIOException(new IOException(
                        "no folder schemas around " + Path.of("").toAbsolutePath()));
            }
            folder = parent;
        }
        return folder;
    }
}
