package io.summarizer.flink.source;

import java.util.Collection;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * The ends of partitions at the start of a job, as numbers. Numbers are part of checkpoints; the connector's own {@link
 * OffsetsInitializer#latest()} would look at the ends again after each recovery.
 */
final class PartitionEnds implements OffsetsInitializer {
    private static final long serialVersionUID = 1;

    @Override
    public Map<TopicPartition, Long> getPartitionOffsets(
            Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
        return retriever.endOffsets(partitions);
    }

    @Override
    @SuppressWarnings("deprecation") // the connector's interface has it
    public OffsetResetStrategy getAutoOffsetResetStrategy() {
        return OffsetResetStrategy.NONE;
    }
}
