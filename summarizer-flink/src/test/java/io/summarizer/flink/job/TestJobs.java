package io.summarizer.flink.job;

import io.summarizer.core.receive.Framing;
import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Jobs without a source, for tests of single operators. */
public final class TestJobs {
    private TestJobs() {}

    /**
     * A job of one event type.
     *
     * @param proto the file {@code events.proto}, which {@code summ} imports
     * @param exports folder of the results
     */
    public static JobDefinition of(String proto, String summ, Path exports, int keyGroups) {
        JobOptions options = new JobOptions(
                new Input.Files(List.of(), Framing.AUTO),
                false,
                exports.toUri().toString(),
                1,
                Duration.ofSeconds(1),
                null,
                null,
                1,
                keyGroups,
                ZoneOffset.UTC,
                1 << 16);
        return new JobDefinition(
                Map.of("events.proto", proto, "orders.summ", summ), options, JobKeys.draw(), List.of());
    }
}
