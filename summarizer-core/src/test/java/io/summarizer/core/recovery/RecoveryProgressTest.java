package io.summarizer.core.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecoveryProgressTest {
    @Test
    void shouldSayHowFarItIsAndHowFast() {
        AtomicLong nanos = new AtomicLong(5);
        RecoveryProgress progress = new RecoveryProgress(nanos::get);
        assertThat(progress.text()).isEqualTo("starting");
        progress.loading("the last checkpoint", 200);
        assertThat(progress.text()).isEqualTo("recovering: loading the last checkpoint, 0 %");
        progress.loaded(100);
        progress.loaded(99);
        assertThat(progress.text()).isEqualTo("recovering: loading the last checkpoint, 99 %");
        progress.loading("the one before", 0);
        assertThat(progress.text()).isEqualTo("recovering: loading the one before, 100 %");
        assertThat(progress.done()).isZero();
        progress.begin(1_000_000, 11_000_000);
        nanos.addAndGet(2_000_000_000);
        progress.handedOver(3_000_000, 4_499_999);
        assertThat(progress.text()).isEqualTo("recovering: 34 %, 1.5 M events/s");
        progress.handedOver(1_000_000, 2_000_000); // read again for another phase
        assertThat(progress.done()).isEqualTo(0.3499999);
        assertThat(progress.replayed()).isEqualTo(4_000_000);
        progress.handedOver(0, 12_000_000);
        progress.end();
        nanos.addAndGet(1_000_000_000);
        assertThat(progress.text()).isEqualTo("recovering: 100 %, 2.0 M events/s");
        assertThat(progress.seconds()).isEqualTo(2);
    }

    @Test
    void shouldBeDoneAtOnceWhenThereIsNothingToRead() {
        RecoveryProgress progress = new RecoveryProgress();
        progress.begin(7, 7);
        assertThat(progress.done()).isEqualTo(1);
    }
}
