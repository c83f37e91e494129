package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Terminal terminal = Terminal.of(new ByteArrayOutputStream(), err);

    @Test
    void aKnownTotalGivesABarARateAndAnEstimate() {
        ProgressBar bar = new ProgressBar(terminal, "reading", 4 << 20, Units::bytes);
        assertThat(bar.line(1 << 20, 2))
                .isEqualTo("reading  ████████░░░░░░░░░░░░░░░░░░░░░░  25 %  1.0 MiB of 4.0 MiB  512 KiB/s  ETA 6.00 s");
    }

    @Test
    void anUnknownTotalGivesAmountAndRate() {
        ProgressBar bar = new ProgressBar(terminal, "reading", 0, Units::count);
        assertThat(bar.line(3000, 1.5)).isEqualTo("reading  3,000  2,000/s");
    }

    @Test
    void nothingIsDrawnWhereThereIsNoTerminal() throws InterruptedException {
        try (ProgressBar bar = new ProgressBar(terminal, "reading", 10, Units::count)) {
            Thread.sleep(120);
            bar.update(5);
        }
        assertThat(err.size()).isZero();
    }
}
