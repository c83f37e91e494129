package io.summarizer.flink.result;

import io.summarizer.core.result.Manifest;
import io.summarizer.core.window.LateUpdates;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The files that one owner has written for a checkpoint. Immutable.
 *
 * @param rows the file of rows that are in no closed window
 * @param boundaries for each summary, its boundary
 * @param windows closed windows
 * @param late the number of late updates of each closed window, also of windows that earlier results have; must not be
 *     changed
 */
public record OwnerFiles(
        Manifest.RowFile rows, List<SummaryBoundary> boundaries, List<WindowFile> windows, LateUpdates late) {
    private static final int VERSION = 2;

    /** A version without numbers of late updates. */
    private static final int VERSION_WITHOUT_LATE = 1;

    public OwnerFiles {
        boundaries = List.copyOf(boundaries);
        windows = List.copyOf(windows);
        late = late.copy();
    }

    /** The boundary of a summary, as in {@link Manifest.OfSummary}. */
    public record SummaryBoundary(String summary, long boundary) {}

    /**
     * The file of one closed window.
     *
     * @param rows number of rows of the summary, without the rows of its nested summaries and of its overflow
     */
    public record WindowFile(String summary, long start, long end, long rows, Manifest.RowFile file) {}

    /** The files as bytes. */
    byte[] toBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(VERSION);
        write(rows, out);
        out.writeInt(boundaries.size());
        for (SummaryBoundary boundary : boundaries) {
            out.writeUTF(boundary.summary);
            out.writeLong(boundary.boundary);
        }
        out.writeInt(windows.size());
        for (WindowFile window : windows) {
            out.writeUTF(window.summary);
            out.writeLong(window.start);
            out.writeLong(window.end);
            out.writeLong(window.rows);
            write(window.file, out);
        }
        byte[] numbers = late.toBytes();
        out.writeInt(numbers.length);
        out.write(numbers);
        return bytes.toByteArray();
    }

    private static void write(Manifest.RowFile file, DataOutputStream out) throws IOException {
        out.writeUTF(file.file());
        out.writeInt(file.firstKeyGroup());
        out.writeInt(file.lastKeyGroup());
        out.writeLong(file.bytes());
    }

    static OwnerFiles of(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int version = in.readInt();
        if (version != VERSION && version != VERSION_WITHOUT_LATE) {
            throw new IOException("the list of an owner's files has version=" + version + ", expected " + VERSION);
        }
        Manifest.RowFile rows = readFile(in);
        List<SummaryBoundary> boundaries = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            boundaries.add(new SummaryBoundary(in.readUTF(), in.readLong()));
        }
        List<WindowFile> windows = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            windows.add(new WindowFile(in.readUTF(), in.readLong(), in.readLong(), in.readLong(), readFile(in)));
        }
        LateUpdates late = new LateUpdates();
        if (version == VERSION) {
            byte[] numbers = new byte[Math.max(0, in.readInt())];
            in.readFully(numbers);
            late = LateUpdates.read(numbers);
        }
        return new OwnerFiles(rows, boundaries, windows, late);
    }

    private static Manifest.RowFile readFile(DataInputStream in) throws IOException {
        return new Manifest.RowFile(in.readUTF(), in.readInt(), in.readInt(), in.readLong());
    }
}
