package io.summarizer.bench.sweep;

import io.summarizer.core.pipeline.PipelineOptions.Stage;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The server's defaults: the values of the configuration file, and the built-in value of every other key. Numbers of
 * workers are the defaults for this machine.
 */
public final class Defaults {
    private Defaults() {}

    /**
     * Returns the values of all factors of the server's configuration.
     *
     * @param home the project's root, whose {@code config/summarizer.yaml} applies if there is one
     * @param settings {@code key=value} settings, which override the file
     * @throws ConfigException when the file or a setting is invalid
     */
    public static Map<Factor, String> of(Path home, List<String> settings) throws ConfigException {
        Path file = home.resolve("config/summarizer.yaml");
        @Nullable Path there = Files.exists(file) ? file : null;
        ServerConfig.Pipeline config =
                ConfigLoader.load(home, there, Map.of(), settings).pipeline();
        Map<Factor, String> values = new EnumMap<>(Factor.class);
        values.put(Factor.MODE, word(config.mode()));
        stage(
                config.parse(),
                values,
                Factor.PARSE_QUEUE,
                Factor.PARSE_CAPACITY,
                Factor.PARSE_WORKERS,
                Factor.PARSE_WAIT);
        stage(
                config.summarize(),
                values,
                Factor.OWNER_QUEUE,
                Factor.OWNER_CAPACITY,
                Factor.OWNER_WORKERS,
                Factor.OWNER_WAIT);
        values.put(Factor.NETTY_WORKERS, "" + config.nettyWorkers());
        values.put(Factor.BATCH_MESSAGES, "" + config.batching().messages());
        values.put(
                Factor.LINGER_US,
                "" + TimeUnit.NANOSECONDS.toMicros(config.batching().linger().toNanos()));
        return values;
    }

    private static void stage(
            Stage stage, Map<Factor, String> values, Factor queue, Factor capacity, Factor workers, Factor wait) {
        values.put(queue, stage.queue().key());
        values.put(capacity, "" + stage.capacity());
        values.put(workers, "" + stage.workers());
        values.put(wait, word(stage.waitPolicy()));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
