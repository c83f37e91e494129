package io.summarizer.core.window;

import io.summarizer.core.store.CutPart;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The part {@value #NAME} of a checkpoint: the marks of {@link Watermarks}. Stateless. */
public final class WatermarkPart {
    /** Name of the part in a state file. */
    public static final String NAME = "watermarks";

    private static final int VERSION = 1;

    private WatermarkPart() {}

    /**
     * The part with these marks: int version; int summaries; for each its name (as by
     * {@link DataOutputStream#writeUTF}), int inputs, long mark of each in µs since the epoch. All numbers are
     * big-endian.
     */
    public static CutPart of(Map<String, List<Long>> marks) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(VERSION);
            out.writeInt(marks.size());
            for (Map.Entry<String, List<Long>> summary : marks.entrySet()) {
                out.writeUTF(summary.getKey());
                out.writeInt(summary.getValue().size());
                for (long mark : summary.getValue()) {
                    out.writeLong(mark);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // in memory
        }
        return CutPart.of(NAME, bytes.toByteArray());
    }

    /** Reads a part. */
    public static Map<String, List<Long>> read(InputStream part) throws IOException {
        DataInputStream in = new DataInputStream(part);
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException("the watermarks were written by another version of this program (version=" + version
                    + ", this one reads version=" + VERSION + ")");
        }
        Map<String, List<Long>> marks = new TreeMap<>();
        for (int summaries = in.readInt(); summaries > 0; summaries--) {
            String summary = in.readUTF();
            List<Long> ofInputs = new ArrayList<>();
            for (int inputs = in.readInt(); inputs > 0; inputs--) {
                ofInputs.add(in.readLong());
            }
            marks.put(summary, ofInputs);
        }
        return marks;
    }
}
