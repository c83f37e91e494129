package io.summarizer.core.journal;

import io.summarizer.core.bytes.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * The windows of a summary that one {@linkplain Control control} closed. All times are in µs since the epoch.
 *
 * @param boundaryBefore the boundary before the control; windows that begin before this boundary were closed already
 * @param boundary the boundary after the control; windows that begin before this boundary are closed
 * @param windows the closed windows that have rows, by start
 */
public record WindowClose(long boundaryBefore, long boundary, List<Span> windows) implements Control.Payload {
    private static final int HEAD_BYTES = 20;
    private static final int SPAN_BYTES = 16;

    /** A window. */
    public record Span(long start, long end) {}

    public WindowClose {
        windows = List.copyOf(windows);
    }

    /**
     * The bytes of a close: both boundaries (long each), the number of windows (int), and for each window its start and
     * end (long each).
     */
    @Override
    public byte[] encode() {
        byte[] bytes = new byte[HEAD_BYTES + SPAN_BYTES * windows.size()];
        Bytes.putLong(bytes, 0, boundaryBefore);
        Bytes.putLong(bytes, 8, boundary);
        Bytes.putInt(bytes, 16, windows.size());
        int at = HEAD_BYTES;
        for (Span window : windows) {
            Bytes.putLong(bytes, at, window.start);
            Bytes.putLong(bytes, at + 8, window.end);
            at += SPAN_BYTES;
        }
        return bytes;
    }

    static WindowClose decode(byte[] bytes, int offset, int length) throws JournalException {
        int count = length < HEAD_BYTES ? -1 : Bytes.getInt(bytes, offset + 16);
        if (count < 0 || length != HEAD_BYTES + (long) SPAN_BYTES * count) {
            throw new JournalException("a close of bytes=" + length + " windows=" + count);
        }
        List<Span> windows = new ArrayList<>(count);
        for (int at = offset + HEAD_BYTES; at < offset + length; at += SPAN_BYTES) {
            windows.add(new Span(Bytes.getLong(bytes, at), Bytes.getLong(bytes, at + 8)));
        }
        return new WindowClose(Bytes.getLong(bytes, offset), Bytes.getLong(bytes, offset + 8), windows);
    }
}
