package io.summarizer.server.replay;

import io.summarizer.core.bytes.BlockOutputStream;
import io.summarizer.core.bytes.Swar;
import java.io.IOException;
import java.util.Arrays;

/** A stream that sends each line as a message, without its line feed, and skips empty lines. Used by one thread. */
public final class LineSender extends BlockOutputStream {
    /** The receiver of the messages. */
    public interface Target {
        /** Sends a message. The caller may change the bytes afterwards. */
        void send(byte[] bytes, int offset, int length) throws IOException;

        /** Waits until all messages are acknowledged. Called after the last message. */
        void finish() throws IOException;
    }

    private final Target target;
    private byte[] unfinished = {};

    /** Makes a sender to {@code target}. The sender does not close {@code target}. */
    public LineSender(Target target) {
        this.target = target;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int at = offset;
        int end = offset + length;
        while (at < end) {
            int lf = Swar.indexOfLf(bytes, at, end);
            if (lf < 0) {
                append(bytes, at, end);
                return;
            }
            if (unfinished.length > 0) {
                append(bytes, at, lf);
                target.send(unfinished, 0, unfinished.length);
                unfinished = new byte[0];
            } else if (lf > at) {
                target.send(bytes, at, lf - at);
            }
            at = lf + 1;
        }
    }

    private void append(byte[] bytes, int from, int to) {
        int length = unfinished.length;
        unfinished = Arrays.copyOf(unfinished, length + to - from);
        System.arraycopy(bytes, from, unfinished, length, to - from);
    }

    /**
     * Sends the last line, even if it has no line feed. Then waits until all messages are acknowledged, and ends the
     * session.
     */
    public void finish() throws IOException {
        if (unfinished.length > 0) {
            target.send(unfinished, 0, unfinished.length);
            unfinished = new byte[0];
        }
        target.finish();
    }
}
