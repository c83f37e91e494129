package io.summarizer.server.net;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Writes the acknowledgements of a RELP session in the order of their transaction numbers. Confined to a connection's
 * event loop. The next number is made by incrementing the digits of the last number in place. Cost: a copy of about 20
 * bytes for each acknowledgement.
 */
final class RelpAnswers {
    private static final String NUMBER = "000000000";
    private static final byte[] TAKEN = (NUMBER + " rsp 6 200 OK\n").getBytes(StandardCharsets.US_ASCII);

    private static final String OFFERS = "200 OK\nrelp_version=0\nrelp_software=summarizer\ncommands=syslog";
    private static final byte[] SERVER_CLOSE = "0 serverclose 0\n".getBytes(StandardCharsets.US_ASCII);

    /** The last acknowledgement that was written, at the end of the array. */
    private final byte[] answer = TAKEN.clone();

    /** Offset of the first digit. */
    private int start = NUMBER.length();

    /** Opens the session, with the answer to transaction number 1. */
    void opened(ByteBuf out) {
        next();
        text(out, "1 rsp " + OFFERS.length() + " " + OFFERS + "\n");
    }

    /** Refuses the session, with the answer to transaction number 1. */
    void refused(ByteBuf out, String reason) {
        next();
        String text = "500 " + reason;
        text(out, "1 rsp " + text.length() + " " + text + "\n");
    }

    /** Acknowledges the next {@code count} messages. */
    void taken(ByteBuf out, int count) {
        out.ensureWritable(count * TAKEN.length);
        for (int i = 0; i < count; i++) {
            next();
            out.writeBytes(answer, start, answer.length - start);
        }
    }

    /** Answers the sender's {@code close}, which has the next number. */
    void closed(ByteBuf out) {
        next();
        out.writeBytes(answer, start, NUMBER.length() - start);
        text(out, " rsp 0\n");
    }

    /** Announces that this side closes. */
    static void serverClose(ByteBuf out) {
        out.writeBytes(SERVER_CLOSE);
    }

    private static void text(ByteBuf out, String text) {
        out.writeCharSequence(text, StandardCharsets.US_ASCII);
    }

    private void next() {
        int at = NUMBER.length() - 1;
        while (at >= 0 && answer[at] == '9') {
            answer[at--] = '0';
        }
        if (at < 0) {
            throw new IllegalStateException("no transaction number is left: a session has to end before");
        }
        answer[at]++;
        start = Math.min(start, at);
    }
}
