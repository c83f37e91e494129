package io.summarizer.bench.sweep;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Requests a server's list of summaries repeatedly over one connection, and reads the number of probes. Each answer is
 * a cut, of which the server keeps nothing. A client of its own because it has to be cheap: it runs on the server's
 * machine. Used by one thread.
 */
final class Puller implements AutoCloseable {
    private static final byte[] REQUEST =
            "GET /summaries?keep=no HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");
    private static final Pattern PROBES =
            Pattern.compile("\"name\":\"" + Probe.SUMMARY + "\",\"rows\":\\d+,\"updates\":(\\d+)");
    private static final int BUFFER_BYTES = 256 * 1024;

    private final SocketChannel channel;
    private final ByteBuffer answer = ByteBuffer.allocate(BUFFER_BYTES);

    Puller(InetSocketAddress server) throws IOException {
        channel = SocketChannel.open(server);
    }

    /** Returns the number of probes that a pull shows. */
    long probes() throws IOException {
        for (ByteBuffer request = ByteBuffer.wrap(REQUEST); request.hasRemaining(); ) {
            channel.write(request);
        }
        answer.clear();
        int head = -1;
        int length = 0;
        while (head < 0 || answer.position() < head + length) {
            if (!answer.hasRemaining() || channel.read(answer) < 0) {
                throw new IOException("an answer that ends early, or is too long");
            }
            if (head < 0) {
                String text = text();
                int end = text.indexOf("\r\n\r\n");
                if (end >= 0) {
                    Matcher announced = LENGTH.matcher(text.substring(0, end));
                    if (!text.startsWith("HTTP/1.1 200") || !announced.find()) {
                        throw new IOException("no list of summaries: "
                                + text.lines().findFirst().orElse(""));
                    }
                    head = end + 4;
                    length = Integer.parseInt(announced.group(1));
                }
            }
        }
        Matcher probes = PROBES.matcher(text());
        if (!probes.find()) {
            throw new IOException("the list of summaries has no " + Probe.SUMMARY);
        }
        return Long.parseLong(probes.group(1));
    }

    /** The bytes so far; only ASCII text is searched for. */
    private String text() {
        return new String(answer.array(), 0, answer.position(), StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
