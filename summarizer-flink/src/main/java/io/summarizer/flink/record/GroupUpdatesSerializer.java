package io.summarizer.flink.record;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes updates as: int32 key group | byte form | int32 plain bytes | int32 length, bytes. Stateless. */
final class GroupUpdatesSerializer extends RecordSerializer<GroupUpdates> {
    private static final long serialVersionUID = 1;

    @Override
    public void serialize(GroupUpdates record, DataOutputView target) throws IOException {
        target.writeInt(record.keyGroup());
        target.writeByte(record.form().ordinal());
        target.writeInt(record.plainBytes());
        target.writeInt(record.length());
        target.write(record.bytes(), 0, record.length());
    }

    @Override
    public GroupUpdates deserialize(DataInputView source) throws IOException {
        int keyGroup = source.readInt();
        GroupUpdates.Form form = GroupUpdates.Form.of(source.readByte());
        int plainBytes = source.readInt();
        byte[] bytes = new byte[source.readInt()];
        source.readFully(bytes);
        GroupUpdates record = new GroupUpdates();
        record.set(keyGroup, form, plainBytes, bytes, bytes.length);
        return record;
    }
}
