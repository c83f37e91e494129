package io.summarizer.flink.source;

import io.summarizer.flink.options.StartAt;
import java.util.Collection;
import java.util.Map;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.TopicPartition;

/**
 * The places where a job without state begins. There is no reset policy: when the broker has deleted records that the
 * job has not read, the job fails, and does not skip them silently.
 */
final class PartitionStarts implements OffsetsInitializer {
    private static final long serialVersionUID = 1;

    private final OffsetsInitializer places;

    PartitionStarts(StartAt start) {
        places = switch (start.kind()) {
            case EARLIEST -> OffsetsInitializer.earliest();
            case LATEST -> OffsetsInitializer.latest();
            case TIME -> OffsetsInitializer.timestamp(start.millis());
        };
    }

    @Override
    public Map<TopicPartition, Long> getPartitionOffsets(
            Collection<TopicPartition> partitions, PartitionOffsetsRetriever retriever) {
        return places.getPartitionOffsets(partitions, retriever);
    }

    @Override
    @SuppressWarnings("deprecation") // the connector's interface has it
    public OffsetResetStrategy getAutoOffsetResetStrategy() {
        return OffsetResetStrategy.NONE;
    }
}
