package io.summarizer.server.http;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvQuery;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * Entity tags of answers (RFC 9110, 8.8.3). Two answers have the same tag if they have the same rows of the same cut in
 * the same encoding, and no restart was between them. All other answers have different tags. Immutable.
 */
final class EntityTags {
    /** Random name of the process, because each process numbers its cuts anew. */
    private final String process = Long.toHexString(new SecureRandom().nextLong());

    /** Returns the strong tag of the answer to a query. */
    String tag(long cut, CsvQuery query, Encoding encoding) {
        byte[] asked = query.toString().getBytes(StandardCharsets.UTF_8);
        long hash = Bytes.hash(asked, 0, asked.length, 0);
        return '"' + process + '-' + cut + '-' + Long.toHexString(hash) + encoding.suffix() + '"';
    }

    /**
     * Whether a client that sent this If-None-Match header has the answer already. The value {@code *} is ignored,
     * because a tag, unlike {@code *}, comes only from a query that was valid.
     *
     * @param header the header; empty when there is no such header
     */
    static boolean matches(String header, String tag) {
        for (String item : header.split(",", 32)) {
            String candidate = item.strip();
            if (candidate.equals(tag)
                    || (candidate.startsWith("W/") && candidate.substring(2).equals(tag))) {
                return true;
            }
        }
        return false;
    }
}
