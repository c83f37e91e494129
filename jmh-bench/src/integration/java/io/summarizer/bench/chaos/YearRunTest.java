package io.summarizer.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.ProjectHome;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hours of events through a real service that is killed; another plan each time, whose seed is printed. */
class YearRunTest {
    @TempDir
    Path folder;

    @Test
    @Tag("long")
    void daysOfWindowsAreCompleteAfterKills() throws Exception {
        long seed = ThreadLocalRandom.current().nextInt(1_000_000_000);
        System.out.println("seed " + seed);
        RunFigures result = YearRun.run(new YearRun.Settings(ProjectHome.path(), folder, seed, 60, 1, 40), System.out);
        assertThat(result.faults()).isEmpty();
        assertThat(Long.parseLong(result.cell("events"))).isEqualTo(60 * YearEvents.AN_HOUR);
    }
}
