package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.recovery.RecoveryProgress;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ReadinessTest {
    private final RecoveryProgress progress = new RecoveryProgress();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Readiness readiness = new Readiness(progress, stopping);

    @Test
    void shouldSayHowFarAStartIsBeforeThereIsAnythingElseToAsk() {
        assertThat(readiness.notReady()).contains("starting");
        progress.loading("the last checkpoint", 4);
        progress.loaded(1);
        assertThat(readiness.notReady()).contains("recovering: loading the last checkpoint, 25 %");
    }

    @Test
    void shouldSayThatItStopsWhateverElseIsTheCase() {
        stopping.set(true);
        assertThat(readiness.notReady()).contains("stopping");
    }
}
