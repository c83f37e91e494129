package io.summarizer.flink.job;

import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.source.SourceRecord;
import java.util.Map;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** Reads records and drops them. */
public final class DiscardingTopology implements Topology {
    /** Made by the service loader. */
    public DiscardingTopology() {}

    @Override
    public void connect(DataStream<SourceRecord> records, JobOptions options, Map<String, String> definitions)
            throws RefusedException {
        if (definitions.values().stream().anyMatch(text -> text.contains("refuse this"))) {
            throw new RefusedException("the definitions ask to be refused");
        }
        records.sinkTo(new DiscardingSink<>());
    }
}
