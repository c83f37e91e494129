package io.summarizer.flink.submit;

import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.source.Sources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.ExternalizedCheckpointRetention;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.kafka.common.TopicPartition;

/** Makes the graph of a job, and the settings that its correctness depends on. Runs on the client. */
public final class JobSetup {
    private static final String CHECKPOINTS = "flink-checkpoints";

    private JobSetup() {}

    /**
     * Adds the job to an environment.
     *
     * @param definitions texts of the checked definitions by their paths from their folder
     * @throws RefusedException when the definitions cannot work on a cluster
     */
    public static void build(
            StreamExecutionEnvironment environment, JobOptions options, Map<String, String> definitions)
            throws RefusedException {
        environment.configure(settings(environment, options));
        environment.setMaxParallelism(options.keyGroups());
        if (options.parallelism() > 0) {
            environment.setParallelism(options.parallelism());
        }
        Map<TopicPartition, Long> partitions = Sources.partitions(options.input());
        List<String> inputs = partitions.keySet().stream()
                .map(partition -> partition.topic() + "-" + partition.partition())
                .sorted()
                .toList();
        JobTopology.connect(Sources.connect(environment, options, partitions), options, definitions, inputs);
    }

    /**
     * The settings of a job. Barriers are aligned. So the state of an owner belongs to one position in each partition,
     * and a checkpoint has no records in flight.
     */
    private static Configuration settings(StreamExecutionEnvironment environment, JobOptions options) {
        Configuration settings = new Configuration();
        settings.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
        settings.set(CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
        settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, options.checkpoint());
        settings.set(CheckpointingOptions.ENABLE_UNALIGNED, false);
        settings.set(CheckpointingOptions.ENABLE_CHECKPOINTS_AFTER_TASKS_FINISH, true);
        settings.set(
                CheckpointingOptions.EXTERNALIZED_CHECKPOINT_RETENTION,
                ExternalizedCheckpointRetention.RETAIN_ON_CANCELLATION);
        if (options.checkpoints() != null) {
            settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, options.checkpoints());
        } else if (environment
                .getConfiguration()
                .getOptional(CheckpointingOptions.CHECKPOINTS_DIRECTORY)
                .isEmpty()) {
            settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, below(options.exports()));
        }
        if (options.savepoint() != null) {
            settings.set(StateRecoveryOptions.SAVEPOINT_PATH, options.savepoint());
        }
        // No type of this job needs reflection. A type that does is a mistake, and Flink refuses it.
        settings.set(PipelineOptions.GENERIC_TYPES, false);
        settings.set(PipelineOptions.OBJECT_REUSE, true);
        settings.set(PipelineOptions.AUTO_WATERMARK_INTERVAL, Duration.ZERO);
        if (environment
                .getConfiguration()
                .getOptional(RestartStrategyOptions.RESTART_STRATEGY)
                .isEmpty()) {
            settings.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
        }
        return settings;
    }

    private static String below(String exports) {
        return exports.endsWith("/") ? exports + CHECKPOINTS : exports + "/" + CHECKPOINTS;
    }
}
