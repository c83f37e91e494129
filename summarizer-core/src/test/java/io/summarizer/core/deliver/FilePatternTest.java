package io.summarizer.core.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.deliver.FilePattern.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FilePatternTest {
    /** 2026-11-20T00:05:00Z. */
    private static final long TIME = 1_795_132_800_000_000L + 300_000_000L;

    private static FilePattern pattern(String text) {
        return FilePattern.of(Path.of(text));
    }

    @Test
    void shouldPutPropertiesInTheirPlaces() {
        FilePattern.File file = pattern("/srv/out/{date}/{summary}/{summary}-{window}-{cut}.csv")
                .file("Traffic/hosts", TIME, 42);
        assertThat(file.folders()).containsExactly("2026-11-20", "Traffic.hosts");
        assertThat(file.name()).isEqualTo("Traffic.hosts-20261120T000500Z-42.csv");
    }

    @ParameterizedTest
    @CsvSource({
        "/srv/out/{date}/{window}.csv, /srv/out",
        "/srv/out/a-{window}.csv, /srv/out",
        "/srv/out/day={date}/x.csv, /srv/out",
        "/srv/out/latest.csv, /srv/out",
        "/{date}.csv, /"
    })
    void shouldHaveTheFolderAboveTheFirstPlaceAsBase(String text, String base) {
        assertThat(pattern(text).base()).isEqualTo(Path.of(base));
    }

    @Test
    void shouldFollowLinksBeforeDots(@TempDir Path folder) throws IOException {
        Path real = folder.toRealPath();
        Path below = Files.createDirectories(real.resolve("disk/exports"));
        Files.createSymbolicLink(real.resolve("link"), below);
        Files.createSymbolicLink(real.resolve("nowhere"), real.resolve("missing"));
        assertThat(pattern(real + "/link/../x.csv")).isEqualTo(pattern(real + "/disk/x.csv"));
        assertThat(pattern(real + "/link/./a/../x.csv")).isEqualTo(pattern(real + "/link/x.csv"));
        assertThat(pattern(real + "/nowhere/../x.csv")).isEqualTo(pattern(real + "/x.csv"));
        assertThat(pattern("/../../x.csv")).isEqualTo(pattern("/x.csv"));
    }

    @Test
    void shouldFindFoldersBelowTheBaseOnly() {
        assertThat(pattern("/srv/latest.csv").file("T", 0, 1)).isEqualTo(new FilePattern.File(List.of(), "latest.csv"));
        assertThat(pattern("/{date}/x.csv").file("T", 0, 1))
                .isEqualTo(new FilePattern.File(List.of("1970-01-01"), "x.csv"));
    }

    @Test
    void shouldMakeNoFoldersFromNamesInBackticks() {
        assertThat(pattern("/srv/{summary}.csv").file("a b*%", 0, 1).name()).isEqualTo("a+b%2A%25.csv");
    }

    @Test
    void shouldKnowItsPlaces() {
        assertThat(pattern("/srv/{summary}-{window}.csv").has(Place.WINDOW)).isTrue();
        assertThat(pattern("/srv/{summary}-{cut}.csv").has(Place.WINDOW)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/srv/{windw}.csv", "/srv/{window.csv", "/srv/window}.csv", "/srv/{}.csv", "x.csv", "/"})
    void shouldRefuseOtherBracesAndPathsWithoutFile(String text) {
        assertThatThrownBy(() -> pattern(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
