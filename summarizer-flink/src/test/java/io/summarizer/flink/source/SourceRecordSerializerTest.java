package io.summarizer.flink.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.RejectReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class SourceRecordSerializerTest {
    private static final List<SourceRecord> RECORDS = List.of(
            new SourceRecord().nullValue().at("orders", 3, 1L << 40, 1_700_000_000_123L),
            new SourceRecord().value(bytes("..value."), 2, 5).at(null, 0, 0, -1).rejectReason(RejectReason.OVERSIZE),
            new SourceRecord().value(bytes(""), 0, 0).header(bytes("")).at("t", 7, 9, 0),
            new SourceRecord()
                    .value(bytes("v"), 0, 1)
                    .header(bytes("ad.click.v1"))
                    .at("t", 7, 9, 0));

    private final TypeSerializer<SourceRecord> serializer =
            SourceRecordSerializer.TYPE.createSerializer(new SerializerConfigImpl());

    @Test
    void aRecordIsReadAsItWasWritten() throws IOException {
        SourceRecord reused = serializer.createInstance();
        for (SourceRecord record : RECORDS) {
            DataOutputSerializer out = new DataOutputSerializer(8);
            serializer.serialize(record, out);
            DataOutputSerializer copied = new DataOutputSerializer(8);
            serializer.copy(new DataInputDeserializer(out.getCopyOfBuffer()), copied);
            DataInputDeserializer in = new DataInputDeserializer(copied.getCopyOfBuffer());
            assertEqual(serializer.deserialize(reused, in), record);
            assertThat(in.available()).isZero();
        }
    }

    @Test
    void aCopyHasArraysOfItsOwn() {
        for (SourceRecord record : RECORDS) {
            SourceRecord copy = serializer.copy(record);
            assertEqual(copy, record);
            assertEqual(serializer.copy(record, copy), record);
            if (record.length() > 0) {
                assertThat(copy.bytes()).isNotSameAs(record.bytes());
            }
            if (record.header() != null) {
                assertThat(copy.header()).isNotSameAs(record.header());
            }
        }
    }

    @Test
    void aJobMayUseItWithoutGenericTypes() {
        SerializerConfigImpl config = new SerializerConfigImpl();
        config.setGenericTypes(false);
        assertThat(SourceRecordSerializer.TYPE.createSerializer(config))
                .isInstanceOf(SourceRecordSerializer.class)
                .isEqualTo(serializer)
                .isSameAs(serializer.duplicate());
        assertThat(serializer.snapshotConfiguration().restoreSerializer()).isEqualTo(serializer);
    }

    private static void assertEqual(SourceRecord actual, SourceRecord expected) {
        assertThat(value(actual)).isEqualTo(value(expected));
        assertThat(actual.header()).isEqualTo(expected.header());
        assertThat(actual.topic()).isEqualTo(expected.topic());
        assertThat(actual.partition()).isEqualTo(expected.partition());
        assertThat(actual.position()).isEqualTo(expected.position());
        assertThat(actual.timestampMillis()).isEqualTo(expected.timestampMillis());
        assertThat(actual.rejectReason()).isEqualTo(expected.rejectReason());
    }

    private static String value(SourceRecord record) {
        return record.isNull()
                ? "null"
                : "'" + new String(record.bytes(), record.offset(), record.length(), StandardCharsets.UTF_8) + "'";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
