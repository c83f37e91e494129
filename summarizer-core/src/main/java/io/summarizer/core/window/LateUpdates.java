package io.summarizer.core.window;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * The number of updates that came too late for each closed window. As a rule, an update is counted once for its
 * message, mapping and key. An update counts twice if its records are in two batches. Updates of one key in one batch
 * count once if their messages have the same stamp. One thread at a time.
 *
 * <p>For each summary, at most {@value #WINDOWS_MAX} windows have a number. If there would be more, the numbers of the
 * oldest windows are forgotten.
 */
public final class LateUpdates {
    /** Maximum number of windows of a summary. */
    public static final int WINDOWS_MAX = 16_384;

    private static final int VERSION = 1;

    /** The numbers by summary and start of the window. */
    private final Map<String, TreeMap<Long, Long>> updates = new TreeMap<>();

    /**
     * Adds late updates of a window.
     *
     * @param start start of the window, in µs since the epoch
     */
    public void add(String summary, long start, long count) {
        TreeMap<Long, Long> windows = updates.computeIfAbsent(summary, name -> new TreeMap<>());
        windows.merge(start, count, Long::sum);
        if (windows.size() > WINDOWS_MAX) {
            windows.pollFirstEntry();
        }
    }

    /** The numbers of a summary by start of the window; a view. */
    public Map<Long, Long> of(String summary) {
        return Collections.unmodifiableMap(updates.getOrDefault(summary, new TreeMap<>()));
    }

    /** Forgets the windows of a summary that begin before {@code before}. */
    public void forgetBefore(String summary, long before) {
        TreeMap<Long, Long> windows = updates.get(summary);
        if (windows != null) {
            windows.headMap(before).clear();
        }
    }

    /** A copy, which does not change when this object changes. */
    public LateUpdates copy() {
        LateUpdates copy = new LateUpdates();
        updates.forEach((summary, windows) -> copy.updates.put(summary, new TreeMap<>(windows)));
        return copy;
    }

    /** The numbers as bytes, which {@link #read} takes. */
    public byte[] toBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(VERSION);
        out.writeInt(updates.size());
        for (Map.Entry<String, TreeMap<Long, Long>> summary : updates.entrySet()) {
            out.writeUTF(summary.getKey());
            out.writeInt(summary.getValue().size());
            for (Map.Entry<Long, Long> window : summary.getValue().entrySet()) {
                out.writeLong(window.getKey());
                out.writeLong(window.getValue());
            }
        }
        return bytes.toByteArray();
    }

    /**
     * Reads what {@link #toBytes} returned.
     *
     * @throws IOException when the bytes are cut off or of another version
     */
    public static LateUpdates read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int version = in.readInt();
        if (version != VERSION) {
            throw new IOException("the numbers of late updates have version=" + version + ", expected " + VERSION);
        }
        LateUpdates read = new LateUpdates();
        for (int summaries = in.readInt(); summaries > 0; summaries--) {
            String summary = in.readUTF();
            for (int windows = in.readInt(); windows > 0; windows--) {
                read.add(summary, in.readLong(), in.readLong());
            }
        }
        return read;
    }
}
