package io.summarizer.flink.source;

import io.summarizer.core.message.RejectReason;
import io.summarizer.flink.options.TopicFrom;
import org.apache.flink.api.common.serialization.DeserializationSchema.InitializationContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Fills the reader's {@link SourceRecord} from records of Kafka. Runs on the thread of the task, after the fetcher has
 * decompressed the record. Allocates nothing beyond what Kafka's client allocates.
 */
final class KafkaRecords implements KafkaRecordDeserializationSchema<SourceRecord> {
    private static final long serialVersionUID = 1;

    private final @Nullable String header;

    @SuppressWarnings("NullAway.Init") // open sets it
    private transient SourceRecord record;

    KafkaRecords(TopicFrom topicFrom) {
        header = topicFrom.kind() == TopicFrom.Kind.HEADER ? topicFrom.header() : null;
    }

    @Override
    public void open(InitializationContext context) {
        record = new SourceRecord();
    }

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> from, Collector<SourceRecord> out) {
        SourceRecord record = this.record;
        byte[] value = from.value();
        if (value == null) {
            record.nullValue();
        } else {
            record.value(value, 0, value.length);
        }
        if (header != null) {
            Header found = from.headers().lastHeader(header);
            record.header(found == null ? null : found.value());
        }
        out.collect(record.at(from.topic(), from.partition(), from.offset(), from.timestamp())
                .rejectReason(RejectReason.NONE));
    }

    @Override
    public TypeInformation<SourceRecord> getProducedType() {
        return SourceRecordSerializer.TYPE;
    }
}
