package io.summarizer.flink.record;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes progress as: UTF input | int32 summaries, int64 mark each | int64 clear. Stateless. */
final class ProgressSerializer extends RecordSerializer<Progress> {
    private static final long serialVersionUID = 1;

    @Override
    public void serialize(Progress record, DataOutputView target) throws IOException {
        target.writeUTF(record.input());
        target.writeInt(record.marks().length);
        for (long mark : record.marks()) {
            target.writeLong(mark);
        }
        target.writeLong(record.clearMillis());
    }

    @Override
    public Progress deserialize(DataInputView source) throws IOException {
        String input = source.readUTF();
        long[] marks = new long[source.readInt()];
        for (int summary = 0; summary < marks.length; summary++) {
            marks[summary] = source.readLong();
        }
        return new Progress(input, marks, source.readLong());
    }
}
