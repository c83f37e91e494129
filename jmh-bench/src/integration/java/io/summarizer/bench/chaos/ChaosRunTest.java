package io.summarizer.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.ProjectHome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real services under RELP traffic, killed, cut off and damaged; another plan each time, whose seed is printed. */
class ChaosRunTest {
    @TempDir
    Path folder;

    @Test
    void nothingAcknowledgedIsLostOrCountedTwice() throws Exception {
        RunFigures figures = run(2, 50, List.of(Kind.KILL, Kind.CUT, Kind.DAMAGED_CHECKPOINT));
        assertThat(Long.parseLong(figures.cell("events"))).isPositive();
        assertThat(figures.cell("kills_in_traffic")).isEqualTo("2");
    }

    @Test
    @Tag("long")
    void norInAHundredKillsOfAllKinds() throws Exception {
        assertThat(run(100, 500, Kind.possible()).cell("kills_in_traffic")).isEqualTo("100");
    }

    private RunFigures run(int kills, int connections, List<Kind> kinds) throws Exception {
        long seed = ThreadLocalRandom.current().nextInt(1_000_000_000);
        System.out.println("seed " + seed);
        return ChaosRun.run(
                new ChaosRun.Settings(
                        ProjectHome.path(),
                        folder,
                        seed,
                        kills,
                        Duration.ofHours(1),
                        0,
                        5_000,
                        connections,
                        false,
                        kinds),
                System.out);
    }
}
