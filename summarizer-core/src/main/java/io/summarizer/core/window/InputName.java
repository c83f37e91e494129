package io.summarizer.core.window;

import io.summarizer.core.message.KafkaRange.Partition;

/**
 * Names of the inputs of windows in a service: the pipelines and the Kafka partitions. The name of a pipeline contains
 * a space, and the name of a Kafka partition does not, so the names differ. Stateless.
 */
public final class InputName {
    private static final String PIPELINE = "pipeline ";

    private InputName() {}

    /** Name of a pipeline, for messages that are not from Kafka. */
    public static String ofPipeline(int pipeline) {
        return PIPELINE + pipeline;
    }

    /** Name of a Kafka partition. The names do not change when a topic is deleted and created again. */
    public static String of(Partition partition) {
        return partition.toString();
    }

    /** Whether an input is a pipeline. */
    public static boolean isPipeline(String input) {
        return input.startsWith(PIPELINE);
    }
}
