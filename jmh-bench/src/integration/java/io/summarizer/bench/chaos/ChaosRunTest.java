package io.summarizer.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.summarizer.server.demo.Rsyslogd;
import java.nio.file.Files;
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
        Tally tally = run(2, 50, List.of(Kind.KILL, Kind.CUT, Kind.DAMAGED_CHECKPOINT));
        assertThat(tally.sent).isPositive();
        assertThat(tally.killsInTraffic).isEqualTo(2);
    }

    @Test
    @Tag("long")
    void norInAHundredKillsOfAllKinds() throws Exception {
        assertThat(run(100, 500, Kind.possible()).killsInTraffic).isEqualTo(100);
    }

    @Test
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

    @Test
    void daysOfWindowsAreCompleteAfterKills() throws Exception {
        long seed = ThreadLocalRandom.current().nextInt(1_000_000_000);
        System.out.println("seed " + seed);
        RunFigures result = YearRun.run(new YearRun.Settings(home(), folder, seed, 60, 1, 40), System.out);
        assertThat(result.faults()).isEmpty();
        assertThat(Long.parseLong(result.cell("events"))).isEqualTo(60 * YearEvents.AN_HOUR);
    }

    @Test
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
                new WindowsRun.Settings(home(), folder, seed, kills, Duration.ofHours(1), rate, rsyslog), System.out);
        assertThat(Long.parseLong(result.cell("kills_in_traffic")) + Long.parseLong(result.cell("kills_starting")))
                .isGreaterThanOrEqualTo(kills);
        assertThat(Long.parseLong(result.cell("windows"))).isPositive();
    }

    @Test
    void eachRecordOfKafkaCountsOnceAfterKillsOfTheServiceAndOfTheBroker() throws Exception {
        assumeTrue(Rsyslogd.find().isPresent() && Rsyslogd.hasModule("omkafka"), "no rsyslogd with omkafka");
        long seed = ThreadLocalRandom.current().nextInt(1_000_000_000);
        System.out.println("seed " + seed);
        RunFigures result = KafkaRun.run(new KafkaRun.Settings(home(), folder, seed, 2, 1, 40_000, 10_000), System.out);
        assertThat(result.cell("events")).isEqualTo("40000");
        assertThat(result.cell("broker_kills")).isEqualTo("1");
    }

    private void attack(Duration duration, List<Attack> attacks, int largeKeys) throws Exception {
        long seed = ThreadLocalRandom.current().nextInt(1_000_000_000);
        System.out.println("seed " + seed);
        RunFigures result = HostileRun.run(
                new HostileRun.Settings(home(), folder, seed, duration, 2_000, 50, attacks, largeKeys), System.out);
        assertThat(Long.parseLong(result.cell("events"))).isPositive();
        assertThat(result.faults()).isEmpty();
    }

    private Tally run(int kills, int connections, List<Kind> kinds) throws Exception {
        long seed = ThreadLocalRandom.current().nextInt(1_000_000_000);
        System.out.println("seed " + seed);
        return ChaosRun.run(
                new ChaosRun.Settings(
                        home(), folder, seed, kills, Duration.ofHours(1), 0, 5_000, connections, false, kinds),
                System.out);
    }

    private static Path home() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("config/summarizer.yaml"))) {
                return at;
            }
        }
        throw new AssertionError("no config/ above " + Path.of("").toAbsolutePath());
    }
}
