package io.summarizer.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.demo.Rsyslogd;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real service that reads what rsyslogd writes to Kafka; broker and service are killed. The seed is printed. */
class KafkaRunTest {
    @TempDir
    Path folder;

    @Test
    @Tag("long")
    void eachRecordCountsOnceAfterKillsOfTheServiceAndOfTheBroker() throws Exception {
        assumeTrue(Rsyslogd.find().isPresent() && Rsyslogd.hasModule("omkafka"), "no rsyslogd with omkafka");
        long seed = ThreadLocalRandom.current().nextInt(1_000_000_000);
        System.out.println("seed " + seed);
        RunFigures result =
                KafkaRun.run(new KafkaRun.Settings(ProjectHome.path(), folder, seed, 2, 1, 40_000, 10_000), System.out);
        assertThat(result.cell("events")).isEqualTo("40000");
        assertThat(result.cell("broker_kills")).isEqualTo("1");
    }
}
