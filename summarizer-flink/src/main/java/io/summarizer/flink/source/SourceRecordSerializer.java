package io.summarizer.flink.source;

import io.summarizer.core.message.RejectReason;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
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
public final class SourceRecordSerializer extends TypeSerializer<SourceRecord> {
    private static final long serialVersionUID = 1;

    /** The only serializer that is needed. */
    static final SourceRecordSerializer INSTANCE = new SourceRecordSerializer();

    @Override
    public boolean isImmutableType() {
        return false;
    }

    @Override
    public TypeSerializer<SourceRecord> duplicate() {
        return this;
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
    public int getLength() {
        return -1;
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

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
        serialize(deserialize(source), target);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SourceRecordSerializer;
    }

    @Override
    public int hashCode() {
        return SourceRecordSerializer.class.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<SourceRecord> snapshotConfiguration() {
        return new Snapshot();
    }

    /** The snapshot of a serializer without settings. Flink makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<SourceRecord> {
        /** Made by Flink. */
        public Snapshot() {
            super(() -> INSTANCE);
        }
    }
}
