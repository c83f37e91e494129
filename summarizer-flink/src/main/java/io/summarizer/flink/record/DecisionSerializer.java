package io.summarizer.flink.record;

import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Writes a decision as: int32 summary | int64 time; for a commit: int32 -1 | int64 checkpoint. Stateless. */
final class DecisionSerializer extends RecordSerializer<Decision> {
    private static final long serialVersionUID = 1;

    private static final int COMMITTED = -1;

    @Override
    public void serialize(Decision record, DataOutputView target) throws IOException {
        if (record instanceof Decision.Boundary boundary) {
            target.writeInt(boundary.summary());
            target.writeLong(boundary.before());
        } else {
            target.writeInt(COMMITTED);
            target.writeLong(((Decision.Committed) record).checkpoint());
        }
    }

    @Override
    public Decision deserialize(DataInputView source) throws IOException {
        int summary = source.readInt();
        long value = source.readLong();
        return summary == COMMITTED ? new Decision.Committed(value) : new Decision.Boundary(summary, value);
    }
}
