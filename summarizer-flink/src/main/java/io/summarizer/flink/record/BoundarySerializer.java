package io.summarizer.flink.record;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes a boundary as: int32 summary | int64 time. Stateless. */
final class BoundarySerializer extends RecordSerializer<Boundary> {
    private static final long serialVersionUID = 1;

    @Override
    public void serialize(Boundary record, DataOutputView target) throws IOException {
        target.writeInt(record.summary());
        target.writeLong(record.before());
    }

    @Override
    public Boundary deserialize(DataInputView source) throws IOException {
        return new Boundary(source.readInt(), source.readLong());
    }

    @Override
    public TypeSerializerSnapshot<Boundary> snapshotConfiguration() {
        return new Snapshot();
    }

    /** The snapshot of a serializer without settings. Flink makes it by its name. */
    public static final class Snapshot extends SimpleTypeSerializerSnapshot<Boundary> {
        /** Made by Flink. */
        public Snapshot() {
            super(BoundarySerializer::new);
        }
    }
}
