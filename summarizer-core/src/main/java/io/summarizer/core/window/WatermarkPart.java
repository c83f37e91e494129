package io.summarizer.core.window;

import io.summarizer.core.store.CutPart;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;

/** The part {@value #NAME} of a checkpoint: the marks of {@link Watermarks}. Stateless. */
public final class WatermarkPart {
    /** Name of the part in a state file. */
    public static final String NAME = "watermarks";

    private static final int VERSION = 2;
    /**
     * The version that had marks of pipelines only, in the order of pipelines. Messages from Kafka counted for their
     * pipelines.
     */
    private static final int WITHOUT_NAMES = 1;

    private WatermarkPart() {}

    /**
     * The part with these marks, by summary and name of the input. It begins with int version and int number of
     * summaries. Each summary has its name (as {@link DataOutputStream#writeUTF} writes it), int number of inputs, and
     * the inputs. Each input has its name and long mark in µs since the epoch. All numbers are big-endian.
     */
    public static CutPart of(Map<String, Map<String, Long>> marks) {
        return CutPart.of(NAME, out -> {
            out.writeInt(VERSION);
            out.writeInt(marks.size());
            for (Map.Entry<String, Map<String, Long>> summary : marks.entrySet()) {
                out.writeUTF(summary.getKey());
                out.writeInt(summary.getValue().size());
                for (Map.Entry<String, Long> input : summary.getValue().entrySet()) {
                    out.writeUTF(input.getKey());
                    out.writeLong(input.getValue());
                }
            }
        });
    }

    /**
     * Reads a part.
     *
     * @param fromKafka whether the checkpoint has Kafka partitions. If so, the marks of version 1 are left out, because
     *     these are marks of pipelines, not of partitions. If all messages of a pipeline now come from Kafka, its old
     *     mark would hold up the watermark for ever
     */
    public static Map<String, Map<String, Long>> read(InputStream part, boolean fromKafka) throws IOException {
        DataInputStream in = new DataInputStream(part);
        int version = in.readInt();
        if (version != VERSION && version != WITHOUT_NAMES) {
            throw new IOException("the watermarks were written by another version of this program (version=" + version
                    + ", this one reads versions " + WITHOUT_NAMES + " and " + VERSION + ")");
        }
        if (version == WITHOUT_NAMES && fromKafka) {
            return Map.of();
        }
        Map<String, Map<String, Long>> marks = new TreeMap<>();
        for (int summaries = in.readInt(); summaries > 0; summaries--) {
            String summary = in.readUTF();
            Map<String, Long> ofInputs = new TreeMap<>();
            int inputs = in.readInt();
            for (int input = 0; input < inputs; input++) {
                ofInputs.put(version == VERSION ? in.readUTF() : InputName.ofPipeline(input), in.readLong());
            }
            marks.put(summary, ofInputs);
        }
        return marks;
    }
}
