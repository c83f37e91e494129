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

/** A real service that hostile clients attack while others send; another plan each time, whose seed is printed. */
class HostileRunTest {
    @TempDir
    Path folder;

    @Test
    @Tag("long")
    void hostileClientsNeitherEndItNorChangeItsNumbers() throws Exception {
        attack(
                Duration.ofSeconds(1),
                List.of(Attack.RESETS, Attack.LARGE_KEYS_RELP, Attack.UNFINISHED_REQUESTS, Attack.REGEX_QUERIES),
                300);
    }

    @Test
    @Tag("long")
    void norDoAllKindsOfAttacks() throws Exception {
        attack(Duration.ofMinutes(2), List.of(Attack.values()), HostileRun.LARGE_KEYS);
    }

    private void attack(Duration duration, List<Attack> attacks, int largeKeys) throws Exception {
        long seed = ThreadLocalRandom.current().nextInt(1_000_000_000);
        System.out.println("seed " + seed);
        RunFigures result = HostileRun.run(
                new HostileRun.Settings(ProjectHome.path(), folder, seed, duration, 2_000, 50, attacks, largeKeys),
                System.out);
        assertThat(Long.parseLong(result.cell("events"))).isPositive();
        assertThat(result.faults()).isEmpty();
    }
}
