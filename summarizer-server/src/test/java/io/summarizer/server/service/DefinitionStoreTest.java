package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefinitionStoreTest {
    private static final DefinitionFiles FILES =
            new DefinitionFiles(Map.of("a.summ", "summary é {\n}\r\n", "../sub/x y.proto", "syntax", "b.summ", ""));

    @TempDir
    Path folder;

    private DefinitionStore store;

    @BeforeEach
    void open() {
        store = new DefinitionStore(folder.resolve("definitions"));
    }

    @Test
    void shouldGiveBackWhatItKept() throws Exception {
        String name = store.keep(FILES);
        assertThat(name).matches("[0-9a-f]{64}").isEqualTo(FILES.name());
        assertThat(store.keep(FILES)).isEqualTo(name);
        assertThat(store.files(name)).isEqualTo(FILES);
    }

    @Test
    void shouldNameDefinitionsByAllThatIsInThem() {
        assertThat(new DefinitionFiles(Map.of("a.summ", "b")).name())
                .isNotEqualTo(new DefinitionFiles(Map.of("a.sum", "mb")).name())
                .isNotEqualTo(new DefinitionFiles(Map.of("a.summ", "b ")).name())
                .isEqualTo(new DefinitionFiles(Map.of("a.summ", "b")).name());
    }

    @Test
    void shouldNotGiveBackAnythingElse() throws Exception {
        String name = store.keep(FILES);
        Files.writeString(folder.resolve("definitions").resolve(name).resolve("a.summ"), "summary f {}");
        assertThatThrownBy(() -> store.files(name))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("was changed");
        assertThatThrownBy(() -> store.files("0".repeat(64))).hasMessageContaining("are not in");
        assertThatThrownBy(() -> store.files("../" + name)).hasMessageContaining("are not in");
    }

    @Test
    void shouldLetGoOfWhatNobodyAsksForAnyMore() throws Exception {
        String kept = store.keep(FILES);
        String gone = store.keep(new DefinitionFiles(Map.of("a.summ", "")));
        Path own = Files.writeString(folder.resolve("definitions").resolve("notes.txt"), "mine");
        store.retain(Set.of(kept));
        assertThat(store.files(kept)).isEqualTo(FILES);
        assertThatThrownBy(() -> store.files(gone)).hasMessageContaining("are not in");
        assertThat(own).exists();
    }

    @Test
    void shouldNotTakeWhatWasDeletedByHalfForWhatItWas() throws Exception {
        String kept = store.keep(FILES);
        DefinitionFiles other = new DefinitionFiles(Map.of("a.summ", ""));
        String gone = store.keep(other);
        // An undeletable file ends the deletion in the middle.
        Path file = folder.resolve("definitions").resolve(gone).resolve("a.summ");
        Files.delete(file);
        Files.createDirectories(file.resolve("x"));
        assertThatThrownBy(() -> store.retain(Set.of(kept))).isInstanceOf(IOException.class);
        assertThat(folder.resolve("definitions").resolve(gone)).doesNotExist();
        Files.delete(folder.resolve("definitions")
                .resolve(gone + ".tmp")
                .resolve("a.summ")
                .resolve("x"));
        assertThat(store.files(store.keep(other))).isEqualTo(other);
    }

    /** All relevant files are known, imported ones included, and suffice. */
    @Test
    void shouldKeepEnoughToCompileTheSamePlan() throws Exception {
        LoadedPlan loaded = PlanLoader.load(ProjectHome.path().resolve("schemas"), List.of(ZoneOffset.UTC));
        assertThat(loaded.files().texts()).containsKeys("ads.summ", "ads.proto");
        LoadedPlan again = PlanLoader.load(store.files(store.keep(loaded.files())), List.of(ZoneOffset.UTC));
        assertThat(again.files()).isEqualTo(loaded.files());
        assertThat(again.plan().summaries()).isEqualTo(loaded.plan().summaries());
        assertThat(again.plan().events()).isEqualTo(loaded.plan().events());
    }
}
