package io.summarizer.core.receive;

import io.summarizer.core.text.Digits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Distinguishes a stream of HTTP from a stream of messages. Browsers, scanners and probes that use the wrong port send
 * HTTP. The first line of HTTP is a request line (RFC 9112 §3), such as {@code GET /summaries HTTP/1.1}. Without this
 * check, the lines after the request line would count as messages, and a web page could choose the text of these
 * messages.
 */
final class HttpStream {
    static final String HINT =
            "the peer speaks HTTP, which this port does not; http.bind is the port to pull from and to ask for /healthz";

    private static final List<byte[]> METHODS = Stream.of(
                    "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "OPTIONS ", "PATCH ", "CONNECT ", "TRACE ", "PRI ")
            .map(method -> method.getBytes(StandardCharsets.US_ASCII))
            .toList();
    private static final byte[] VERSION = " HTTP/".getBytes(StandardCharsets.US_ASCII);
    /** Bytes of a version, such as {@code 1.1}. */
    private static final int VERSION_BYTES = 3;

    private HttpStream() {}

    /** Whether the bytes may be the beginning of a request line. */
    static boolean mayBegin(byte[] bytes, int from, int to) {
        if (bytes[from] < 'A' || bytes[from] > 'Z') {
            return false;
        }
        for (byte[] method : METHODS) {
            int length = Math.min(method.length, to - from);
            if (isAt(bytes, from, method, length)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a line is a request line. The caller passes the line without its line feed, and only if {@link #mayBegin}
     * is true for it.
     */
    static boolean isRequest(byte[] bytes, int from, int to) {
        int end = to > from && bytes[to - 1] == '\r' ? to - 1 : to;
        int version = end - VERSION_BYTES - VERSION.length;
        return version > from && isAt(bytes, version, VERSION, VERSION.length) && Digits.isDigit(bytes[end - 1]);
    }

    private static boolean isAt(byte[] bytes, int at, byte[] text, int length) {
        for (int i = 0; i < length; i++) {
            if (bytes[at + i] != text[i]) {
                return false;
            }
        }
        return true;
    }
}
