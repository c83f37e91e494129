package io.summarizer.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.demo.Rsyslogd;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real service with time windows under RELP traffic, killed; another plan each time, whose seed is printed. */
class WindowsRunTest {
    @TempDir
    Path folder;

    @Test
    @Tag("long")
    void windowsHaveEachEventOnceAfterKills() throws Exception {
        windows(2, 500, false);
    }

    @Test
    @Tag("long")
    void norDoesAnEventFromRsyslogdCountTwiceInAHundredKills() throws Exception {
        assumeTrue(Rsyslogd.find().isPresent(), "rsyslogd is not installed");
        windows(100, 1_000, true);
    }

    private void windows(int kills, long rate, boolean rsyslog) throws Exception {
        long seed = ThreadLocalRandom.current().nextInt(1_000_000_000);
        System.out.println("seed " + seed);
        RunFigures result = WindowsRun.run(
                new WindowsRun.Settings(ProjectHome.path(), folder, seed, kills, Duration.ofHours(1), rate, rsyslog),
                System.out);
        assertThat(Long.parseLong(result.cell("kills_in_traffic")) + Long.parseLong(result.cell("kills_starting")))
                .isGreaterThanOrEqualTo(kills);
        assertThat(Long.parseLong(result.cell("windows"))).isPositive();
    }
}
