package io.summarizer.flink.source;

import io.summarizer.core.message.RejectReason;
import io.summarizer.flink.record.RecordSerializer;
import io.summarizer.flink.record.RecordType;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * The serializer of {@link SourceRecord}, for the case that a record crosses tasks. Stateless.
 *
 * <pre>
 *   value: int32 length (-1: null), bytes | header: same | bool has topic, UTF topic
 *   int32 partition | int64 position | int64 timestamp | int8 reject reason
 * </pre>
 */
public final class SourceRecordSerializer extends RecordSerializer<SourceRecord> {
    private static final long serialVersionUID = 1;

    /** The type of {@link SourceRecord}. */
    public static final RecordType<SourceRecord> TYPE =
            new RecordType<>(SourceRecord.class, new SourceRecordSerializer());

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public SourceRecord createInstance() {
        return new SourceRecord();
    }

    @Override
    public SourceRecord copy(SourceRecord from) {
        return new SourceRecord().copyOf(from);
    }

    @Override
    public SourceRecord copy(SourceRecord from, SourceRecord reuse) {
        return reuse.copyOf(from);
    }

    @Override
    public void serialize(SourceRecord record, DataOutputView target) throws IOException {
        target.writeInt(record.length());
        if (!record.isNull()) {
            target.write(record.bytes(), record.offset(), record.length());
        }
        byte[] header = record.header();
        target.writeInt(header == null ? -1 : header.length);
        if (header != null) {
            target.write(header);
        }
        String topic = record.topic();
        target.writeBoolean(topic != null);
        if (topic != null) {
            target.writeUTF(topic);
        }
        target.writeInt(record.partition());
        target.writeLong(record.position());
        target.writeLong(record.timestampMillis());
        target.writeByte(record.rejectReason().ordinal());
    }

    @Override
    public SourceRecord deserialize(DataInputView source) throws IOException {
        return deserialize(new SourceRecord(), source);
    }

    @Override
    public SourceRecord deserialize(SourceRecord reuse, DataInputView source) throws IOException {
        byte[] value = bytes(source);
        if (value == null) {
            reuse.nullValue();
        } else {
            reuse.value(value, 0, value.length);
        }
        reuse.header(bytes(source));
        String topic = source.readBoolean() ? source.readUTF() : null;
        return reuse.at(topic, source.readInt(), source.readLong(), source.readLong())
                .rejectReason(RejectReason.of(source.readByte()));
    }

    private static byte @Nullable [] bytes(DataInputView source) throws IOException {
        int length = source.readInt();
        if (length < 0) {
            return null;
        }
        byte[] bytes = new byte[length];
        source.readFully(bytes);
        return bytes;
    }
}
