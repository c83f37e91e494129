package io.summarizer.server.replay;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A parser of the frames that a receiver of RELP sends, one after the other. Used by one thread. Only {@link #text}
 * makes objects. The parser refers to the buffer, so the caller must read an answer before the buffer changes.
 */
final class RelpAnswer {
    static final int NOT_WHOLE = -1;

    private static final int NUMBER_MAX = 999_999_999;
    private static final byte[] RESPONSE = "rsp".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SERVER_CLOSE = "serverclose".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAKEN = "200".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = {};
    private int txnr;
    private int commandAt;
    private int commandEnd;
    private int textAt;
    private int textLength;

    /**
     * Parses the frame that begins at {@code from}.
     *
     * @return the position after the frame, or {@link #NOT_WHOLE}
     */
    int parse(byte[] bytes, int from, int limit) {
        this.bytes = bytes;
        int at = from;
        int number = 0;
        for (; at < limit && bytes[at] != ' '; at++) {
            number = digit(number, bytes[at]);
        }
        commandAt = ++at;
        while (at < limit && bytes[at] != ' ') {
            at++;
        }
        commandEnd = at++;
        int length = 0;
        for (; at < limit && bytes[at] != ' ' && bytes[at] != '\n'; at++) {
            length = digit(length, bytes[at]);
        }
        if (at >= limit) {
            return NOT_WHOLE;
        }
        textAt = length == 0 ? at : at + 1;
        if (limit - textAt <= length) {
            return NOT_WHOLE;
        }
        txnr = number;
        textLength = length;
        return textAt + length + 1;
    }

    /** Appends a digit to a number. For a byte that is not a digit, returns a number that no frame has. */
    private static int digit(int number, byte digit) {
        return digit < '0' || digit > '9' || number > NUMBER_MAX / 10 ? NUMBER_MAX : number * 10 + digit - '0';
    }

    int txnr() {
        return txnr;
    }

    boolean isResponse() {
        return is(RESPONSE);
    }

    boolean isServerClose() {
        return is(SERVER_CLOSE);
    }

    private boolean is(byte[] command) {
        return Arrays.equals(command, 0, command.length, bytes, commandAt, commandEnd);
    }

    /** Whether the answer is 200. */
    boolean isTaken() {
        return textLength >= TAKEN.length
                && Arrays.equals(TAKEN, 0, TAKEN.length, bytes, textAt, textAt + TAKEN.length);
    }

    /** The first line of the answer's text. */
    String text() {
        String text = new String(bytes, textAt, textLength, StandardCharsets.US_ASCII);
        return text.lines().findFirst().orElse("");
    }

    @Override
    public String toString() {
        return txnr + " " + new String(bytes, commandAt, commandEnd - commandAt, StandardCharsets.US_ASCII);
    }
}
