package io.summarizer.core.journal;

import io.summarizer.core.bytes.Bytes;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The windows that new definitions closed as they took effect. They are windows of new summaries, and have files from
 * earlier summaries of the same names.
 *
 * @param bySummary for each of these summaries, the boundary before which windows are closed, in µs since the epoch
 */
public record WindowBoundaries(Map<String, Long> bySummary) implements Control.Payload {
    public WindowBoundaries {
        bySummary = Map.copyOf(bySummary);
    }

    /** The bytes: for each summary the length of its name (int), the name in UTF-8, and the boundary (long). */
    @Override
    public byte[] encode() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bySummary.forEach((name, boundary) -> {
            byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
            byte[] entry = new byte[4 + utf8.length + 8];
            Bytes.putInt(entry, 0, utf8.length);
            System.arraycopy(utf8, 0, entry, 4, utf8.length);
            Bytes.putLong(entry, 4 + utf8.length, boundary);
            bytes.writeBytes(entry);
        });
        return bytes.toByteArray();
    }

    static WindowBoundaries decode(byte[] bytes, int offset, int length) throws JournalException {
        Map<String, Long> boundaries = new HashMap<>();
        int end = offset + length;
        int at = offset;
        while (at < end) {
            int nameBytes = end - at < 12 ? -1 : Bytes.getInt(bytes, at);
            if (nameBytes < 0 || nameBytes > end - at - 12) {
                throw new JournalException("boundaries of bytes=" + length + " name=" + nameBytes);
            }
            String name = new String(bytes, at + 4, nameBytes, StandardCharsets.UTF_8);
            boundaries.put(name, Bytes.getLong(bytes, at + 4 + nameBytes));
            at += 12 + nameBytes;
        }
        return new WindowBoundaries(boundaries);
    }
}
