package io.summarizer.core.journal;

import io.summarizer.core.bytes.Bytes;
import java.util.HexFormat;

/**
 * A file that a {@linkplain Control control} turned into a closed window. Times are in µs since the epoch.
 *
 * @param start start of the window
 * @param end end of the window
 * @param sha256 SHA-256 of the state file, 64 hexadecimal digits
 */
public record WindowPut(long start, long end, String sha256) implements Control.Payload {
    private static final int SHA_BYTES = 32;
    private static final int BYTES = 2 * Long.BYTES + SHA_BYTES;

    public WindowPut {
        if (sha256.length() != 2 * SHA_BYTES) {
            throw new IllegalArgumentException("sha256=" + sha256);
        }
    }

    /** The bytes of a put: start (long), end (long), SHA-256. */
    @Override
    public byte[] encode() {
        byte[] bytes = new byte[BYTES];
        Bytes.putLong(bytes, 0, start);
        Bytes.putLong(bytes, 8, end);
        System.arraycopy(HexFormat.of().parseHex(sha256), 0, bytes, 16, SHA_BYTES);
        return bytes;
    }

    static WindowPut decode(byte[] bytes, int offset, int length) throws JournalException {
        if (length != BYTES) {
            throw new JournalException("a put of bytes=" + length);
        }
        return new WindowPut(
                Bytes.getLong(bytes, offset),
                Bytes.getLong(bytes, offset + 8),
                HexFormat.of().formatHex(bytes, offset + 16, offset + length));
    }
}
