package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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

    @Test
    void shouldTakeBackGuardsWithTheirRecords() {
        SummaryLayout layout = new SummaryLayout(
                "S", 0, List.of(new SummaryLayout.KeyColumn("k", 1, KeyType.INT64)), List.of(), List.of());
        KeyBuffer key = new KeyBuffer(new KeyLayout(layout.keys()));
        key.reset();
        key.setLong(0, 5);
        UpdateBatch batch = new UpdateBatch(64);
        for (int stamp = 1; stamp <= 3; stamp++) {
            for (int record = 0; record < 2; record++) {
                batch.guard(300, record == 0, stamp);
                batch.beginRow(0, key, key.hash(), stamp);
                batch.identify(~stamp, stamp);
                batch.endRow();
            }
        }
        int third = batch.limit() * 2 / 3;
        assertThat(UpdateBatch.isGuard(batch.bytes(), third)).isTrue();
        assertThat(UpdateBatch.isGuard(batch.bytes(), third + UpdateBatch.GUARD_BYTES))
                .isFalse();
        assertThat(UpdateBatch.tableOf(batch.bytes(), third)).isEqualTo(300);
        assertThat(UpdateBatch.isFirst(batch.bytes(), third)).isTrue();
        assertThat(UpdateBatch.highOf(batch.bytes(), third)).isEqualTo(~3);
        assertThat(UpdateBatch.lowOf(batch.bytes(), third)).isEqualTo(3);
        batch.guard(0, true, 4); // and then an error occurred
        batch.dropRecordsOf(4);
        assertThat(batch.records()).isEqualTo(6);
        batch.guard(0, true, 3);
        batch.beginRow(0, key, key.hash(), 3);
        batch.dropRecordsOf(3);
        assertThat(batch.limit()).isEqualTo(third);
        assertThat(batch.records()).isEqualTo(4);
        assertThat(batch.isGuarded()).isFalse();
    }
}
