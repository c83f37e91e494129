package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdMemoryTest {
    private static final long STATE = 256 << 20;

    @Test
    void shouldSayNothingOfWhatFits() {
        assertThat(IdMemory.warning(4_000_000, 4_000_000, STATE)).isEmpty();
    }

    @Test
    void shouldSayHowManyAreKeptAndWhatToDo() {
        assertThat(IdMemory.warning(466_033, 4_000_000, STATE))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains(
                                "466,033",
                                "4,000,000 (limits.dedup-ids)",
                                "256 MiB",
                                "-Xmx",
                                "SUMMARIZER_SERVE_JAVA_OPTS"));
    }

    @Test
    void shouldSayHowManyIdsAStartLeftOut() {
        assertThat(IdMemory.leftOut(0, 50)).isEmpty();
        assertThat(IdMemory.leftOut(1900, 50))
                .hasValueSatisfying(text ->
                        assertThat(text).contains("1,900 ids", "50 are kept (limits.dedup-ids)", "counts again"));
    }
}
