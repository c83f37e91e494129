package io.summarizer.core.recovery;

import io.summarizer.core.pipeline.PipelineTopics;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.CutPart;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The part {@value #PART} of a checkpoint's state file. It has the checkpoint's positions in the journal, and names the
 * checkpoint's definitions.
 *
 * @param definitions name of the definitions that were in force
 * @param topics the assignment of topics to pipelines
 * @param positions a sequence for each pipeline; the checkpoint has exactly those journalled messages of the pipeline
 *     that come before this sequence
 * @param controls number of the journal's first control that is not in the checkpoint
 */
public record CheckpointInfo(String definitions, PipelineTopics topics, List<Long> positions, long controls) {
    /** Name of this part in a state file. */
    public static final String PART = "checkpoint";

    private static final int VERSION = 1;
    /**
     * Upper bound on the bytes of a text in this part, whatever the configuration. A greater length is taken as a sign
     * of damage.
     */
    private static final int BYTES_MAX = 1 << 20;

    /** Checks that there is a position for each pipeline. */
    public CheckpointInfo {
        positions = List.copyOf(positions);
        if (positions.size() != topics.pipelines()) {
            throw new IllegalArgumentException("pipelines=" + topics.pipelines() + " positions=" + positions.size());
        }
    }

    /** The lowest position: all messages before this sequence are in the checkpoint. */
    public long from() {
        return Collections.min(positions);
    }

    /** The highest of the positions. The checkpoint has no message at or after this sequence. */
    public long end() {
        return Collections.max(positions);
    }

    /** This object as a part of a state file. */
    CutPart part() {
        return CutPart.of(PART, out -> {
            out.writeInt(VERSION);
            putText(definitions, out);
            putText(topics.text(), out);
            out.writeLong(controls);
            out.writeInt(positions.size());
            for (long position : positions) {
                out.writeLong(position);
            }
        });
    }

    /**
     * Reads the part {@value #PART} of a state file. Returns empty when the file has no such part: such a file was
     * exported, and is not a checkpoint.
     *
     * @throws IOException when the part cannot be read, or has contents that this program does not understand
     */
    public static Optional<CheckpointInfo> of(StateFile file) throws IOException {
        Optional<InputStream> part = file.part(PART);
        if (part.isEmpty()) {
            return Optional.empty();
        }
        try (DataInputStream in = new DataInputStream(part.get())) {
            int version = in.readInt();
            if (version != VERSION) {
                throw new IOException("the checkpoint was written by another version of this program (version="
                        + version + ", this one reads version=" + VERSION + ")");
            }
            String definitions = text(in);
            PipelineTopics topics = PipelineTopics.parse(text(in));
            long controls = in.readLong();
            List<Long> positions = new ArrayList<>();
            int count = in.readInt();
            for (int i = 0; i < count && i < topics.pipelines(); i++) {
                positions.add(in.readLong());
            }
            return Optional.of(new CheckpointInfo(definitions, topics, positions, controls));
        } catch (EOFException | IllegalArgumentException e) {
            throw new IOException("the checkpoint does not say where in the journal it is: " + e.getMessage(), e);
        }
    }

    private static void putText(String text, DataOutputStream out) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > BYTES_MAX) {
            throw new IOException("the checkpoint does not say where in the journal it is: text of bytes=" + length);
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
