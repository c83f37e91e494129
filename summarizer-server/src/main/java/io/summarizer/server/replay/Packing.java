package io.summarizer.server.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A compressed format, known by the first bytes of a stream.
 *
 * @param unpacker the command that writes an unpacked file to its standard output
 * @param start matches the first bytes, in ISO 8859-1
 */
record Packing(String name, String unpacker, Pattern start) {
    private static final int START_BYTES = 6;
    private static final Pattern GZIP = Pattern.compile("\\x1f\\x8b");

    /** The formats that are not unpacked here. */
    private static final List<Packing> OTHERS = List.of(
            new Packing("zstd", "zstdcat", "\\x28\\xb5\\x2f\\xfd|[\\x50-\\x5f]\\x2a\\x4d\\x18"),
            new Packing("xz", "xzcat", "\\xfd7zXZ\\x00"),
            new Packing("bzip2", "bzcat", "BZh[1-9](1A|\\x17r)"),
            new Packing("lz4", "lz4cat", "[\\x02\\x04][\\x21\\x22][\\x4c\\x4d]\\x18"),
            new Packing("zip", "unzip -p", "PK\\x03\\x04"));

    private Packing(String name, String unpacker, String start) {
        this(name, unpacker, Pattern.compile(start));
    }

    /**
     * Returns the stream, decompressed if it begins with the bytes of gzip.
     *
     * @throws IOException when the stream is packed in another format
     */
    static InputStream unpacked(InputStream in) throws IOException {
        PushbackInputStream peeked = new PushbackInputStream(in, START_BYTES);
        byte[] bytes = peeked.readNBytes(START_BYTES);
        peeked.unread(bytes);
        String start = new String(bytes, StandardCharsets.ISO_8859_1);
        if (GZIP.matcher(start).lookingAt()) {
            return new GzipMembers(peeked);
        }
        for (Packing other : OTHERS) {
            if (other.start.matcher(start).lookingAt()) {
                throw new IOException("it is packed with " + other.name
                        + ", and only gzip is unpacked here; unpack it first: " + other.unpacker
                        + " FILE | summarizer ... -");
            }
        }
        return peeked;
    }
}
