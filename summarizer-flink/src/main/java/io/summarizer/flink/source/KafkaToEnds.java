package io.summarizer.flink.source;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A source of Kafka that reads each partition to a given end, or without end, also when the job goes on from a
 * savepoint. The partitions in a savepoint have the ends of the job that made the savepoint. The connector by itself
 * would keep these ends: a job that should end would go on, or a job that should go on would end.
 */
final class KafkaToEnds implements Source<SourceRecord, KafkaPartitionSplit, KafkaSourceEnumState> {
    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(KafkaToEnds.class);

    private final KafkaSource<SourceRecord> source;
    /** The offsets at which partitions end, by the names of the connector's splits; none for partitions without end. */
    private final HashMap<String, Long> ends;
    /** The topics that the job reads. */
    private final HashSet<String> topics;

    /**
     * A source.
     *
     * @param topics the topics that the job reads; the job's state may also have partitions of other topics
     * @param ends the offsets at which partitions end; empty to read without end
     */
    KafkaToEnds(KafkaSource<SourceRecord> source, Collection<String> topics, Map<TopicPartition, Long> ends) {
        this.source = source;
        this.topics = new HashSet<>(topics);
        this.ends = new HashMap<>();
        ends.forEach((partition, end) -> this.ends.put(KafkaPartitionSplit.toSplitId(partition), end));
    }

    private KafkaPartitionSplit toEnd(KafkaPartitionSplit split) {
        Long end = ends.get(split.splitId());
        if (end == null) {
            return new KafkaPartitionSplit(split.getTopicPartition(), split.getStartingOffset());
        }
        return new KafkaPartitionSplit(split.getTopicPartition(), split.getStartingOffset(), end);
    }

    @Override
    public Boundedness getBoundedness() {
        return source.getBoundedness();
    }

    @Override
    public SourceReader<SourceRecord, KafkaPartitionSplit> createReader(SourceReaderContext context) throws Exception {
        return reader(source.createReader(context));
    }

    SourceReader<SourceRecord, KafkaPartitionSplit> reader(SourceReader<SourceRecord, KafkaPartitionSplit> reader) {
        return new Reader(reader);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context) {
        return source.createEnumerator(context);
    }

    @Override
    public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
            SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state) throws Exception {
        if (ends.isEmpty()) {
            return source.restoreEnumerator(context, state);
        }
        EndingContext<KafkaPartitionSplit> ending = new EndingContext<>(context);
        return ending.enumerator(source.restoreEnumerator(ending, state));
    }

    @Override
    public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
        return source.getSplitSerializer();
    }

    @Override
    public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
        return source.getEnumeratorCheckpointSerializer();
    }

    /**
     * The connector's reader, which gets partitions with the ends of this source. The state may have partitions whose
     * topic the job no longer names. Such a partition stays in the state, so that a job that names the topic again goes
     * on from the partition's offset.
     */
    @SuppressWarnings("try") // Flink's interface lets close throw anything
    private final class Reader implements SourceReader<SourceRecord, KafkaPartitionSplit> {
        private final SourceReader<SourceRecord, KafkaPartitionSplit> reader;
        private final List<KafkaPartitionSplit> others = new ArrayList<>();

        Reader(SourceReader<SourceRecord, KafkaPartitionSplit> reader) {
            this.reader = reader;
        }

        @Override
        public void addSplits(List<KafkaPartitionSplit> splits) {
            List<KafkaPartitionSplit> read = new ArrayList<>();
            for (KafkaPartitionSplit split : splits) {
                if (topics.contains(split.getTopic())) {
                    read.add(toEnd(split));
                } else {
                    LOG.warn(
                            "{} is in the state of the job, and --topics does not name its topic: it is not read any"
                                    + " more, and stays at offset {}",
                            split.splitId(),
                            split.getStartingOffset());
                    others.add(split);
                }
            }
            if (!read.isEmpty()) {
                reader.addSplits(read);
            }
        }

        @Override
        public void start() {
            reader.start();
        }

        @Override
        public InputStatus pollNext(ReaderOutput<SourceRecord> output) throws Exception {
            return reader.pollNext(output);
        }

        @Override
        public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
            List<KafkaPartitionSplit> all = new ArrayList<>(reader.snapshotState(checkpointId));
            all.addAll(others);
            return all;
        }

        @Override
        public CompletableFuture<Void> isAvailable() {
            return reader.isAvailable();
        }

        @Override
        public void notifyNoMoreSplits() {
            reader.notifyNoMoreSplits();
        }

        @Override
        public void handleSourceEvents(SourceEvent event) {
            reader.handleSourceEvents(event);
        }

        @Override
        public void notifyCheckpointComplete(long checkpointId) throws Exception {
            reader.notifyCheckpointComplete(checkpointId);
        }

        @Override
        public void notifyCheckpointAborted(long checkpointId) throws Exception {
            reader.notifyCheckpointAborted(checkpointId);
        }

        @Override
        public void pauseOrResumeSplits(Collection<String> pause, Collection<String> resume) {
            reader.pauseOrResumeSplits(pause, resume);
        }

        @Override
        public void close() throws Exception {
            reader.close();
        }
    }
}
