package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IdMemoryTest {
    private static final long HEAP = 256 << 20;

    @Test
    void shouldSayNothingOfWhatFits() {
        assertThat(IdMemory.warning(0, HEAP)).isEmpty();
        assertThat(IdMemory.warning(HEAP / 4, HEAP)).isEmpty();
    }

    @Test
    void shouldSayHowMuchItMayBeAndWhatToDo() {
        assertThat(IdMemory.warning(512L << 20, HEAP))
                .hasValueSatisfying(text -> assertThat(text)
                        .contains(
                                "512 MiB", "heap of 256 MiB", "limits.dedup-ids", "-Xmx2048m", "SUMMARIZER_JAVA_OPTS"));
    }

    @Test
    void shouldSayHowManyIdsAStartLeftOut() {
        assertThat(IdMemory.leftOut(0, 50)).isEmpty();
        assertThat(IdMemory.leftOut(1900, 50))
                .hasValueSatisfying(
                        text -> assertThat(text).contains("1,900 ids", "limits.dedup-ids is 50", "counts again"));
    }
}
