package io.summarizer.flink.submit;

import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.source.SourceRecord;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.datastream.DataStream;

/** The operators after the source: evaluation, owners, results. */
public interface Topology {
    /**
     * Adds the operators to a job. Runs on the client.
     *
     * @param records the records of the source; {@link SourceRecord} says who may keep a record
     * @param definitions texts of the checked definitions, by path from the definitions folder; each worker compiles
     *     the texts again
     * @param inputs names of the partitions that the source has now, each in the form {@code TOPIC-PARTITION}
     * @throws RefusedException when the definitions cannot work on a cluster
     */
    void connect(
            DataStream<SourceRecord> records, JobOptions options, Map<String, String> definitions, List<String> inputs)
            throws RefusedException;
}
