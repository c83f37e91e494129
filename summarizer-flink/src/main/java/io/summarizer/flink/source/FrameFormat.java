package io.summarizer.flink.source;

import io.summarizer.core.receive.Framing;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;

/** Makes a {@link FrameReader} for each file. Immutable. */
final class FrameFormat implements BulkFormat<SourceRecord, FileSourceSplit> {
    private static final long serialVersionUID = 1;

    private final Framing framing;
    private final int messageBytesMax;

    FrameFormat(Framing framing, int messageBytesMax) {
        this.framing = framing;
        this.messageBytesMax = messageBytesMax;
    }

    @Override
    public Reader<SourceRecord> createReader(Configuration config, FileSourceSplit split) throws IOException {
        return new FrameReader(split, framing, messageBytesMax, new CheckpointedPosition(0, 0));
    }

    @Override
    public Reader<SourceRecord> restoreReader(Configuration config, FileSourceSplit split) throws IOException {
        CheckpointedPosition position = split.getReaderPosition().orElse(new CheckpointedPosition(0, 0));
        return new FrameReader(split, framing, messageBytesMax, position);
    }

    /** Returns false, because frames can be found only from the beginning of a file. */
    @Override
    public boolean isSplittable() {
        return false;
    }

    @Override
    public TypeInformation<SourceRecord> getProducedType() {
        return SourceRecordSerializer.TYPE;
    }
}
