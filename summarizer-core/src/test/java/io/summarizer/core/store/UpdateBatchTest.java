package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class UpdateBatchTest {
    private static final int MOST = Integer.MAX_VALUE - 8;

    @Test
    void growsByDoublingAsFarAsArraysGo() {
        assertThat(UpdateBatch.grown(1024, 1025)).isEqualTo(2048);
        assertThat(UpdateBatch.grown(1024, 5000)).isEqualTo(5000);
        assertThat(UpdateBatch.grown(1 << 30, (1 << 30) + 1)).isEqualTo(MOST);
        assertThat(UpdateBatch.grown(1 << 30, MOST)).isEqualTo(MOST);
    }

    @Test
    void saysThatItIsFullInsteadOfWrapping() {
        assertThatThrownBy(() -> UpdateBatch.grown(1 << 30, 1L + MOST))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("2147483640 bytes")
                .hasMessageContaining("at most 2147483639");
    }
}
